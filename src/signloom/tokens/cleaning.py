"""From any text to one that an alphabet can spell, without losing anything in silence.

Letters outside the alphabet are transliterated where that is standard, numbers become words, and
hyphens, slashes and dashes part words; each such change is noted. Everything else, raised and
lowered digits among it, is left out and named.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field

from signloom.tokens.alphabet import SPACE, Alphabet
from signloom.tokens.numbers import spell_numbers

APOSTROPHES = frozenset("'’‘ʼʹ`´＇")
WORD_BREAKS = frozenset("-‐‑‒–—―−/\\_⁄")
_TRANSLITERATION = {
    "ß": "ss",
    "æ": "ae",
    "œ": "oe",
    "ø": "o",
    "ł": "l",
    "đ": "d",
    "ð": "d",
    "þ": "th",
    "ħ": "h",
    "ı": "i",
    "ĸ": "k",
    "ŋ": "ng",
    "ŧ": "t",
    "ſ": "s",
    "ə": "e",
}
_TURKIC = ("tr", "az")


@dataclass(frozen=True)
class CleanedText:
    """What is left to spell and what became of the rest.

    Attributes:
        text: Letters of the alphabet, and single spaces between words; may be empty.
        notes: What was rewritten, such as `é -> e`; each once.
        left_out: What was dropped, such as `! (EXCLAMATION MARK)`; each once.
    """

    text: str
    notes: tuple[str, ...]
    left_out: tuple[str, ...]


def clean(text: str, alphabet: Alphabet) -> CleanedText:
    """Rewrite a text in the letters of an alphabet.

    Example:
        >>> clean("Café №9!", Alphabet.load("ase"))
        CleanedText(text='cafe no nine', notes=('№ -> No', '9 -> nine', 'é -> e'),
                    left_out=('! (EXCLAMATION MARK)',))
    """
    writer = _Writer(alphabet)
    composed = "".join(_compatible(char, writer) for char in unicodedata.normalize("NFC", text))
    if not alphabet.characters.intersection("0123456789"):
        composed, notes = spell_numbers(composed, alphabet.spoken_language)
        for note in notes:
            writer.note(note)
    lowered = unicodedata.normalize("NFC", lower(composed, alphabet.spoken_language))
    for word in _mark_apostrophes(lowered, writer).split():
        writer.word(word)
    return writer.finish()


def lower(text: str, spoken_language: str) -> str:
    """Put a text into lower case by the rules of its language.

    Example:
        >>> lower("ISI", "tr"), lower("ISI", "en")
        ('ısı', 'isi')
    """
    if spoken_language in _TURKIC:
        text = text.replace("I", "ı").replace("İ", "i")
    return text.lower()


def describe(char: str) -> str:
    """Name a character: itself if it can be shown, and its Unicode name."""
    name = unicodedata.name(char, "unnamed")
    shown = unicodedata.category(char)[0] not in "CMZ"
    return f"{char if shown else f'U+{ord(char):04X}'} ({name})"


@dataclass
class _Writer:
    """Collects the words and what is to be said about them."""

    alphabet: Alphabet
    words: list[str] = field(default_factory=list)
    notes: dict[str, None] = field(default_factory=dict)
    left_out: dict[str, None] = field(default_factory=dict)

    def note(self, note: str) -> None:
        self.notes[note] = None

    def word(self, word: str) -> None:
        """Rewrite a word; a symbol in it parts it, a letter that cannot be spelled does not."""
        written = "".join(map(self._character, word))
        self.words += written.split()

    def finish(self) -> CleanedText:
        return CleanedText(SPACE.join(self.words), tuple(self.notes), tuple(self.left_out))

    def _character(self, char: str) -> str:
        if char in self.alphabet.characters:
            return char
        if char in WORD_BREAKS:
            self.note(f"{char} -> a pause")
            return SPACE
        letters = _transliterate(char)
        if letters and self.alphabet.characters.issuperset(letters):
            self.note(f"{char} -> {letters}")
            return letters
        self.left_out[describe(char)] = None
        return "" if unicodedata.category(char)[0] in "LMC" else SPACE


def _compatible(char: str, writer: _Writer) -> str:
    """Replace digits of other scripts and compatibility forms such as ligatures and full width."""
    if char in writer.alphabet.characters or char in APOSTROPHES or char in WORD_BREAKS:
        return char
    if char == "İ" and writer.alphabet.spoken_language not in _TURKIC:
        writer.note("İ -> I")
        return "I"
    if _is_raised_number(char):
        return char
    digit = unicodedata.decimal(char, None)
    plain = unicodedata.normalize("NFKC", char) if digit is None else str(digit)
    if plain == char or not plain.strip() or not plain.isprintable():
        return char
    if not any(part.isalnum() for part in plain):
        return char
    writer.note(f"{char} -> {plain}")
    return f" {plain} " if unicodedata.category(char) in ("No", "So") else plain


def _is_raised_number(char: str) -> bool:
    """Say whether a digit or fraction would mean another number if it were written plainly."""
    form = unicodedata.decomposition(char).partition(" ")[0]
    return form == "<fraction>" or (
        form in ("<super>", "<sub>") and unicodedata.numeric(char, None) is not None
    )


def _mark_apostrophes(text: str, writer: _Writer) -> str:
    """Drop the apostrophes inside words; others are left for `left_out`."""
    words = []
    for word in text.split():
        kept = "".join(
            char
            for place, char in enumerate(word)
            if not (char in APOSTROPHES and _is_inside(word, place))
        )
        if kept != word:
            writer.note(f"{word} -> {kept}")
        words.append(kept)
    return SPACE.join(words)


def _is_inside(word: str, place: int) -> bool:
    return word[place - 1 : place].isalpha() and word[place + 1 : place + 2].isalpha()


def _transliterate(char: str) -> str:
    if char in _TRANSLITERATION:
        return _TRANSLITERATION[char]
    decomposed = unicodedata.normalize("NFKD", char)
    letters = "".join(part for part in decomposed if not unicodedata.combining(part))
    letters = "".join(_TRANSLITERATION.get(part, part) for part in letters.lower())
    return letters if letters.isalpha() else ""
