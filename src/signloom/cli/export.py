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
    from signloom.data.captions.corpus import CaptionCorpus
    from signloom.data.pair import Pair
    from signloom.data.speech.utterance import Utterance
    from signloom.evaluation.tuning import Tuned
    from signloom.export.card import Origin
    from signloom.runtime.package import Package
    from signloom.training.restore import Trained

TUNED = ("translate", "caption", "transcribe")
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
    add(
        "folder",
        type=Path,
        metavar="DIR|NAME.zip",
        help="where it goes, a folder or one file for `signloom models install`; names the model",
    )
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
        help="choose beam and length penalty of a translator or a captioner, or passes of a "
        "transcriber, on its validation split",
    )
    add("--overwrite", action="store_true", help="replace a package that lies there already")
    add("--json", action="store_true", help="print JSON for machines")


def run(options: Namespace) -> int:
    """Export; return the exit code."""
    need_extra("train", "Exporting")
    from tempfile import TemporaryDirectory

    from signloom.export.package import refuse_archive, refuse_name, refuse_taken
    from signloom.runtime.archive import SUFFIX, pack
    from signloom.training.restore import restore

    is_archive = options.folder.suffix.lower() == SUFFIX
    if is_archive:
        refuse_archive(options.folder, overwrite=options.overwrite)
    else:
        refuse_taken(options.folder, overwrite=options.overwrite)
    refuse_name(options.folder.stem if is_archive else options.folder.name)
    figures = _figures(options.figures)
    trained = restore(options.checkpoint)
    if options.tune and trained.recipe.system not in TUNED:
        raise ConfigError(
            f"--tune is for models of the systems {', '.join(TUNED)}, but {options.checkpoint} is "
            f"one of {trained.recipe.system}. Leave it out."
        )
    origin = _origin(options, trained, figures)
    if not is_archive:
        package, tuned = _export(trained, options.folder, origin, overwrite=options.overwrite)
        _tell(package, options.folder, tuned, as_json=options.json)
        return 0
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / options.folder.stem
        package, tuned = _export(trained, folder, origin, overwrite=False)
        pack(package, options.folder)
    _tell(package, options.folder, tuned, as_json=options.json)
    return 0


def _export(
    trained: Trained, folder: Path, origin: Origin, *, overwrite: bool
) -> tuple[Package, dict[str, Any]]:
    """Write the package, tuned if that is asked for; give it and facts about the tuning."""
    from signloom.export.package import export_task

    task, system = trained.task, trained.recipe.system
    with progress("trace and compare", None):
        package = export_task(task, folder, system=system, origin=origin, overwrite=overwrite)
    if not origin.tune:
        return package, {}
    if system == "translate":
        return _tune(package, task.corpus.pairs("dev"))
    if system == "caption":
        return _tune_captions(package, task.corpus)
    return _tune_passes(package, task.corpus.examples("dev"))


def _tell(package: Package, place: Path, tuned: dict[str, Any], *, as_json: bool) -> None:
    facts = {
        "name": package.name,
        "folder": str(place),
        "id": package.id,
        "megabytes": round(package.num_bytes / 1e6, 2),
    }
    answer_facts(facts | tuned, as_json=as_json)


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
    return set_search(package, tuned), _facts(tuned)


def _tune_captions(package: Package, corpus: CaptionCorpus) -> tuple[Package, dict[str, Any]]:
    """Give the package with the search that is best on pictures, and facts about that."""
    from signloom.evaluation.caption_tuning import BEAMS, LENGTH_PENALTIES, tune_captions
    from signloom.evaluation.tuning import grid, set_search

    places = len(grid(BEAMS, LENGTH_PENALTIES))
    with progress("tune", places * len(corpus.examples("dev"))) as done:
        tuned = tune_captions(package, corpus, done=done)
    return set_search(package, tuned), _facts(tuned)


def _facts(tuned: Tuned) -> dict[str, Any]:
    return {
        "beam": tuned.beam,
        "length_penalty": tuned.length_penalty,
        tuned.measure: round(tuned.score, 2),
    }


def _tune_passes(
    package: Package, utterances: Sequence[Utterance]
) -> tuple[Package, dict[str, Any]]:
    """Give the package with the passes that are best on utterances, and facts about that."""
    from signloom.evaluation.passes import PASSES, set_passes, tune_passes

    with progress("tune", len(PASSES) * len(utterances)) as done:
        tuned = tune_passes(package, utterances, done=done)
    facts = {"iterations": tuned.iterations, "error": round(tuned.error, 2)}
    return set_passes(package, tuned), facts
