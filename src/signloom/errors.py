"""The exceptions that signloom raises on purpose.

    SignloomError                 root; catch this to catch them all
    └── UserError                 the caller's mistake: one line, exit code 2
        ├── FormatError           a file is not what its format promises
        ├── ConfigError           a recipe, override or option does not hold
        ├── PackageError          a model package is missing, unknown or damaged
        ├── TextError             a text leaves nothing to produce
        └── MissingExtraError     a feature needs `pip install "signloom[EXTRA]"`

Anything else that reaches a user is our fault and keeps its traceback. A message says what must
hold, what was found and what to do.
"""

from __future__ import annotations


class SignloomError(Exception):
    """Root of every exception raised on purpose."""


class UserError(SignloomError):
    """The caller's mistake; the command line prints it as one line and exits with 2."""


class FormatError(UserError):
    """A file is not what its format promises."""


class ConfigError(UserError):
    """A recipe, an override or an option does not hold."""


class PackageError(UserError):
    """A model package is missing, unknown or damaged."""


class TextError(UserError):
    """A text leaves nothing to produce."""


class MissingExtraError(UserError):
    """A feature needs an optional dependency.

    Args:
        extra: Name of the extra that brings the dependency, such as `train`.
        purpose: What the caller was about to do, as a noun phrase.
    """

    def __init__(self, extra: str, purpose: str) -> None:
        super().__init__(
            f"{purpose} needs the extra `{extra}`, which is not installed. "
            f'Run: pip install "signloom[{extra}]"'
        )
        self.extra = extra
