"""Hand tracks of a few sentences, in the files of RWTH-BOSTON-104."""

from __future__ import annotations

from pathlib import Path

import numpy as np

WORD_FRAMES = 8
MOVES = {"JOHN": (60, 0), "WRITE": (0, 60), "BUY": (-50, -50)}
TRAIN = ("JOHN WRITE", "WRITE BUY", "BUY", "JOHN BUY WRITE", "WRITE JOHN", "JOHN")
TEST = ("JOHN WRITE", "BUY JOHN")


def write_tracks(folder: Path) -> Path:
    """Write a word as a there and back of the right hand; give the folder."""
    folder.mkdir(exist_ok=True)
    hands = ["video,frame,left-x,left-y,right-x,right-y,nose-x,nose-y"]
    words = {"train": ["video,speaker,word,startframe,endframe"]}
    words["test"] = [*words["train"]]
    way = np.sin(np.linspace(0, np.pi, WORD_FRAMES))
    sentences = [("train", one) for one in TRAIN] + [("test", one) for one in TEST]
    for video, (split, sentence) in enumerate(sentences):
        for place, word in enumerate(sentence.split()):
            start = place * WORD_FRAMES
            across, down = MOVES[word]
            words[split].append(f"{video},w,{word},{start},{start + WORD_FRAMES - 1}")
            for number, share in enumerate(way):
                right = f"{120 + across * share:.3f},{160 + down * share:.3f}"
                hands.append(f"{video},{start + number},200,180,{right},160,60")
    speakers = ["video,speaker", *(f"{video},woman-1" for video in range(len(sentences)))]
    tables = {"hands_condensed": hands, "speaker": speakers}
    tables |= {f"{split}_words": rows for split, rows in words.items()}
    for name, rows in tables.items():
        (folder / f"{name}.csv").write_text("\n".join(rows) + "\n")
    return folder
