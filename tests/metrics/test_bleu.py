"""BLEU of a corpus is sacreBLEU's, of texts that are tokenised already."""

from __future__ import annotations

import builtins
from typing import Any

import pytest

from signloom.errors import MissingExtraError
from signloom.metrics.bleu import corpus_bleu


def test_texts_are_compared_as_they_stand() -> None:
    sacrebleu = pytest.importorskip("sacrebleu")
    made = ["es regnet am morgen im norden .", "heute scheint die sonne"]
    true = ["es regnet am morgen im süden .", "heute scheint die sonne ."]
    expected = sacrebleu.corpus_bleu(made, [true], tokenize="none").score
    assert corpus_bleu(made, true) == pytest.approx(expected)
    assert corpus_bleu(true, true) == pytest.approx(100)
    assert corpus_bleu([text.upper() for text in made], true) < 20


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *arguments: Any) -> Any:
        if name == "sacrebleu":
            raise ImportError(name)
        return real(name, *arguments)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtraError, match=r"Measuring BLEU needs the extra `eval`"):
        corpus_bleu(["a"], ["a"])
