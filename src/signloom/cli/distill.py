"""`signloom distill`: a trained captioner in, its captions of the training pictures out."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from signloom.cli.extras import need_extra
from signloom.cli.film_options import check_threads
from signloom.cli.outputs import answer_facts
from signloom.cli.progress import progress

DESCRIPTION = """
Let a trained captioner caption its training pictures by beam search, for `corpus.taught` of a
recipe: a model of several words a step learns them more easily than what people say. A run that was
killed goes on when it is started again.
"""


def add_to(verbs: Any) -> None:
    """Add the verb to the command line."""
    parser = verbs.add_parser(
        "distill", help="write a teacher's captions to learn from", description=DESCRIPTION
    )
    parser.set_defaults(run=run)
    add = parser.add_argument
    add("checkpoint", type=Path, metavar="CHECKPOINT", help="of `signloom train`: the teacher")
    add("output", type=Path, metavar="FILE.jsonl", help="where the captions go")
    add("--beam", type=int, default=5, metavar="N", help="hypotheses kept a step, 1 to 64 (5)")
    add(
        "--best", type=int, metavar="N", help="captions of each picture; by default all of the beam"
    )
    add("--threads", type=int, default=1, metavar="N", help="threads of the model (1)")
    add("--json", action="store_true", help="print JSON for machines")


def run(options: Namespace) -> int:
    """Distill; return the exit code."""
    check_threads(options)
    need_extra("train", "Distilling")
    import torch

    from signloom.training.distillation import Teacher

    torch.set_num_threads(options.threads)
    teacher = Teacher(options.checkpoint, beam=options.beam, best=options.best)
    with progress("distill", len(teacher.pictures)) as advance:
        done = teacher.write(options.output, advance=advance)
    facts = {"file": str(options.output), "written": done.written, "kept": done.kept}
    answer_facts(facts, as_json=options.json)
    return 0
