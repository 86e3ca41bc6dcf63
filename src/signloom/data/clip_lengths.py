"""How long a clip must be for its tokens: CTC has no path through one that is shorter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from signloom.data.example import Example
from signloom.errors import FormatError


def frames_needed(tokens: Sequence[str], *, stride: int) -> int:
    """Count the frames below which CTC has no path: a step a token, one more between equal ones.

    Example:
        >>> frames_needed(("a", "b", "b"), stride=4)
        13
    """
    steps = len(tokens) + sum(one == other for one, other in pairwise(tokens))
    return max(1, stride * (steps - 1) + 1)


def refuse_too_short(examples: Iterable[Example], *, stride: int) -> None:
    """Refuse clips for which CTC's loss would be infinite, before anything is trained.

    Raises:
        FormatError: There is one; the message names it.
    """
    for example in examples:
        least = frames_needed(example.tokens, stride=stride)
        if example.num_frames < least:
            raise FormatError(
                f"`{example.name}` must last at least {least} frames for its "
                f"{len(example.tokens)} tokens at {stride} frames a step, but lasts "
                f"{example.num_frames}. Leave it out, or lower `model.pools`."
            )
