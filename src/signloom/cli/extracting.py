"""The work of `signloom extract`: film after film, and what is said about each."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from signloom.cli.films import plan
from signloom.cli.outputs import SOME_REFUSED, answer, answer_json, note, shown
from signloom.cli.progress import progress
from signloom.cli.sequences import Conversion, Work
from signloom.errors import ConfigError, FormatError, UserError
from signloom.features.keypoints import KeypointEstimator
from signloom.pipelines.extraction import Camera, Source, open_footage, pose_of
from signloom.poses import formats
from signloom.poses.pose import MAX_FPS, MIN_FPS, Pose
from signloom.poses.skeleton import LEFT_HAND, LEFT_SHOULDER, RIGHT_HAND, RIGHT_SHOULDER

Advance = Callable[[int], None]


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is asked for.

    Attributes:
        output: A file or a folder.
        suffix: Format of the files in a folder; None for `.pose`.
        fps: Frames per second of the poses; None for those of the films.
        keypoints: ONNX model that finds the joints; None for MediaPipe.
        threads: Threads of that model.
        layout: Points of the `.pose` files; None for the default.
        overwrite: Replace outputs that are there.
    """

    output: Path
    suffix: str | None = None
    fps: float | None = None
    keypoints: Path | None = None
    threads: int = 1
    layout: str | None = None
    overwrite: bool = False


@dataclass
class Summary:
    """What has come of the films so far."""

    extracted: list[dict[str, Any]] = field(default_factory=list)
    skipped: list[dict[str, Any]] = field(default_factory=list)
    refused: list[dict[str, Any]] = field(default_factory=list)

    def refuse(self, source: Source, error: UserError) -> None:
        """Name a film that cannot be read, and go on."""
        self.refused.append({"input": str(source), "reason": str(error)})
        named = "" if str(source) in str(error) else f"{source}: "
        note(f"refused: {shown(f'{named}{error}')}")


def run_extract(sources: list[Source], wanted: Wanted, *, as_json: bool) -> int:
    """Extract the pose of every film that has none yet.

    Returns:
        The exit code: 0, or 3 when some of several films were refused.

    Raises:
        UserError: An option, the only film, the model or the output does not hold.
    """
    if wanted.fps is not None and not MIN_FPS <= wanted.fps <= MAX_FPS:
        raise ConfigError(f"--fps must be from {MIN_FPS:g} to {MAX_FPS:g}, but is {wanted.fps:g}.")
    outputs, is_many = plan(sources, wanted.output, suffix=wanted.suffix)
    for output in outputs.values():
        formats.check_layout(wanted.layout, suffix=output.suffix.lower())
    if is_many:
        return _run_many(outputs, wanted, as_json=as_json)
    [(source, output)] = outputs.items()
    _run_one(source, output, wanted, as_json=as_json)
    return 0


def _run_one(source: Source, output: Path, wanted: Wanted, *, as_json: bool) -> None:
    if output.exists() and not wanted.overwrite:
        raise FormatError(f"{output} exists already. Replace it with --overwrite.")
    if isinstance(source, Path) and output.exists() and output.samefile(source):
        raise FormatError(f"OUT must be another file than IN, but both are {source}.")
    total = None
    if not isinstance(source, Camera):
        total = open_footage(source, fps=wanted.fps).num_frames
    estimator = _estimator(wanted)
    output.parent.mkdir(parents=True, exist_ok=True)
    with progress(f"extract {getattr(source, 'name', source)}", total) as advance:
        done = _extract(source, output, wanted, estimator=estimator, advance=advance)
    if as_json:
        answer_json(done)
        return
    shares = {part.replace("_", " "): f"{share:.0%}" for part, share in done["seen"].items()}
    seen = ", ".join(f"{part} {share}" for part, share in shares.items())
    note(
        f"{done['num_frames']} frames at {done['fps']:.4g} fps, {done['ms_per_frame']:.0f} ms a "
        f"frame; seen in: {seen}"
    )
    answer(done["output"])


def _run_many(outputs: dict[Source, Path], wanted: Wanted, *, as_json: bool) -> int:
    summary = Summary()
    estimator: KeypointEstimator | None = None
    with progress("extract", len(outputs)) as advance:
        for source, output in outputs.items():
            if output.is_file() and not wanted.overwrite:
                summary.skipped.append({"input": str(source), "output": str(output)})
            else:
                estimator = estimator or _estimator(wanted)
                try:
                    output.parent.mkdir(parents=True, exist_ok=True)
                    done = _extract(source, output, wanted, estimator=estimator)
                    summary.extracted.append(done)
                except UserError as error:
                    summary.refuse(source, error)
            advance(1)
    note(
        f"{len(summary.extracted)} extracted, {len(summary.skipped)} there already, "
        f"{len(summary.refused)} refused"
    )
    if as_json:
        answer_json(vars(summary))
    else:
        for item in summary.extracted:
            answer(item["output"])
    return SOME_REFUSED if summary.refused else 0


def _estimator(wanted: Wanted) -> KeypointEstimator:
    if wanted.keypoints is not None:
        from signloom.runtime.keypoint_session import WholeBody

        return WholeBody(wanted.keypoints, threads=wanted.threads)
    from signloom.features.mediapipe import MediaPipe

    return MediaPipe()


def _extract(
    source: Source,
    output: Path,
    wanted: Wanted,
    *,
    estimator: KeypointEstimator,
    advance: Advance | None = None,
) -> dict[str, Any]:
    """Extract one pose, write it, warn, and report."""
    start = time.perf_counter()
    extraction = pose_of(source, fps=wanted.fps, estimator=estimator, advance=advance)
    took_s = time.perf_counter() - start
    work = Work(Conversion(), output.suffix.lower())
    pose = work.fitted(extraction.pose, name=str(source))
    formats.write(pose, output, layout=wanted.layout)
    for line in work.notes:
        note(f"note: {shown(line)}")
    for line in extraction.warnings:
        note(f"warning: {shown(line)}")
    return {
        "input": str(source),
        "output": str(output),
        "num_frames": extraction.pose.num_frames,
        "fps": extraction.pose.fps,
        "duration_s": extraction.pose.duration_s,
        "is_empty": extraction.is_empty,
        "seen": _seen(extraction.pose),
        "took_s": took_s,
        "ms_per_frame": 1000 * took_s / extraction.pose.num_frames,
        "warnings": list(extraction.warnings),
    }


def _seen(pose: Pose) -> dict[str, float]:
    """Give the share of frames in which each part of the signer is seen."""
    seen = pose.confidence > 0
    return {
        "body": float((seen[:, LEFT_SHOULDER] & seen[:, RIGHT_SHOULDER]).mean()),
        "right_hand": float(seen[:, RIGHT_HAND].any(axis=1).mean()),
        "left_hand": float(seen[:, LEFT_HAND].any(axis=1).mean()),
    }
