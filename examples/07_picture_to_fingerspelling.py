"""Say what a picture shows and spell it: the caption, how sure it is, and then a pose.

No captioner comes with signloom: install one first (docs/guides/caption.md), then

    python 07_picture_to_fingerspelling.py dog.jpg
"""

import sys
from pathlib import Path

import signloom


def main(picture: Path) -> None:
    """Caption a picture, which warns of what is wrong with it, and spell the caption."""
    try:
        seen = signloom.caption(picture)
    except signloom.UserError as error:
        print(f"No caption: {error}")
        return
    print(f"{seen.text!r}, {seen.confidence:.0%} sure, by {seen.model}")
    for other in seen.best[1:]:
        print(f"  or {other.text!r}, {other.confidence:.0%}")
    signloom.produce(seen.text).save("seen.mp4")
    print("seen.mp4")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("dog.jpg"))
