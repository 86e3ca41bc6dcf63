"""Captions are cut as by Stanford's PTBTokenizer, as pycocoevalcap runs it."""

from __future__ import annotations

import gzip
import json

import pytest

from signloom.tokens.ptb import ptb_tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A man's hat isn't HERE.", "a man 's hat is n't here"),
        ('The dogs\' bowls; they’re "full"!', "the dogs bowls they 're full"),
        ("a black-and-white T-shirt - size 3.5", "a black-and-white t-shirt size 3.5"),
        ("Mr. Smith at 10:30, on the 2nd of 1,000", "mr. smith at 10:30 on the 2nd of 1,000"),
        ("the U.S. flag... (torn)", "the u.s. flag torn"),
        ("rock'n'roll & roll #1 for $5", "rock'n'roll & roll # 1 for $ 5"),
        ("Ein Café mit Süßem", "ein café mit süßem"),
        (" ?! ", ""),
    ],
)
def test_a_caption_is_cut(text, expected) -> None:
    assert list(ptb_tokens(text)) == expected.split()


def test_of_cocos_captions_all_but_one_in_a_thousand_are_cut_as_by_stanford(data_dir) -> None:
    folder = data_dir / "caption"
    golden = json.loads(
        gzip.decompress((folder / "golden_metrics/val2017_ptb_tokens.json.gz").read_bytes())
    )
    said: dict[str, list[str]] = {}
    for one in json.loads((folder / "coco_val2017/captions_val2017.json").read_bytes())[
        "annotations"
    ]:
        said.setdefault(str(one["image_id"]), []).append(one["caption"])
    pairs = [
        (text, expected)
        for name, texts in said.items()
        for text, expected in zip(texts, golden["refs"][name], strict=True)
    ]
    assert len(pairs) == 25014
    differ = [text for text, expected in pairs if " ".join(ptb_tokens(text)) != expected]
    assert len(differ) <= 10
