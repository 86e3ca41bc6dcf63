"""What there is of STAMF: tables by name, for the text of its paper ends before its own."""

from __future__ import annotations

from signloom.reproduction.plan import Planner
from signloom.reproduction.stamf.tables import TABLES

FIGURES: dict[str, Planner] = {}

__all__ = ["FIGURES", "TABLES"]
