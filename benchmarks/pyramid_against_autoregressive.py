"""Time the pyramid against the autoregressive decoder: both cached, same engine, same process.

    python benchmarks/pyramid_against_autoregressive.py PYRAMID AUTOREGRESSIVE [-o FILE.json]

Both are production packages of one size, differing in their levels only. Runs are interleaved, one
of each in turn, on one thread; medians and deciles are of the decoding alone, batch 1.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

import numpy as np

from signloom.evaluation.report import describe_machine, find_commit, save_json
from signloom.runtime.package import load_package
from signloom.runtime.sessions import ProduceSession
from signloom.search.blocks import decode

TOKENS = np.array([[3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]], dtype=np.int64)


def main() -> None:
    """Run the comparison and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs=2)
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--runs", type=int, default=41)
    parser.add_argument("--lengths", type=int, nargs="+", default=[100, 116, 300])
    options = parser.parse_args()
    sessions = [ProduceSession(load_package(name), threads=1) for name in options.packages]
    names = [session.package.name for session in sessions]
    rows = []
    for length in options.lengths:
        lengths = np.array([length], dtype=np.int64)
        times: list[list[float]] = [[], []]
        for _ in range(options.runs + 2):
            for session, taken in zip(sessions, times, strict=True):
                started = time.perf_counter()
                decode(session, TOKENS, lengths)
                taken.append(1000 * (time.perf_counter() - started))
        kept = [np.array(taken[2:]) for taken in times]
        rows.append(
            {
                "frames": length,
                "ratio of medians": round(float(np.median(kept[1]) / np.median(kept[0])), 2),
                **{
                    f"{name}, ms at p10 p50 p90": np.percentile(taken, [10, 50, 90])
                    .round(2)
                    .tolist()
                    for name, taken in zip(names, kept, strict=True)
                },
            }
        )
    document = {
        "machine": describe_machine(),
        "commit": find_commit(),
        "command": "python benchmarks/pyramid_against_autoregressive.py " + " ".join(names),
        "levels": [list(session.settings.levels) for session in sessions],
        "runs": options.runs,
        "threads": 1,
        "rows": rows,
    }
    sys.stdout.write(json.dumps(document, indent=1) + "\n")
    if options.output:
        save_json(document, options.output)


if __name__ == "__main__":
    main()
