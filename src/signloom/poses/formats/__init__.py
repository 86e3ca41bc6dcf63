"""File formats of poses: the suffix says which module reads or writes.

Modules are imported when their suffix is first met, so that starting a command that writes
`.pose` pays for nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from signloom.errors import ConfigError, FormatError
from signloom.poses.captions import Caption
from signloom.poses.formats.atomic import check_writable, replacing
from signloom.poses.skeleton import UPPER_BODY_50

if TYPE_CHECKING:
    from signloom.poses.pose import Pose

READERS = {
    ".pose": "signloom.poses.formats.pose_file",
    ".json": "signloom.poses.formats.json_file",
    ".skels": "signloom.poses.formats.skels_file",
    ".pt": "signloom.poses.formats.slrtp_file",
}
DRAWERS = {
    ".mp4": "signloom.poses.render.video",
    ".gif": "signloom.poses.render.animation",
    ".png": "signloom.poses.render.sheet",
    ".svg": "signloom.poses.render.drawing",
}
WRITERS = READERS | DRAWERS


def read(path: Path) -> Pose:
    """Read a pose from a file.

    Raises:
        FormatError: The suffix is unknown, or the file is missing or not what it promises.
    """
    pose: Pose = _reader(path).read(path)
    return pose


def read_captioned(path: Path) -> tuple[Pose, tuple[Caption, ...]]:
    """Read a pose and what is signed when, which only `.json` tells.

    Raises:
        FormatError: The suffix is unknown, or the file is missing or not what it promises.
    """
    module = _reader(path)
    if not hasattr(module, "read_captioned"):
        return module.read(path), ()
    pose, captions = module.read_captioned(path)
    return pose, captions


def write(
    pose: Pose, path: Path, *, captions: Sequence[Caption] = (), layout: str | None = None
) -> None:
    """Write a pose to a file that appears whole or not at all.

    Args:
        pose: What to write.
        path: Where to; its suffix says how.
        captions: What is signed when, in order. Drawn by `.mp4`, `.gif`, `.png` and `.svg`; the
            others have no place for it.
        layout: For `.pose`, whose points to write: `mediapipe`, the default, or `openpose`.

    Raises:
        FormatError: The suffix is unknown, the place cannot be written to, or the format cannot
            hold the pose.
        ConfigError: The layout is unknown, or the format has none.
    """
    check_output(path)
    suffix = path.suffix.lower()
    check_layout(layout, suffix=suffix)
    if pose.skeleton != UPPER_BODY_50:
        raise FormatError(
            f"Poses of {UPPER_BODY_50.name} can be written, but this one is of "
            f"{pose.skeleton.name}. Map its joints first."
        )
    module = import_module(WRITERS[suffix])
    with replacing(path) as temporary:
        if suffix in DRAWERS:
            module.write(pose, temporary, captions=captions)
        elif layout is not None:
            module.write(pose, temporary, layout=layout)
        else:
            module.write(pose, temporary)


def check_layout(layout: str | None, *, suffix: str) -> None:
    """Refuse a layout that is unknown or that a format has no use for.

    Raises:
        ConfigError: It does not hold.
    """
    if layout is None:
        return
    if suffix != ".pose":
        raise ConfigError(f"A layout goes with .pose files, but the output is {suffix}. Drop it.")
    from signloom.poses.formats.pose_points import LAYOUTS

    if layout not in LAYOUTS:
        raise ConfigError(
            f"The layout must be one of {', '.join(LAYOUTS)}, but is {layout[:40]!r}."
        )


def check_output(path: Path) -> None:
    """Refuse, before any work is done, a path that `write` would refuse.

    Raises:
        FormatError: The suffix is unknown or the place cannot be written to.
    """
    _module_name(path, WRITERS, verb="write")
    check_writable(path)


def check_input(path: Path) -> None:
    """Refuse, before any work is done, a path that cannot be a pose's.

    Raises:
        FormatError: The suffix is unknown, or there is no such file.
    """
    _module_name(path, READERS, verb="read")
    try:
        is_file = path.is_file()
    except OSError as error:  # a name too long
        raise FormatError(f"{str(path)[:80]!r} cannot be read: {error.strerror}.") from error
    if not is_file:
        found = "is a folder" if path.is_dir() else "does not exist"
        raise FormatError(f"A pose is read from a file, but {path} {found}.")


def _reader(path: Path) -> ModuleType:
    check_input(path)
    return import_module(READERS[path.suffix.lower()])


def _module_name(path: Path, modules: dict[str, str], *, verb: str) -> str:
    suffix = path.suffix.lower()
    if suffix not in modules:
        found = f"`{suffix}`" if suffix else "no suffix"
        raise FormatError(
            f"To {verb} a pose its file must end in one of {' '.join(modules)}, "
            f"but {path} has {found}."
        )
    return modules[suffix]
