"""`signloom languages`: the manual alphabets that are known, and which of them have a model."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from signloom.cli.outputs import answer, answer_json, note
from signloom.runtime.registry import fingerspelled_languages
from signloom.tokens.languages import SIGN_LANGUAGES, SignLanguage

DESCRIPTION = """
List the sign languages whose manual alphabets signloom knows: code, name, letters, letters that
the hand shows alike, the hand that signs, and the model that spells it, if one is installed. A
model for another language is trained by one command.
"""


def add_to(verbs: Any) -> None:
    """Add the verb to the command line."""
    parser = verbs.add_parser(
        "languages", help="list the sign languages that can be spelled", description=DESCRIPTION
    )
    parser.set_defaults(run=run)
    parser.add_argument("--json", action="store_true", help="print JSON for machines")


def run(options: Namespace) -> int:
    """List the languages; return the exit code."""
    models = fingerspelled_languages()
    facts = [_facts(language, models.get(language.code)) for language in SIGN_LANGUAGES.values()]
    if options.json:
        answer_json(facts)
        return 0
    for fact in facts:
        answer(f"{fact['code']}  {fact['name']} ({fact['spoken_language']}), {fact['hand']} hand")
        answer(f"     {' '.join(fact['letters'])}")
        if fact["look_alikes"]:
            answer(f"     alike: {', '.join('/'.join(pair) for pair in fact['look_alikes'])}")
        answer(f"     {fact['model'] or fact['fault'] or 'no model: ' + fact['train']}")
    note("train needs signloom[train]; export the result with `signloom export`")
    return 0


def _facts(language: SignLanguage, model: str | None) -> dict[str, Any]:
    recipe = "signloom train produce/fingerspelling_ase"
    return {
        **vars(language),
        "model": model,
        "train": None if language.fault else f"{recipe} --set corpus.language={language.code}",
    }
