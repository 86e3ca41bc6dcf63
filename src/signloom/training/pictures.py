"""A picture of reference against prediction at every validation."""

from __future__ import annotations

from pathlib import Path

import lightning


class Pictures(lightning.Callback):
    """Placeholder until rendering lands."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "pictures"
