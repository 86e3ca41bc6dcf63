"""Hear spoken digits and spell them: what is said, when, how sure, and then as a pose.

The default model knows the ten English digit words and nothing else. Give it a recording, or it
hears a second of silence:

    python 06_speech_to_fingerspelling.py call.wav
"""

import sys
import wave
from pathlib import Path

import signloom


def main(recording: Path) -> None:
    """Transcribe a recording, which warns of what is wrong with it, and spell what is heard."""
    heard = signloom.transcribe(recording)
    print(f"{heard.text!r}, {heard.confidence:.0%} sure, by {heard.model}")
    for span in heard.spans:
        print(f"  {span.start_s:5.2f} to {span.end_s:5.2f} s  {span.token}  {span.confidence:.3f}")
    if heard.text:
        signloom.produce(heard.text).save("heard.mp4")
        print("heard.mp4")


def silence(path: Path) -> Path:
    """Write a second of silence."""
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        file.writeframes(bytes(2 * 8000))
    return path


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else silence(Path("silence.wav")))
