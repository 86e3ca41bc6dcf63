"""Checkpoints of fingerspelling, trained with equal steps, on the same held-out words.

    python benchmarks/ablation.py REPORT.json RUN/last.ckpt … [--words 150]

A row is named after the folder of its checkpoint. Each spells at its own length.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from signloom.evaluation.report import save_json, to_document
from signloom.evaluation.run import run as evaluate
from signloom.training.restore import restore
from signloom.training.rows import checkpoint_row


def main() -> None:
    """Evaluate the checkpoints and write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("report", type=Path)
    parser.add_argument("checkpoints", type=Path, nargs="+")
    parser.add_argument("--words", type=int, default=150)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rows = {path.parent.name: checkpoint_row(restore(path).task) for path in options.checkpoints}
    result = evaluate(count=options.words, doubled=options.words // 3, seed=options.seed, rows=rows)
    save_json(to_document(result), options.report)


if __name__ == "__main__":
    main()
