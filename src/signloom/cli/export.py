"""`signloom export`: a checkpoint in, a model package out."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from signloom.cli.extras import need_extra
from signloom.cli.outputs import answer_facts
from signloom.cli.progress import progress
from signloom.errors import ConfigError

if TYPE_CHECKING:
    from signloom.data.pair import Pair
    from signloom.data.speech.utterance import Utterance
    from signloom.export.card import Origin
    from signloom.runtime.package import Package
    from signloom.training.restore import Trained

DESCRIPTION = """
Make a model package of a checkpoint: graphs for ONNX Runtime, configuration, vocabulary, card,
checksums. It is kept only if it gives what the PyTorch model gives.
"""


def add_to(verbs: Any) -> None:
    """Add the verb to the command line."""
    parser = verbs.add_parser(
        "export", help="make a model package of a checkpoint", description=DESCRIPTION
    )
    parser.set_defaults(run=run)
    add = parser.add_argument
    add("checkpoint", type=Path, metavar="CHECKPOINT", help="last.ckpt of `signloom train`")
    add("folder", type=Path, metavar="DIR", help="where it goes; the model is named after it")
    add(
        "--figures",
        type=Path,
        metavar="FILE",
        help="JSON of `signloom evaluate`, whose figures go on the card",
    )
    add(
        "--half",
        action="store_true",
        help="round the weights to half precision: half the size, the same arithmetic",
    )
    add(
        "--tune",
        action="store_true",
        help="choose beam and length penalty of a translator, or passes of a transcriber, on its "
        "validation split",
    )
    add("--overwrite", action="store_true", help="replace a package that lies there already")
    add("--json", action="store_true", help="print JSON for machines")


def run(options: Namespace) -> int:
    """Export; return the exit code."""
    need_extra("train", "Exporting")
    from signloom.export.package import export_task, refuse_taken
    from signloom.training.restore import restore

    refuse_taken(options.folder, overwrite=options.overwrite)
    figures = _figures(options.figures)
    trained = restore(options.checkpoint)
    system = trained.recipe.system
    if options.tune and system not in ("translate", "transcribe"):
        raise ConfigError(
            "--tune is for models of the systems `translate` and `transcribe`, but "
            f"{options.checkpoint} is one of `{system}`. Leave it out."
        )
    with progress("trace and compare", None):
        package = export_task(
            trained.task,
            options.folder,
            system=system,
            origin=_origin(options, trained, figures),
            overwrite=options.overwrite,
        )
    tuned: dict[str, Any] = {}
    if options.tune and system == "translate":
        package, tuned = _tune(package, trained.task.corpus.pairs("dev"))
    elif options.tune:
        package, tuned = _tune_passes(package, trained.task.corpus.examples("dev"))
    facts = {
        "name": package.name,
        "folder": str(options.folder),
        "id": package.id,
        "megabytes": round(package.num_bytes / 1e6, 2),
    }
    answer_facts(facts | tuned, as_json=options.json)
    return 0


def _figures(path: Path | None) -> dict[str, Any] | None:
    from signloom.export.card import read_figures

    return read_figures(path) if path else None


def _origin(options: Namespace, trained: Trained, figures: dict[str, Any] | None) -> Origin:
    from signloom.export.card import Origin

    return Origin(
        recipe=trained.recipe.name,
        step=trained.step,
        init=trained.recipe.training.init,
        figures=figures,
        half=options.half,
        tune=options.tune,
    )


def _tune(package: Package, pairs: Sequence[Pair]) -> tuple[Package, dict[str, Any]]:
    """Give the package with the search that is best on pairs, and facts about that."""
    from signloom.evaluation.translators import TranslatorRow
    from signloom.evaluation.tuning import grid, set_search, tune

    with progress("tune", len(grid()) * len(pairs)) as done:
        tuned = tune(TranslatorRow(packages=(package,)), pairs, done=done)
    facts = {
        "beam": tuned.beam,
        "length_penalty": tuned.length_penalty,
        tuned.measure: round(tuned.score, 2),
    }
    return set_search(package, tuned), facts


def _tune_passes(
    package: Package, utterances: Sequence[Utterance]
) -> tuple[Package, dict[str, Any]]:
    """Give the package with the passes that are best on utterances, and facts about that."""
    from signloom.evaluation.passes import PASSES, set_passes, tune_passes

    with progress("tune", len(PASSES) * len(utterances)) as done:
        tuned = tune_passes(package, utterances, done=done)
    facts = {"iterations": tuned.iterations, "error": round(tuned.error, 2)}
    return set_passes(package, tuned), facts
