"""From a text to the passages of tokens that are to be produced."""

from __future__ import annotations

from dataclasses import dataclass, replace

from signloom.errors import TextError
from signloom.pipelines.splitting import fill_passages
from signloom.tokens.alphabet import Alphabet
from signloom.tokens.cleaning import clean
from signloom.tokens.spelling import spell, unspell
from signloom.tokens.vocabulary import Vocabulary
from signloom.tokens.words import UNKNOWN, known_tokens, split_glosses, split_words

MAX_CHARACTERS = 20_000


@dataclass(frozen=True, kw_only=True)
class Script:
    """A text made ready.

    Attributes:
        text: The text as it was given.
        spelled: The text after cleaning.
        passages: Tokens of each passage.
        notes: What was changed on the way.
        left_out: What could not be spelled.
    """

    text: str
    spelled: str
    passages: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    left_out: tuple[str, ...]


def write_script(text: str, alphabet: Alphabet, *, max_tokens: int, strict: bool = False) -> Script:
    """Clean, spell and split a text.

    Args:
        text: Any text of at most 20,000 characters.
        alphabet: What can be spelled.
        max_tokens: Most tokens of one passage.
        strict: Refuse a text of which something would be left out.

    Raises:
        TextError: The text is no string, empty or too long, nothing of it can be spelled, or
            `strict` does not hold.
    """
    _check(text)
    cleaned = clean(text, alphabet)
    named = ", ".join(cleaned.left_out)
    words = cleaned.text.split()
    if not words:
        raise TextError(
            f"Nothing is left to spell: the alphabet of {alphabet.language} does not have {named}. "
            "Give at least one of its letters."
        )
    if strict and cleaned.left_out:
        raise TextError(
            f"Nothing may be left out under `strict`, but the alphabet of {alphabet.language} does "
            f"not have {named}. Remove it, or drop `strict`."
        )
    split = fill_passages([spell(word, alphabet) for word in words], max_tokens=max_tokens)
    cut = tuple(
        f"cut inside at the model's range of {max_tokens} letters: {unspell(word)}"
        for word in split.cut_words
    )
    return Script(
        text=text,
        spelled=" ".join(words),
        passages=split.passages,
        notes=(*cleaned.notes, *cut),
        left_out=cleaned.left_out,
    )


def write_sentence(
    text: str,
    vocabulary: Vocabulary,
    *,
    unit: str,
    spoken_language: str,
    max_tokens: int,
    strict: bool = False,
) -> Script:
    """Cut a sentence into the words or glosses that a model was trained on.

    Args:
        text: Any text of at most 20,000 characters.
        vocabulary: What the model knows; the rest becomes `<unk>` and is named.
        unit: `words` or `glosses`.
        spoken_language: ISO 639-1 code of the text.
        max_tokens: Most tokens of one passage.
        strict: Refuse a text of which something is unknown.

    Raises:
        TextError: The text is no string, empty or too long, nothing of it is known, or `strict`
            does not hold.
    """
    _check(text)
    is_gloss = unit == "glosses"
    found = split_glosses(text) if is_gloss else split_words(text, spoken_language=spoken_language)
    tokens = known_tokens(found, vocabulary)
    pairs = zip(found, tokens, strict=True)
    unknown = tuple(dict.fromkeys(word for word, token in pairs if token == UNKNOWN))
    if len(unknown) and (strict or all(token == UNKNOWN for token in tokens)):
        raise TextError(
            f"The model must know {'all' if strict else 'some'} of the {unit}, but does not know "
            f"{', '.join(unknown)[:200]}. It learned {len(vocabulary) - 2} of them."
        )
    if not tokens:
        raise TextError(f"Nothing is left to sign: the text must hold {unit}.")
    return replace(script_of(tokens, max_tokens=max_tokens), text=text, left_out=unknown)


def script_of(tokens: tuple[str, ...], *, max_tokens: int) -> Script:
    """Cut tokens of words or glosses, at least one, into passages of at most `max_tokens`."""
    starts = range(0, len(tokens), max_tokens)
    text = " ".join(tokens)
    return Script(
        text=text,
        spelled=text,
        passages=tuple(tokens[start : start + max_tokens] for start in starts),
        notes=(),
        left_out=(),
    )


def _check(text: object) -> None:
    """Refuse what is no string, and a text that is too long, no Unicode, or empty."""
    if not isinstance(text, str):
        kind = type(text).__name__
        article = "an" if kind[0] in "aeiou" else "a"
        raise TextError(f"A text must be a string, but is {article} {kind}.")
    if len(text) > MAX_CHARACTERS:
        raise TextError(
            f"A text must have at most {MAX_CHARACTERS} characters, but has {len(text)}. "
            "Cut it into several."
        )
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise TextError(
            "The text must be valid Unicode, but holds half a surrogate pair. Give it as UTF-8."
        ) from error
    if not text.strip():
        raise TextError("The text must not be empty. Give at least one letter.")
