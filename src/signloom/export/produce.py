"""Production model to model package, proved equal to PyTorch before it is kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from signloom.data.corpora.pacing import RAISE_FRAMES
from signloom.decoders.adapter import stepper_of
from signloom.errors import PackageError
from signloom.export.graphs import decoder_graphs, encoder_graph
from signloom.runtime.package import Package, write_package
from signloom.runtime.sessions import open_session
from signloom.runtime.settings import ProduceSettings
from signloom.search.blocks import decode, forced_pass
from signloom.systems.produce.task import ProduceTask

PARITY_LENGTHS = (1, 7, 8, 113)
TOLERANCE = 1e-4


def export_produce(
    task: ProduceTask, folder: Path, *, name: str, card: str, overwrite: bool = False
) -> Package:
    """Write a production model as a package.

    Args:
        task: The trained task.
        folder: Where the package goes.
        name: Name of the package, `<system>-<corpus>[-<language>]-v<N>`.
        card: What `card.md` shall hold.
        overwrite: Replace a package that lies there already.

    Raises:
        PackageError: The graphs do not give what the model gives, or the folder is taken.
    """
    model = task.model.cpu().eval()
    package = Package(
        path=folder,
        id="",
        config=settings_of(task, name).to_dict(),
        vocabulary=task.corpus.vocabulary.tokens,
        card=card,
        graphs={"encoder": encoder_graph(model)} | decoder_graphs(model),
    )
    check_parity(task, package)
    return write_package(
        folder,
        graphs=package.graphs,
        config=package.config,
        vocabulary={"tokens": list(package.vocabulary)},
        card=card,
        overwrite=overwrite,
    )


def settings_of(task: ProduceTask, name: str) -> ProduceSettings:
    """Say what running the model needs to know."""
    model, corpus = task.model, task.corpus
    schedule = model.decoder.schedule
    return ProduceSettings(
        name=name,
        kind=corpus.kind,
        unit=corpus.unit,
        language=corpus.language,
        spoken_language=corpus.spoken_language,
        fps=corpus.fps,
        max_frames=model.config.max_frames,
        max_tokens=corpus.max_tokens,
        edge_frames=RAISE_FRAMES if corpus.unit == "letters" else 0,
        levels=schedule.levels,
        schedule=schedule.kind,
        shift=schedule.shift,
        block=schedule.block,
        counter=model.config.counter,
        velocity_span=model.decoder.embedding.velocity_span,
        num_layers=len(schedule.levels),
        num_heads=model.config.num_heads,
        head_dim=model.config.dim // model.config.num_heads,
        features=task.standardiser.to_dict(),
        length=model.config.length,
    )


def check_parity(task: ProduceTask, package: Package) -> float:
    """Compare the package with PyTorch, and its decoding with its own teacher-forced pass.

    PyTorch decodes; the package must give the same frames from the same inputs. Two decodings of
    their own are not compared: each feeds on its own rounding.

    Returns:
        The largest difference, in standard deviations of the data.

    Raises:
        PackageError: It exceeds 1e-4.
    """
    session, stepper = open_session(package), stepper_of(task.model)
    most = len(package.vocabulary) - 1
    tokens = np.minimum(np.array([[3, 4, 1, 5], [4, 3, 0, 0]], dtype=np.int64), most)
    worst = 0.0
    for length in PARITY_LENGTHS:
        lengths = np.array([length, max(1, length - 3)], dtype=np.int64)
        for decoded in (decode(stepper, tokens, lengths), decode(session, tokens, lengths)):
            apart = np.abs(forced_pass(session, tokens, lengths, frames=decoded) - decoded)
            worst = max(
                worst, *(float(row[:own].max()) for row, own in zip(apart, lengths, strict=True))
            )
    if not worst <= TOLERANCE:
        raise PackageError(
            f"The exported model must equal the trained one within {TOLERANCE}, but differs by "
            f"{worst:.2g}. Export with the pinned torch release."
        )
    return worst
