"""Asks for an optional dependency before a verb starts, instead of failing in the middle of it."""

from __future__ import annotations

from importlib.util import find_spec

from signloom.errors import MissingExtraError

MODULES = {
    "train": ("torch", "lightning", "pydantic", "yaml", "onnx"),
    "data": ("pyarrow", "spoken_to_signed", "simplemma"),
    "eval": ("matplotlib", "sacrebleu"),
}


def need_extra(extra: str, purpose: str) -> None:
    """Check that an extra is installed.

    Args:
        extra: Its name.
        purpose: What it is needed for, as a noun.

    Raises:
        MissingExtraError: A module of it is missing.
    """
    if any(find_spec(module) is None for module in MODULES[extra]):
        raise MissingExtraError(extra, purpose)
