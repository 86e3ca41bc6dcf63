"""Take frames while the rest of the text is still being decoded.

Put together, the blocks are exactly what `signloom.produce` gives in one piece, so a player can
start at the first block and need not know the length.
"""

import time

import numpy as np

import signloom

text = "streaming"
signloom.produce("a")  # the first call loads the model, later ones find it loaded
start = time.perf_counter()
blocks = []
for block in signloom.stream(text):
    blocks.append(block)
    waited_ms = (time.perf_counter() - start) * 1000
    print(f"after {waited_ms:6.1f} ms: {block.num_frames} frames")

whole = signloom.produce(text)
streamed = signloom.Pose.concatenate(blocks)
print("the same as in one piece:", np.array_equal(streamed.frames, whole.frames))
