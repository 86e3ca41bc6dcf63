"""MP4: H.264, 4:2:0, at the pose's own constant frame rate."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np

from signloom.poses.captions import Caption
from signloom.poses.pose import Pose
from signloom.poses.render.film import film, film_size

SIZE_PX = 640
ENCODING = {"crf": "20", "preset": "veryfast"}
MAX_DENOMINATOR = 1001
"""Enough for 24000/1001 and its kin; any other rate is met to a millionth."""


def write(pose: Pose, path: Path, *, captions: Sequence[Caption] = ()) -> None:
    """Write a video of the pose, picture by picture.

    Raises:
        FormatError: There are too many frames, or captions out of order.
    """
    pictures = film(pose, size=SIZE_PX, captions=captions)
    import av

    rate = Fraction(pose.fps).limit_denominator(MAX_DENOMINATOR)
    with av.open(str(path), "w", format="mp4", options={"movflags": "+faststart"}) as container:
        stream = container.add_stream("libx264", rate=rate, options=ENCODING)
        stream.width, stream.height = film_size(SIZE_PX, captions)
        stream.pix_fmt = "yuv420p"
        stream.time_base = 1 / rate
        for number, picture in enumerate(pictures):
            frame = av.VideoFrame.from_ndarray(np.asarray(picture), format="rgb24")
            frame.pts = number
            frame.time_base = 1 / rate
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
