"""NAT-UBD to model package: encoder and decoder, each proved equal to torch before it is kept.

The autoregressive baseline is for comparison only and is not exported.
"""

from __future__ import annotations

from pathlib import Path

from signloom.core.subsampling import STRIDE
from signloom.export.transcribe_graphs import transcribe_graphs
from signloom.export.transcribe_parity import check_parity
from signloom.runtime.package import Package, write_package
from signloom.runtime.transcribe_settings import MAX_PASSAGE_S, MIN_PASSAGE_S, TranscribeSettings
from signloom.systems.transcribe.task import TranscribeTask


def export_transcribe(
    task: TranscribeTask, folder: Path, *, name: str, card: str, overwrite: bool = False
) -> Package:
    """Write a transcriber as a model package.

    Args:
        task: The trained task.
        folder: Where the package goes.
        name: Name of the package, `<system>-<corpus>[-<language>]-v<N>`.
        card: What `card.md` shall hold.
        overwrite: Replace a package that lies there already.

    Raises:
        ConfigError: Its decoder is autoregressive.
        PackageError: The graphs do not give what the model gives, or the folder is taken.
    """
    model = task.model.cpu().eval()
    graphs = transcribe_graphs(model)
    check_parity(model, graphs)
    return write_package(
        folder,
        graphs=graphs,
        config=settings_of(task, name).to_dict(),
        vocabulary={"tokens": list(task.corpus.vocabulary.tokens)},
        card=card,
        overwrite=overwrite,
    )


def settings_of(task: TranscribeTask, name: str) -> TranscribeSettings:
    """Say what running the model needs to know."""
    corpus, config, acoustics = task.corpus, task.model.config, task.listener.acoustics
    return TranscribeSettings(
        name=name,
        spoken_language=corpus.spoken_language,
        unit=corpus.unit,
        rate=acoustics.rate,
        num_mels=acoustics.num_mels,
        pitch=acoustics.pitch,
        stride=STRIDE,
        num_layers=config.decoder_layers,
        num_heads=config.num_heads,
        head_dim=config.dim // config.num_heads,
        readers=len(config.sights),
        max_s=min(MAX_PASSAGE_S, max(MIN_PASSAGE_S, corpus.max_s)),
    )
