"""The functions that most programs need; the models stay loaded between calls."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from signloom.features.footage import Picture
from signloom.features.keypoints import KeypointEstimator
from signloom.pipelines.caption import Captioner
from signloom.pipelines.captioning import Caption
from signloom.pipelines.extraction import Camera, pose_of
from signloom.pipelines.produce import Producer, model_name
from signloom.pipelines.recognition import Recognition
from signloom.pipelines.recognition_input import Source as Signing
from signloom.pipelines.recognize import Recognizer, recognizer_name
from signloom.pipelines.script import Script
from signloom.pipelines.transcribe import Transcriber
from signloom.pipelines.transcription import Transcription
from signloom.pipelines.transcription_input import Source as Sounding
from signloom.pipelines.translate import Search, Translator
from signloom.pipelines.translation import Translation
from signloom.pipelines.translation_input import Source
from signloom.poses.pose import Pose
from signloom.runtime.registry import (
    DEFAULT_TRANSCRIBE_MODEL,
    DEFAULT_TRANSLATE_MODEL,
    bundled_folder,
    find_package,
    only_package,
)


def produce(
    text: str,
    model: str | Path | None = None,
    *,
    language: str | None = None,
    strict: bool = False,
) -> Pose:
    """Produce a text; `Producer` gives the letters' times and the notes as well.

    What the alphabet does not have is left out and named in a warning.

    Args:
        text: Any text of at most 20,000 characters.
        model: Name or folder of a model package; the default fingerspells in American Sign
            Language, without face, mouth or grammar.
        language: ISO 639-3 code of the sign language, in place of a model's name.
        strict: Refuse a text of which something would be left out.

    Raises:
        TextError: The text is no string, empty or too long, nothing of it can be spelled, or
            `strict` does not hold.
        PackageError: The model is unknown or damaged.
    """
    producer = _producer(_key(model_name(model, language)), language)
    return producer.produce(_read(producer, text, strict=strict)).pose


def stream(
    text: str,
    model: str | Path | None = None,
    *,
    language: str | None = None,
    strict: bool = False,
) -> Iterator[Pose]:
    """Give the frames of `produce` as they are decoded, exactly the same ones.

    The text and the model are checked at once; `produce` says what the arguments mean.

    Raises:
        TextError: As `produce`.
        PackageError: As `produce`.
    """
    producer = _producer(_key(model_name(model, language)), language)
    return producer.stream(_read(producer, text, strict=strict))


def translate(
    source: Source,
    model: str | Path | Sequence[str | Path] | None = None,
    *,
    language: str | None = None,
    samples: int = 0,
    seed: int = 0,
    beam: int | None = None,
    length_penalty: float | None = None,
    best: int = 1,
) -> Translation:
    """Translate signing to text; `Translator` does it for many sources at once.

    Glosses that the model does not know are read as unknown ones and named in a warning.

    Args:
        source: A pose; features [frames, features]; glosses, as a text or a list; a file of one
            of them, as a path; a video, a folder of its frames or a camera. A text is a path where
            the model does not read glosses.
        model: Name or folder of a model package, or several for an ensemble; the default reads
            fingerspelling, letter by letter: no signs, no grammar.
        language: ISO 639-3 code of the sign language; by default the model's own, and of several
            American.
        samples: Posterior samples whose predictions are averaged; 0 takes the means.
        seed: Decides the samples.
        beam: Hypotheses kept a step; by default what the model was tuned to.
        length_penalty: Exponent of the length; by default what the model was tuned to.
        best: Texts wanted, at most `beam`.

    Raises:
        PackageError: A model is unknown or damaged.
        ConfigError: The model reads something else or another language, or an option is out of
            range.
        FormatError: The pose, the features or the file do not hold, or are too long.
        TextError: There is no gloss, too many, or none that the model knows.
    """
    models = [model] if isinstance(model, str | Path) else list(model or ())
    keys = tuple(map(_key, models or [DEFAULT_TRANSLATE_MODEL]))
    search = Search(beam=beam, length_penalty=length_penalty, best=best)
    found = _translator(keys, language, samples, seed).translate(source, search=search)
    for warning in found.warnings:
        warnings.warn(warning, stacklevel=2)
    if found.unknown:
        warnings.warn(f"not known to the model: {', '.join(found.unknown)}", stacklevel=2)
    return found


def recognize(
    source: Signing,
    model: str | Path | None = None,
    *,
    language: str | None = None,
    beam: int | None = None,
    language_model_weight: float | None = None,
    best: int = 1,
) -> Recognition:
    """Recognise signing: letters or glosses, when each is signed and how sure that is.

    `Recognizer` does it for many recordings at once. What is wrong with a recording is a warning.

    Args:
        source: A pose, a file of one, a video, a folder of its frames, or a camera.
        model: Name or folder of a model package; the default reads fingerspelling, letter by
            letter: no signs, no grammar.
        language: ISO 639-3 code of the sign language; by default the model's own, and of several
            American.
        beam: Beginnings kept a step; by default what the model was tuned to.
        language_model_weight: What the model's n-grams count; by default likewise.
        best: Readings wanted, at most `beam`.

    Raises:
        PackageError: The model is unknown or damaged.
        ConfigError: The model reads something else or another language, or an option is out of
            range.
        FormatError: The pose or the film does not hold, or is too long.
        MissingExtraError: It is a film, and MediaPipe is not installed.
    """
    key = _key(recognizer_name(model, language))
    found = _recognizer(key, language, beam, language_model_weight).recognize(source, best=best)
    for warning in found.warnings:
        warnings.warn(warning, stacklevel=2)
    return found


def transcribe(
    source: Sounding,
    model: str | Path | None = None,
    *,
    iterations: int | None = None,
) -> Transcription:
    """Transcribe speech: what is said, when each token is and how sure that is.

    `Transcriber` does it for many recordings at once. What is wrong with a recording, and that
    nothing is heard, is a warning.

    Args:
        source: A file of sound, a film, a microphone, or a `Sound` in memory.
        model: Name or folder of a model package; the default knows the ten English digit words,
            and nothing else.
        iterations: Passes that refine what is heard, at most; by default what the package says.

    Raises:
        PackageError: The model is unknown or damaged.
        ConfigError: `iterations` is out of range.
        FormatError: It is no sound, cannot be read, or does not hold.
    """
    key = _key(DEFAULT_TRANSCRIBE_MODEL if model is None else model)
    found = _transcriber(key, iterations).transcribe(source)
    for warning in found.warnings:
        warnings.warn(warning, stacklevel=2)
    return found


def caption(
    source: str | Path | Picture, model: str | Path | None = None, *, beam: int | None = None
) -> Caption:
    """Caption a picture: what it shows in a sentence, and how sure that is.

    `Captioner` does it for many pictures at once. What is wrong with a picture is a warning.

    Args:
        source: A file, or pixels uint8 [height, width, 3] in red, green and blue.
        model: Name or folder of a model package; by default the only captioner that is installed.
            None comes with signloom.
        beam: Captions kept a step; by default what the package says.

    Raises:
        PackageError: The model is unknown or damaged, or there is none.
        ConfigError: `beam` is out of range.
        FormatError: It is no picture, cut short, too small or too large.
    """
    captioner = _captioner(_key(only_package("caption") if model is None else model), beam)
    opened = captioner.open(Path(source) if isinstance(source, str) else source)
    [found] = captioner.caption([opened])
    for warning in found.warnings:
        warnings.warn(warning, stacklevel=2)
    return found


def extract(
    source: str | Path | Camera,
    *,
    fps: float | None = None,
    estimator: KeypointEstimator | None = None,
) -> Pose:
    """Find a signer's joints in every frame of a film; those not seen have a confidence of 0.

    What is wrong with the film, and that nobody is seen, is a warning.

    Args:
        source: A video, a folder of pictures, or a camera.
        fps: Frames per second of the pose; by default the film's own.
        estimator: What finds the joints; MediaPipe Holistic by default.

    Raises:
        FormatError: The film cannot be read, has no frame, or is too large.
        ConfigError: The frame rate is out of range.
        MissingExtraError: MediaPipe is needed and not installed.
    """
    place = Path(source) if isinstance(source, str) else source
    extraction = pose_of(place, fps=fps, estimator=estimator)
    for warning in extraction.warnings:
        warnings.warn(warning, stacklevel=2)
    return extraction.pose


def _read(producer: Producer, text: str, *, strict: bool) -> Script:
    """Read a text, and warn whoever called the public function of what is left out."""
    script = producer.read(text, strict=strict)
    if script.left_out:
        named = ", ".join(script.left_out)
        where = "in the alphabet" if producer.alphabet else "known to the model"
        warnings.warn(f"left out, not {where}: {named}", stacklevel=3)
    return script


def _key(model: str | Path) -> str | Path:
    """Name a model so that the same name always means the same package, wherever we are."""
    folder = find_package(model).resolve()
    return folder.name if folder.parent == bundled_folder() else folder


@lru_cache(maxsize=4)
def _producer(model: str | Path, language: str | None) -> Producer:
    return Producer(model, language=language)


@lru_cache(maxsize=4)
def _translator(
    models: tuple[str | Path, ...], language: str | None, samples: int, seed: int
) -> Translator:
    return Translator(models, language=language, samples=samples, seed=seed)


@lru_cache(maxsize=4)
def _recognizer(
    model: str | Path, language: str | None, beam: int | None, weight: float | None
) -> Recognizer:
    return Recognizer(model, language=language, beam=beam, language_model_weight=weight)


@lru_cache(maxsize=4)
def _transcriber(model: str | Path, iterations: int | None) -> Transcriber:
    return Transcriber(model, iterations=iterations)


@lru_cache(maxsize=4)
def _captioner(model: str | Path, beam: int | None) -> Captioner:
    return Captioner(model, beam=beam)
