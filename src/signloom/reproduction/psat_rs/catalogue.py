"""What there is of PSAT-RS: its tables and figures by number.

Table 2 compares models by a translator of PHOENIX-2014-T, whose recordings are not ours to ship.
"""

from __future__ import annotations

from functools import partial

from signloom.reproduction.plan import Planner
from signloom.reproduction.psat_rs.curves import plan_figure_4a, plan_figure_4b
from signloom.reproduction.psat_rs.sheets import plan_sheet
from signloom.reproduction.psat_rs.tables import plan_table_1, plan_table_3

TABLES: dict[str, Planner] = {"1": plan_table_1, "3": plan_table_3}
COUNTRY, NORTHERN = "country", "northern"
"""Of the paper's sentences, words that training never sees."""
FIGURES: dict[str, Planner] = {
    "4a": plan_figure_4a,
    "4b": plan_figure_4b,
    "5": partial(plan_sheet, figure="5", text=COUNTRY),
    "6": partial(plan_sheet, figure="6", text=NORTHERN),
}
