"""The sign languages whose manual alphabets signloom knows: names, letters, look-alikes.

The letters are those that the lexicon of `spoken-to-signed` has a clip of. What is not known here
can still be fingerspelled by a model package that carries its own letters.
"""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_lowercase

from signloom.errors import TextError


@dataclass(frozen=True, kw_only=True)
class SignLanguage:
    """A sign language and its manual alphabet.

    Attributes:
        code: ISO 639-3 code.
        name: English name.
        spoken_language: ISO 639-1 code of the spoken language that is spelled.
        letters: The letters, in lower case.
        look_alikes: Groups of letters that the hand shows alike.
        hand: The hand that signs in the clips, `right` or `left`.
        fault: Why the clips cannot be used, or None.
    """

    code: str
    name: str
    spoken_language: str
    letters: tuple[str, ...]
    look_alikes: tuple[tuple[str, ...], ...] = ()
    hand: str = "right"
    fault: str | None = None


def sign_language(code: str) -> SignLanguage:
    """Look a sign language up.

    Raises:
        TextError: It is unknown.
    """
    if code not in SIGN_LANGUAGES:
        raise TextError(
            f"The sign language must be one of {', '.join(SIGN_LANGUAGES)}, but is {code[:40]!r}. "
            "`signloom languages` lists them."
        )
    return SIGN_LANGUAGES[code]


def _language(code: str, name: str, spoken: str, letters: str, **more: object) -> SignLanguage:
    names = tuple(letters.split()) if " " in letters else tuple(letters)
    return SignLanguage(code=code, name=name, spoken_language=spoken, letters=names, **more)  # type: ignore[arg-type]


_SPACED = " ".join(ascii_lowercase)

SIGN_LANGUAGES = {
    language.code: language
    for language in (
        _language("ase", "American Sign Language", "en", ascii_lowercase),
        _language("asq", "Austrian Sign Language", "de", f"{_SPACED} sch ß ä ö ü"),
        _language("bzs", "Brazilian Sign Language", "pt", f"{ascii_lowercase}ç"),
        _language(
            "cse",
            "Czech Sign Language",
            "cs",
            f"{_SPACED} ch č ď ň ř š ť ž",
            look_alikes=(("d", "ď"),),
        ),
        _language(
            "csq",
            "Croatian Sign Language",
            "hr",
            f"{_SPACED} dž lj nj ć č đ š ž",
            look_alikes=(("s", "š"),),
        ),
        _language("eso", "Estonian Sign Language", "et", f"{ascii_lowercase}äõöüšž"),
        _language(
            "fsl",
            "French Sign Language",
            "fr",
            ascii_lowercase,
            fault="the lexicon's French rows point at the American clips",
        ),
        _language("gsg", "German Sign Language", "de", f"{ascii_lowercase}ßäöü"),
        _language(
            "gss",
            "Greek Sign Language",
            "el",
            "αβγδεζηθικλμνξοπρστυφχψω",
            fault="the lexicon's Greek clips last a quarter of a second, or several",
        ),
        _language(
            "ise",
            "Italian Sign Language",
            "it",
            f"{_SPACED} bb cc dd ff gg ll mm nn pp rr ss tt vv zz",
            hand="left",
        ),
        _language(
            "jos",
            "Jordanian Sign Language",
            "ar",
            "ء آ أ ؤ إ ئ ئـ ا ال ب ت ث ج ح خ د ذ ر ز س ش ص ض ط ظ ع غ ف ق ك ل لا م ن ه و ى ي",
            look_alikes=(("أ", "ا"),),
        ),
        _language("lls", "Lithuanian Sign Language", "lt", "abcdefghijklmnoprstuvyząčėęįšūųž"),
        _language("mfs", "Mexican Sign Language", "es", f"{_SPACED} ll rr ñ"),
        _language("psr", "Portuguese Sign Language", "pt", ascii_lowercase),
        _language(
            "sgg",
            "Swiss German Sign Language",
            "de",
            f"{_SPACED} ch sch ä ö ü",
            look_alikes=(("u", "ü"),),
        ),
        _language(
            "ssp",
            "Spanish Sign Language",
            "es",
            f"{_SPACED} ch ll rr ñ",
            look_alikes=(("l", "ll"), ("i", "y"), ("r", "rr")),
        ),
        _language(
            "svk",
            "Slovak Sign Language",
            "sk",
            f"{_SPACED} ch á ä é í ó ô ú ý č ď ĺ ľ ň ŕ š ť ž",
            look_alikes=(("a", "á"),),
        ),
        _language("swl", "Swedish Sign Language", "sv", f"{ascii_lowercase}äåö"),
        _language("tsm", "Turkish Sign Language", "tr", "abcdefghijklmnoprstuvyzçöüğış"),
        _language(
            "ukl",
            "Ukrainian Sign Language",
            "uk",
            "абвгдежзийклмнопрстуфхцчшщьюяєіїґ",
            look_alikes=(("і", "ї"), ("ш", "щ")),
        ),
    )
}
"""Every known sign language by its code."""
