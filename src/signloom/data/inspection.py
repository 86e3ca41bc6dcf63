"""What was found in a corpus, counted: sizes, lengths, signers, vocabularies, what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from signloom.data.corpora.words import SPLITS
from signloom.data.findings import Findings, Observation
from signloom.data.readers.reading import Fault
from signloom.tokens.words import split_words


def summarise(findings: Findings) -> dict[str, Any]:
    """Count what was found; the document that `signloom data inspect --json` prints."""
    language = str(findings.about["spoken_language"])
    words = {split: _words(findings.seen, split, language) for split in SPLITS}
    glosses = {split: _glosses(findings.seen, split) for split in SPLITS}
    splits = {
        split: _sizes(members)
        | {"word_types": len(words[split]), "gloss_types": len(glosses[split])}
        | {"unknown_words": len(words[split].keys() - words["train"].keys())}
        | {"unknown_glosses": len(glosses[split].keys() - glosses["train"].keys())}
        for split in SPLITS
        if (members := [seen for seen in findings.seen if seen.split == split])
    }
    fps = Counter(f"{seen.fps:g}" for seen in findings.seen)
    signers = Counter(seen.signer or "unknown" for seen in findings.seen)
    return {
        **findings.about,
        "splits": splits,
        "fps": dict(sorted(fps.items())),
        "signers": dict(signers.most_common()),
        "faults": [to_document(fault) for fault in findings.faults],
        "remarks": [to_document(remark) for remark in findings.remarks],
    }


def to_document(fault: Fault) -> dict[str, Any]:
    """Give a fault as plain data."""
    return {
        "file": str(fault.place.path),
        "line": fault.place.line or None,
        "message": fault.message,
    }


def _sizes(members: Sequence[Observation]) -> dict[str, Any]:
    seconds = np.array([seen.num_frames / seen.fps for seen in members])
    frames = np.array([seen.num_frames for seen in members])
    missing = np.array([seen.missing for seen in members])
    return {
        "utterances": len(members),
        "frames": int(frames.sum()),
        "seconds": round(float(seconds.sum()), 2),
        "shortest_s": round(float(seconds.min()), 2),
        "median_s": round(float(np.median(seconds)), 2),
        "longest_s": round(float(seconds.max()), 2),
        "missing_joints": round(float(np.average(missing, weights=frames)), 4),
    }


def _words(seen: Iterable[Observation], split: str, language: str) -> Counter[str]:
    texts = (one.text for one in seen if one.split == split)
    return Counter(word for text in texts for word in split_words(text, spoken_language=language))


def _glosses(seen: Iterable[Observation], split: str) -> Counter[str]:
    return Counter(gloss for one in seen if one.split == split for gloss in one.glosses)
