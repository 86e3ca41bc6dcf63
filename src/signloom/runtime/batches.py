"""Which rows run together: those of similar lengths, so that little is padded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def similar_batches(
    lengths: Sequence[int], *, most_rows: int, most_frames: int
) -> Iterator[list[int]]:
    """Give the places of the rows of each batch, the shortest first.

    Args:
        lengths: Frames of each row.
        most_rows: Rows of a batch at most.
        most_frames: Frames of a batch at most, padding included; a longer row runs alone.

    Example:
        >>> list(similar_batches([9, 2, 3, 2], most_rows=8, most_frames=12))
        [[1, 3], [2], [0]]
    """
    order = sorted(range(len(lengths)), key=lambda place: lengths[place])
    while order:
        size = most_rows
        while size > 1 and lengths[order[:size][-1]] * size > most_frames:
            size //= 2
        yield order[:size]
        order = order[size:]
