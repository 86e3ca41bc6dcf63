"""Draw one pose as a film, an animation and a sheet of frames."""

from pathlib import Path

import signloom

pose = signloom.produce("hello")

for name in ("hello.mp4", "hello.gif", "hello.png"):
    pose.save(name)
    print(f"{name}: {Path(name).stat().st_size / 1024:.0f} KiB")
