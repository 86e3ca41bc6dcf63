"""The shipped judges read what they must read, and the shipped models write it."""

import numpy as np
import pytest

from signloom.data.corpora.fingerspelling import Fingerspelling
from signloom.evaluation.judge import RecognizerJudge
from signloom.evaluation.packages import production_row
from signloom.evaluation.run import run
from signloom.metrics.text import edit_counts, fold
from signloom.runtime.registry import fingerspelled_languages, fingerspelling_package
from signloom.tokens.languages import sign_language
from signloom.tokens.spelling import spell


def test_it_reads_held_out_words_and_no_control_row(corpus: Fingerspelling) -> None:
    result = run(count=60, doubled=20)
    assert result.failures["ground truth"] == []
    assert result.failures["mean pose"] == []
    # The threshold of 95 is for 300 words: of 60, a shuffled one hits a letter more often.
    assert result.summaries["shuffled"].letter_error.value > 85
    assert result.summaries["stitched"].letter_error.value <= 0.5


@pytest.mark.parametrize("language", fingerspelled_languages())
def test_the_model_of_a_language_spells_what_its_judge_reads(language: str) -> None:
    corpus = Fingerspelling(language)
    rng = np.random.default_rng(0)
    letters = list(corpus.alphabet.letters) * 2
    rng.shuffle(letters)
    texts = ["".join(letters[start : start + 7]) for start in range(0, len(letters), 7)]
    asked = [spell(text, corpus.alphabet) for text in texts]
    judge = RecognizerJudge(fingerspelling_package("recognize", language))
    model = production_row(fingerspelling_package("produce", language))
    truth = [corpus.build(text, rng).frames for text in texts]
    for frames in (truth, [one.frames for one in model(texts)]):
        look_alikes = sign_language(language).look_alikes
        read = [fold(tokens, look_alikes) for tokens in judge.read(frames)]
        wrong = sum(
            edit_counts(found, fold(tokens, look_alikes)).errors
            for found, tokens in zip(read, asked, strict=True)
        )
        assert wrong <= 0.02 * sum(map(len, asked))
