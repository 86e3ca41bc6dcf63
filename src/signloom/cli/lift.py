"""`signloom data lift`: keypoints in the image in, joints in space out; files or whole folders."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from signloom.cli.outputs import SOME_REFUSED, answer, answer_json, note
from signloom.cli.progress import progress
from signloom.errors import FormatError, UserError

DESCRIPTION = """
Give poses depth: outlying joints are discarded, gaps filled, and each joint placed in depth so
that bones keep their lengths. Depth that a pose has already is not looked at. Of a folder every
pose in it is lifted, into the same places below OUT; what is there already is kept, so that a run
that was stopped goes on when started again.
"""


def add_to(parts: Any) -> None:
    """Add this part of `signloom data`."""
    parser = parts.add_parser(
        "lift", help="give 2D poses depth by inverse kinematics", description=DESCRIPTION
    )
    parser.set_defaults(run=run)
    add = parser.add_argument
    add("source", type=Path, metavar="IN", help="a pose, or a folder of poses")
    add("output", type=Path, metavar="OUT", help="a file for a pose, a folder for a folder")
    add("--format", metavar="SUFFIX", help="of the outputs of a folder (default: as the inputs)")
    add("--overwrite", action="store_true", help="replace the outputs of a folder that are there")
    add("--json", action="store_true", help="print JSON for machines")


@dataclass
class Summary:
    """What has come of the poses so far."""

    lifted: list[dict[str, Any]] = field(default_factory=list)
    skipped: list[dict[str, Any]] = field(default_factory=list)
    refused: list[dict[str, Any]] = field(default_factory=list)

    def refuse(self, source: Path, error: UserError) -> None:
        """Name a pose that cannot be lifted, and go on."""
        self.refused.append({"input": str(source), "reason": str(error)})
        # What is wrong with a file names it; what is wrong with a pose does not.
        named = "" if str(source) in str(error) else f"{source}: "
        note(f"refused: {named}{error}")


def run(options: Namespace) -> int:
    """Lift; return the exit code: 0, or 3 when poses of a folder were refused."""
    if not options.source.is_dir():
        return _run_file(options)
    outputs = _plan(options.source, options.output, suffix=options.format)
    summary = Summary()
    with progress("lift", len(outputs)) as advance:
        for source, output in outputs.items():
            if output.is_file() and not options.overwrite:
                summary.skipped.append({"input": str(source), "output": str(output)})
            else:
                _lift_one(source, output, summary)
            advance(1)
    _report(summary, as_json=options.json)
    return SOME_REFUSED if summary.refused else 0


def _run_file(options: Namespace) -> int:
    from signloom.poses.formats import check_output

    if options.format is not None:
        raise UserError("--format is for a folder. The suffix of OUT says how a pose is written.")
    check_output(options.output)
    if options.output.exists() and options.output.samefile(options.source):
        raise FormatError(f"OUT must be another file than IN, but both are {options.source}.")
    done = _lift_file(options.source, options.output)
    if options.json:
        answer_json(done)
    else:
        answer(done["output"])
    return 0


def _plan(source: Path, output: Path, *, suffix: str | None) -> dict[Path, Path]:
    """Find the poses of a folder and say where each goes; nothing is written yet."""
    from signloom.poses.formats import READERS, WRITERS

    dotted = None if suffix is None else f".{suffix.lower().removeprefix('.')}"
    if dotted is not None and dotted not in WRITERS:
        raise FormatError(f"--format must be one of {' '.join(WRITERS)}, but is {suffix!r}.")
    if output.exists() and not output.is_dir():
        raise FormatError(f"OUT must be a folder because IN is one, but {output} is a file.")
    if output.resolve().is_relative_to(source.resolve()):
        raise FormatError(f"OUT must lie outside of IN, but {output} is inside of {source}.")
    found = sorted(path for path in source.rglob("*") if path.suffix.lower() in READERS)
    outputs: dict[Path, Path] = {}
    for path in found:
        target = output / path.relative_to(source)
        outputs[path] = target if dotted is None else target.with_suffix(dotted)
    if not outputs:
        raise FormatError(f"{source} must hold poses ({' '.join(READERS)}), but has none.")
    if len(set(outputs.values())) < len(outputs):
        targets = list(outputs.values())
        twice = next(target for target in targets if targets.count(target) > 1)
        raise FormatError(f"Each pose must have an output of its own, but {twice} would be of two.")
    return outputs


def _lift_one(source: Path, output: Path, summary: Summary) -> None:
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        summary.lifted.append(_lift_file(source, output))
    except UserError as error:
        summary.refuse(source, error)


def _lift_file(source: Path, output: Path) -> dict[str, Any]:
    from signloom.poses import formats
    from signloom.poses.lifting.lift import lift

    pose = formats.read(source)
    lifted = lift(pose)
    formats.write(lifted, output)
    filled = int(((lifted.confidence > 0) & (pose.confidence <= 0)).sum())
    missing = int((lifted.confidence <= 0).all(axis=0).sum())
    return {
        "input": str(source),
        "output": str(output),
        "num_frames": pose.num_frames,
        "joints_filled": filled,
        "joints_never_seen": missing,
    }


def _report(summary: Summary, *, as_json: bool) -> None:
    note(
        f"{len(summary.lifted)} lifted, {len(summary.skipped)} there already, "
        f"{len(summary.refused)} refused"
    )
    if as_json:
        answer_json(vars(summary))
        return
    for item in summary.lifted:
        answer(item["output"])
