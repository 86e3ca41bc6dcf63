"""Recognise fingerspelling: which letters, when, and how sure; with subtitles.

The default model reads fingerspelling, letter by letter: it knows no signs and no grammar.
"""

from pathlib import Path

import signloom
from signloom.poses.subtitles import write_subtitles

pose = signloom.produce("ada lovelace")
reading = signloom.recognize(pose)

print(f"{reading.text!r}, {reading.confidence:.0%} sure, by {reading.model}")
for span in reading.spans:
    print(f"  {span.start_s:5.2f} to {span.end_s:5.2f} s  {span.token}  {span.confidence:.3f}")

write_subtitles(reading.cues, Path("letters.srt"))
print(Path("letters.srt").read_text(encoding="utf-8"))
