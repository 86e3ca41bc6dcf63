"""What there is of the LWTA transformer: its tables by number, and what they leave open by name.

Tables 5 and 6 are of videos that are not ours to ship. Pictures of calibration are drawn by
`signloom evaluate --plot`.
"""

from __future__ import annotations

from signloom.reproduction.lwta.tables import TABLES
from signloom.reproduction.plan import Planner

FIGURES: dict[str, Planner] = {}

__all__ = ["FIGURES", "TABLES"]
