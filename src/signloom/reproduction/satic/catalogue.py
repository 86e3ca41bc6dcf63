"""What there is of SATIC: its tables and a figure by number or name.

Table 2 is of COCO's online server, whose test captions nobody else has.
"""

from __future__ import annotations

from signloom.reproduction.plan import Planner
from signloom.reproduction.satic.curves import plan_curves
from signloom.reproduction.satic.tables import TABLES

FIGURES: dict[str, Planner] = {"curves": plan_curves}

__all__ = ["FIGURES", "TABLES"]
