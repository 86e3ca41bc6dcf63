"""Held-out words of a language with the poses of every control, for a translator to read.

ground truth    the builder's poses, at a random pace
mean pose       the mean frame of all words, held still
held still      each word's own mean frame, held still
shuffled        the poses of another word
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from signloom.data.corpora.fingerspelling import HELD_OUT_LETTERS, Fingerspelling
from signloom.data.example import Example
from signloom.data.pair import Pair
from signloom.data.roughening import hold_still
from signloom.evaluation.controls import build_references
from signloom.evaluation.recordings import control_rows
from signloom.evaluation.rendition import Frames
from signloom.evaluation.translators import Translations, TranslatorRow
from signloom.metrics.text import EditCounts, edit_counts, fold
from signloom.poses.normalize import to_features
from signloom.search.tokens import Hypothesis
from signloom.tokens.alphabet import REPEAT
from signloom.tokens.languages import SIGN_LANGUAGES
from signloom.tokens.spelling import spell
from signloom.tokens.targets import start_of

TRUTH, MEAN, STILL, SHUFFLED = "ground truth", "mean pose", "held still", "shuffled"
CONTROLS = (TRUTH, MEAN, STILL, SHUFFLED)


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadWord:
    """One word, and what was read of each control."""

    tokens: tuple[str, ...]
    """What it is."""
    look_alikes: tuple[tuple[str, ...], ...]
    """Groups of letters that look the same in its language."""
    read: Mapping[str, tuple[str, ...]]
    """Tokens that were read, by control."""
    hypothesis: Hypothesis
    """What was found of the true poses."""
    seconds: float
    """Time that a word took, the mean of its language."""

    def errors(self, control: str, *, strict: bool = False) -> EditCounts:
        """Count letters that were read wrongly, look-alikes as one letter unless strict."""
        groups = () if strict else self.look_alikes
        return edit_counts(fold(self.read[control], groups), fold(self.tokens, groups))

    @property
    def quality(self) -> float:
        """Letters that were read rightly, percent, not below 0."""
        return 100 * max(0.0, 1 - self.errors(TRUTH).rate)


class HeldOutWords:
    """Words of one language that nobody has trained on, with the poses of every control.

    Args:
        language: ISO 639-3 code.
        count: Words, fewer where there are no more.
        doubled: How many of them, at least, have a doubled letter, likewise.
        seed: Fixes words, references and shuffling.
        corpus: Who spells them; by default the builder of the language.

    Attributes:
        references: What is to be read, with the true poses.
        poses: Poses of each word by control.
        shortage: What there is less of than asked for, in words; empty if nothing is.

    Raises:
        MissingExtraError: What fingerspelling is built of is not installed.
    """

    def __init__(
        self,
        language: str,
        *,
        count: int,
        doubled: int,
        seed: int = 0,
        corpus: Fingerspelling | None = None,
    ) -> None:
        self.language = language
        corpus = corpus or Fingerspelling(language)
        asked, there = (count, doubled), _count(corpus)
        taken, doubles = map(min, asked, there)
        self.shortage = describe_shortage(language, asked=asked, there=there)
        texts = corpus.heldout_texts("test", taken, doubled=min(doubles, taken), seed=seed)
        self.references = build_references(corpus, texts, seed=seed)
        self.poses = _controls(self.references, seed=seed)

    def read_by(
        self, row: TranslatorRow, *, done: Callable[[int], None] | None = None
    ) -> list[ReadWord]:
        """Let a translator read every control."""
        start = start_of(self.language, row.settings.languages)
        found = {
            control: row.translate(self.pairs(control, start), done=done) for control in self.poses
        }
        known = SIGN_LANGUAGES.get(self.language)
        return [
            _word(reference, place, found, look_alikes=known.look_alikes if known else ())
            for place, reference in enumerate(self.references)
        ]

    def pairs(self, control: str, start: str) -> list[Pair]:
        """Give a control's poses to translate, the decoder begun with `start`."""
        poses = self.poses[control]
        return [
            Pair(one.name, to_features(frames), one.tokens, one.text, start=start)
            for one, frames in zip(self.references, poses, strict=True)
        ]


def describe_shortage(language: str, *, asked: tuple[int, int], there: tuple[int, int]) -> str:
    """Say where there are fewer words, or fewer with a doubled letter, than were asked for.

    Example:
        >>> describe_shortage("lls", asked=(300, 100), there=(10393, 46))
        'lls has fewer words than asked for: 46 with a doubled letter instead of 100'
        >>> describe_shortage("ase", asked=(300, 100), there=(7489, 1677))
        ''
    """
    names = ("words", "with a doubled letter")
    missing = [
        f"{found} {name} instead of {wanted}"
        for name, wanted, found in zip(names, asked, there, strict=True)
        if found < wanted
    ]
    return f"{language} has fewer words than asked for: {', '.join(missing)}" if missing else ""


def _count(corpus: Fingerspelling) -> tuple[int, int]:
    """Count the words of the test split that can be asked for, and those with a double."""
    shortest, longest = HELD_OUT_LETTERS
    words = [word for word in corpus.words("test") if shortest <= len(word) <= longest]
    return len(words), sum(REPEAT in spell(word, corpus.alphabet) for word in words)


def _controls(references: Sequence[Example], *, seed: int) -> dict[str, list[Frames]]:
    rows = {
        name: [one.frames for one in row]
        for name, row in control_rows(references, seed=seed).items()
    }
    rows[STILL] = [hold_still(one.frames) for one in references]
    return {name: rows[name] for name in CONTROLS}


def _word(
    reference: Example,
    place: int,
    found: Mapping[str, Translations],
    *,
    look_alikes: tuple[tuple[str, ...], ...],
) -> ReadWord:
    truth = found[TRUTH]
    return ReadWord(
        tokens=reference.tokens,
        look_alikes=look_alikes,
        read={control: one.tokens[place] for control, one in found.items()},
        hypothesis=truth.hypotheses[place],
        seconds=truth.seconds / len(truth.tokens),
    )
