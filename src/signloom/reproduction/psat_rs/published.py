"""What the paper prints (PSAT-RS, tables 1 and 3), digit for digit.

Its scores are of a back-translation model that was not published, its times of an RTX 3060: they
compare among themselves, not with ours.
"""

from __future__ import annotations

from dataclasses import dataclass

Levels = tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Scores:
    """Quality on the dev split of PHOENIX-2014-T, in percent."""

    bleu4: float
    bleu3: float
    bleu2: float
    bleu1: float
    rouge: float


@dataclass(frozen=True, kw_only=True)
class Latency:
    """Mean latency of a sentence in milliseconds, and how many times as fast as AT that is."""

    ms: float
    speedup: float


def _row(*numbers: float) -> tuple[Scores, Latency]:
    bleu4, bleu3, bleu2, bleu1, rouge, ms, speedup = numbers
    scores = Scores(bleu4=bleu4, bleu3=bleu3, bleu2=bleu2, bleu1=bleu1, rouge=rouge)
    return scores, Latency(ms=ms, speedup=speedup)


TABLE_1: dict[Levels, tuple[Scores, Latency]] = {
    (1, 1): _row(7.09, 8.44, 12.08, 19.20, 20.00, 192.0, 1.0),
    (2, 2): _row(6.74, 8.13, 11.90, 19.11, 19.76, 101.0, 1.90),
    (4, 4): _row(6.17, 7.62, 11.05, 17.21, 18.70, 50.0, 3.86),
    (8, 8): _row(5.66, 7.00, 10.22, 14.36, 16.61, 27.0, 7.32),
    (1, 1, 1, 1): _row(11.38, 14.59, 20.35, 32.25, 33.09, 387.0, 1.0),
    (2, 2, 2, 2): _row(11.04, 14.38, 19.92, 32.13, 32.90, 210.0, 1.84),
    (8, 6, 4, 2): _row(10.16, 13.37, 18.43, 29.62, 30.51, 81.0, 4.75),
    (8, 4, 2, 1): _row(11.02, 14.47, 20.08, 32.10, 33.01, 108.0, 3.60),
}
TABLE_3: dict[str, Latency] = {
    "AT": Latency(ms=387.0, speedup=1.0),
    "NAT": Latency(ms=21.0, speedup=18.4),
    "PSAT": Latency(ms=108.0, speedup=3.60),
}
COMPLEXITY = {
    "AT": "L (O(ts) + O(gs))",
    "NAT": "O(ts) + O(gs)",
    "PSAT": "L·N/Σd (O(ts) + O(gs))",
}
"""Table 3; ts is a step of the transformer, gs what it calls a greedy search."""
