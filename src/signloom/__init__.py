"""Text in, signing out; signing in, text or glosses out; speech or pictures in, text out.

    import signloom

    pose = signloom.produce("hello")        # a Pose: frames [frames, joints, 3], 25 a second
    pose.save("hello.pose")
    for block in signloom.stream("hello"):  # the same frames as they are decoded
        ...
    signloom.translate(pose).text           # and back: the letters that are read
    signloom.recognize(pose).spans          # likewise, and when each is signed
    signloom.recognize("signing.mp4")       # a film works as well: `extract` finds the pose in it
    signloom.transcribe("digits.wav").text  # what is said, to be spelled
    signloom.caption("dog.jpg").text        # what is shown, once a captioner is installed

The default models *fingerspell*: they know no face, no mouth and no grammar; the one that hears
knows the ten English digits and nothing else. Names are imported when they are first used, so that
`import signloom` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from signloom.errors import SignloomError, UserError
    from signloom.pipelines.adapting import adapt
    from signloom.pipelines.api import (
        caption,
        extract,
        produce,
        recognize,
        stream,
        transcribe,
        translate,
    )
    from signloom.pipelines.caption import Captioner
    from signloom.pipelines.produce import Producer
    from signloom.pipelines.recognize import Recognizer
    from signloom.pipelines.transcribe import Transcriber
    from signloom.pipelines.transcription import Transcription
    from signloom.pipelines.translate import Translator
    from signloom.pipelines.translation import Translation
    from signloom.poses.pose import Pose
    from signloom.poses.skeleton import UPPER_BODY_50

    __version__: str

__all__ = [
    "UPPER_BODY_50",
    "Captioner",
    "Pose",
    "Producer",
    "Recognizer",
    "SignloomError",
    "Transcriber",
    "Transcription",
    "Translation",
    "Translator",
    "UserError",
    "__version__",
    "adapt",
    "caption",
    "extract",
    "produce",
    "recognize",
    "stream",
    "transcribe",
    "translate",
]

_HOMES = {
    "UPPER_BODY_50": "poses.skeleton",
    "Captioner": "pipelines.caption",
    "Pose": "poses.pose",
    "Producer": "pipelines.produce",
    "Recognizer": "pipelines.recognize",
    "SignloomError": "errors",
    "Transcriber": "pipelines.transcribe",
    "Transcription": "pipelines.transcription",
    "Translation": "pipelines.translation",
    "Translator": "pipelines.translate",
    "UserError": "errors",
    "adapt": "pipelines.adapting",
    "caption": "pipelines.api",
    "extract": "pipelines.api",
    "produce": "pipelines.api",
    "recognize": "pipelines.api",
    "stream": "pipelines.api",
    "transcribe": "pipelines.api",
    "translate": "pipelines.api",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        value: Any = _find_version()
    elif name in _HOMES:
        value = getattr(import_module(f"signloom.{_HOMES[name]}"), name)
    else:
        raise AttributeError(f"module 'signloom' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _find_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("signloom")
    except PackageNotFoundError:
        return "0+unknown"
