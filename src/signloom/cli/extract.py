"""`signloom extract`: films in, poses out."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

from signloom.cli.film_options import camera_of, check_threads
from signloom.cli.live_options import add_live_options, refuse_both_or_neither

DESCRIPTION = """
Find a signer in videos and write the pose: body and hands, 50 joints, frame by frame. By default
MediaPipe looks for the joints (pip install "signloom[video]"); --keypoints takes a model of one's
own. Of a folder every video in it is read, and every folder of pictures, into the same places below
OUT; what is there already is kept, so that a run that was stopped goes on when started again. Where
nobody is seen, joints are missing; that is said, and no error.
"""


def add_to(verbs: Any) -> None:
    """Add the verb to the command line."""
    parser = verbs.add_parser("extract", help="find a signer in videos", description=DESCRIPTION)
    parser.set_defaults(run=run)
    add = parser.add_argument
    add(
        "sources",
        nargs="*",
        type=Path,
        metavar="IN",
        help="a video, a folder of pictures (.png, .jpg), one a frame, or a folder of those",
    )
    add(
        "-o",
        "--output",
        type=Path,
        required=True,
        metavar="OUT",
        help="a file that ends in .pose, .json, .skels, .pt, .mp4, .gif, .png or .svg, or a folder",
    )
    _add_manner(add)
    add("--overwrite", action="store_true", help="replace outputs that are there already")
    add("--json", action="store_true", help="print JSON for machines: what was seen, how fast")


def _add_manner(add: Callable[..., Any]) -> None:
    """Add the options that say how films are looked at and how poses are written."""
    add_live_options(add, "camera", what="look through this camera in place of IN")
    add(
        "--fps",
        type=float,
        metavar="F",
        help="frames per second of the poses; those of the video if not given. Pictures were taken "
        "at this rate, or at 25",
    )
    add(
        "--keypoints",
        type=Path,
        metavar="FILE.onnx",
        help="find joints by this model of COCO-WholeBody: HRNet, RTMPose or RTMW",
    )
    add("--threads", type=int, default=1, metavar="N", help="threads of that model")
    add("--layout", metavar="NAME", help="points of a .pose: mediapipe (the default) or openpose")
    add(
        "--format", metavar="SUFFIX", help="format of the files in a folder OUT; .pose if not given"
    )


def run(options: Namespace) -> int:
    """Extract; return the exit code: 0, or 3 when some of several films were refused."""
    refuse_both_or_neither(options.sources, options.camera, names="IN or --camera")
    camera = camera_of(options)
    check_threads(options)
    from signloom.cli.extracting import Wanted, run_extract

    sources = list(options.sources) if camera is None else [camera]
    wanted = Wanted(
        output=options.output,
        suffix=options.format,
        fps=options.fps,
        keypoints=options.keypoints,
        threads=options.threads,
        layout=options.layout,
        overwrite=options.overwrite,
    )
    return run_extract(sources, wanted, as_json=options.json)
