"""What PHOENIX-2014 and 2014-T take out of glosses before errors are counted.

The makers score what was signed, not how it was written down: marks of place, of classifiers or of
the left hand go, spelled letters become one word, and a sign that is repeated counts once. Both
the reference and what was recognised pass through it; without it error rates cannot be compared
with published ones. The rules are those that turn the published annotations of PHOENIX-2014 into
its published references; the annotations of 2014-T have been through them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

_REGION = re.compile(r"(?<=[A-Z]{2})RAUM\b")
"""A region of the weather map; `TRAUM` is a dream."""
_PLURAL = "-PLUSPLUS"
_LETTER = re.compile(r"[A-Z]|SCH|NN")
_WORD = re.compile(r"[A-Z]+")
_GAP = ""
"""Stands where something was taken out."""


@dataclass(frozen=True, kw_only=True)
class _Rules:
    """In what the two corpora differ.

    Attributes:
        marks: What is cut off glosses.
        unsigned: Whole glosses that are taken out.
        renamed: Glosses that are written in another way.
        closes_gaps: Whether signs are repeated that have something taken out between them.
    """

    marks: re.Pattern[str]
    unsigned: re.Pattern[str]
    renamed: dict[str, str] = field(default_factory=dict)
    closes_gaps: bool


_PHOENIX14 = _Rules(
    marks=re.compile(r"loc-|cl-|qu-|poss-|lh-"),
    unsigned=re.compile(r"__(?:EMOTION|PU|LEFTHAND|EPENTHESIS)__"),
    renamed={"S0NNE": "SONNE", "HABEN2": "HABEN", "ZEIGEN": "ZEIGEN-BILDSCHIRM"},
    closes_gaps=False,
)
_PHOENIX14T = _Rules(
    marks=re.compile(r"\b(?:loc|cl)-"),
    unsigned=re.compile(r"__[^_]*__"),
    closes_gaps=True,
)


def clean_phoenix14(text: str) -> tuple[str, ...]:
    """Clean the glosses of a sentence of PHOENIX-2014.

    Args:
        text: Glosses with blanks between them. Two blanks in a row, as in the annotations of dev
            and test, tell that something was taken out there before.

    Example:
        >>> clean_phoenix14("__ON__ loc-NORD __PU__ REGEN REGEN-PLUSPLUS S Y L T")
        ('__ON__', 'NORD', 'REGEN', 'S+Y+L+T')
    """
    return _clean(text, _PHOENIX14)


def clean_phoenix14t(text: str) -> tuple[str, ...]:
    """Clean the glosses of a sentence of PHOENIX-2014-T, which knows no `__ON__` and `__OFF__`.

    Args:
        text: Glosses with blanks between them.

    Example:
        >>> clean_phoenix14t("__ON__ NORDRAUM REGEN __PU__ REGEN poss-SEIN S H")
        ('NORD', 'REGEN', 'poss-SEIN', 'S+H')
    """
    return _clean(text, _PHOENIX14T)


def _clean(text: str, rules: _Rules) -> tuple[str, ...]:
    glosses = [_bare(gloss, rules) for gloss in text.split(" ")]
    if rules.closes_gaps:
        glosses = [gloss for gloss in glosses if gloss != _GAP]
    joined = _join_letters(_join_pairs(glosses))
    short = (_REGION.sub("", gloss).replace(_PLURAL, "") for gloss in joined)
    return tuple(gloss for gloss in _merge_repeats(short) if gloss != _GAP)


def _bare(gloss: str, rules: _Rules) -> str:
    """Give a gloss without its marks; nothing where it is no sign."""
    if rules.unsigned.fullmatch(gloss):
        return _GAP
    gloss = rules.marks.sub("", gloss)
    stem = gloss.removesuffix(_PLURAL)
    return rules.renamed.get(stem, stem) + gloss[len(stem) :]


def _join_pairs(glosses: Iterable[str]) -> list[str]:
    joined: list[str] = []
    for gloss in glosses:
        if gloss == "AUSSEHEN" and joined and joined[-1] == "WIE":
            joined[-1] = "WIE-AUSSEHEN"
        else:
            joined.append(gloss)
    return joined


def _join_letters(glosses: Iterable[str]) -> list[str]:
    """Join letters that follow each other: `A B` to `A+B`."""
    joined: list[str] = []
    is_spelling = False
    for gloss in glosses:
        is_letter = _LETTER.fullmatch(gloss) is not None
        if is_letter and is_spelling:
            joined[-1] += f"+{gloss}"
        else:
            joined.append(gloss)
        is_spelling = is_letter
    return joined


def _merge_repeats(glosses: Iterable[str]) -> list[str]:
    """Leave one of equal words in a row; compounds and spelled words stay as they are."""
    merged: list[str] = []
    for gloss in glosses:
        if not (merged and gloss == merged[-1] and _WORD.fullmatch(gloss)):
            merged.append(gloss)
    return merged
