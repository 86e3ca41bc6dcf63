"""Captions as the field counts them: the tokens of the Penn Treebank, lower case, no punctuation.

pycocoevalcap pipes captions through Stanford's PTBTokenizer, in Java, and drops punctuation. These
rules give its tokens for what captions hold: contractions are parted (`don't` is `do n't`,
`man's` is `man 's`), numbers, words with hyphens and abbreviations stay whole. Brackets are
dropped, which it writes as words of their own.
"""

from __future__ import annotations

import re

_PUNCTUATION = ("''", "'", "``", "`", ".", "?", "!", ",", ":", "-", "--", "...", ";", '"')
_BRACKETS = ("(", ")", "[", "]", "{", "}")
_DROPPED = frozenset((*_PUNCTUATION, *_BRACKETS))
_CONTRACTED = "s|re|ve|ll|d|m"
_ABBREVIATION = r"(?:[a-z]\.){2,}(?!\w)|(?:mr|mrs|ms|dr|jr|sr|vs|st|ave|blvd|rd|mt)\."
_NUMBER = r"\d+(?:[.,:/-]\d+)*(?:st|nd|rd|th|s)?(?!\w)"
_WORD = rf"\w+(?:[-/.&@_]\w+|'(?!(?:{_CONTRACTED}|t)(?!\w))\w+)*"
_TOKEN = re.compile(
    rf"n't(?!\w)|'(?:{_CONTRACTED})(?!\w)|{_ABBREVIATION}|{_NUMBER}|{_WORD}|\.\.\.|--|[^\w\s]"
)
_NEGATION = re.compile(r"(\w)(n't)(?!\w)")


def ptb_tokens(text: str) -> tuple[str, ...]:
    """Cut a caption into tokens.

    Example:
        >>> ptb_tokens("A man's hat isn't on the T-shirt, it's on a 3.5 ft. bear.")
        ('a', 'man', "'s", 'hat', 'is', "n't", 'on', 'the', 't-shirt', 'it', "'s", 'on', 'a', ...)
    """
    spaced = _NEGATION.sub(r"\1 \2", text.lower().replace("’", "'"))
    return tuple(token for token in _TOKEN.findall(spaced) if token not in _DROPPED)
