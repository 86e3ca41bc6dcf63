"""The tables of NAT-UBD by number or name."""

from __future__ import annotations

from signloom.reproduction.nat_ubd.tables import TABLES
from signloom.reproduction.plan import Planner

FIGURES: dict[str, Planner] = {}

__all__ = ["FIGURES", "TABLES"]
