"""METEOR and SPICE of captions, Java programs that pycocoevalcap brings.

Neither Java nor pycocoevalcap (100 MB, METEOR under the LGPL) is asked for: where one is not there
these measures are not available, which is not 0. SPICE also wants the models of Stanford CoreNLP,
hundreds of megabytes that pycocoevalcap would fetch over plain HTTP when first asked, so it is only
run where they are: `python -m pycocoevalcap.spice.get_stanford_models` fetches them.
"""

from __future__ import annotations

import logging
import shutil
import subprocess
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from signloom.metrics.cider import Tokens

_log = logging.getLogger(__name__)
_MODELS = ("stanford-corenlp-3.6.0.jar", "stanford-corenlp-3.6.0-models.jar")


def java_measures(
    hypotheses: Sequence[Tokens], references: Sequence[Sequence[Tokens]]
) -> dict[str, float | None]:
    """Give `meteor` and `spice`, 0 to 1; None where one is not available.

    Args:
        hypotheses: One caption for each picture.
        references: What people say of each.
    """
    there = shutil.which("java") is not None and find_spec("pycocoevalcap") is not None
    found = {place: [" ".join(one)] for place, one in enumerate(hypotheses)}
    wanted = {place: [" ".join(one) for one in each] for place, each in enumerate(references)}
    return {
        "meteor": _measure("Meteor", wanted, found) if there and found else None,
        "spice": _measure("Spice", wanted, found) if there and found and _has_models() else None,
    }


def _has_models() -> bool:
    package = find_spec("pycocoevalcap.spice")
    folders = (package.submodule_search_locations or ()) if package else ()
    return any(
        all((Path(folder) / "lib" / name).is_file() for name in _MODELS) for folder in folders
    )


def _measure(name: str, wanted: dict[int, list[str]], found: dict[int, list[str]]) -> float | None:
    """Let one of pycocoevalcap's measures score all captions."""
    try:
        measure = getattr(import_module(f"pycocoevalcap.{name.lower()}.{name.lower()}"), name)()
        return float(measure.compute_score(wanted, found)[0])
    except (ImportError, AttributeError, OSError, ValueError, subprocess.SubprocessError) as error:
        _log.warning(f"{name.upper()} is not available, as its Java program fails: {error}.")
        return None
