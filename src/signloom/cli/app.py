"""The program `signloom`: its verbs, its exit codes, and what happens to errors.

Exit codes: 0 done; 1 our fault, with a trace; 2 the user's mistake, in one line; 3 a batch finished
with some items refused and named; 130 interrupted; 141 nobody reads the output any more.

Built on argparse: a library that brings more to the command line took longer to import than numpy
and ONNX Runtime together.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from signloom.cli import (
    caption,
    compress,
    convert,
    data,
    distill,
    evaluate,
    export,
    extract,
    languages,
    models,
    produce,
    recognize,
    render,
    reproduce,
    train,
    transcribe,
    translate,
)
from signloom.cli.outputs import answer, note, shown
from signloom.errors import UserError

VERBS = (
    produce,
    translate,
    recognize,
    caption,
    transcribe,
    extract,
    render,
    convert,
    languages,
    models,
    data,
    train,
    distill,
    export,
    compress,
    evaluate,
    reproduce,
)
OUR_FAULT = 1
USER_MISTAKE = 2
INTERRUPTED = 130
NOBODY_READS = 141
DESCRIPTION = """
Text in, signing out, with small models that need neither PyTorch nor a download.
The default model fingerspells: it spells words letter by letter in American Sign Language.
It has no face, no mouth and no grammar.
"""


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, and takes options by their full names only."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(allow_abbrev=False, **settings)

    def error(self, message: str) -> NoReturn:
        """Refuse the arguments."""
        hint = self.get_default("hint") if "ignored explicit argument" in message else None
        raise UserError(f"{message}. {f'{hint}. ' if hint else ''}Try `{self.prog} --help`.")


def build_parser() -> Parser:
    """Make the parser of the whole command line; `run` of what it parses is the verb."""
    parser = Parser(prog="signloom", description=DESCRIPTION)
    parser.add_argument("--version", action=_Version, help="show the version and exit")
    parser.add_argument("-v", "--verbose", action="count", default=0, help="log more; may be -vv")
    verbs = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=Parser)
    for verb in VERBS:
        verb.add_to(verbs)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; return its exit code.

    Args:
        argv: Arguments without the program's name; by default those of the process.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _run(sys.argv[1:] if argv is None else argv)
        if sys.stdout is not None:
            sys.stdout.flush()
    except UserError as error:
        note(f"error: {shown(' '.join(str(error).split()))}")
        return USER_MISTAKE
    except KeyboardInterrupt:
        note("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # What is left in the buffer must go somewhere when the interpreter shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NOBODY_READS
    except OSError as error:  # a disk that is full, a name that is too long, a closed stream
        named = shown(f"{error.filename}: ") if error.filename else ""
        note(f"error: {named}{error.strerror or error}")
        return USER_MISTAKE
    except SystemExit as stop:  # argparse's way to end after --help
        return stop.code if isinstance(stop.code, int) else OUR_FAULT
    except Exception:
        import traceback

        traceback.print_exc()
        note("error: this is a fault of signloom; please report it")
        return OUR_FAULT
    return code


def _run(argv: Sequence[str]) -> int:
    parser = build_parser()
    if not argv:
        note(parser.format_help().rstrip())
        return USER_MISTAKE
    options, unknown = parser.parse_known_args(argv)
    if unknown:
        hint = f"{options.hint}. " if "hint" in options else ""
        raise UserError(
            f"unrecognized arguments: {' '.join(unknown)}. {hint}Try `{parser.prog} --help`."
        )
    if options.verbose:
        import logging

        level = logging.INFO if options.verbose == 1 else logging.DEBUG
        logging.basicConfig(level=level, format="%(levelname)s %(name)s: %(message)s")
    code: int = options.run(options)
    return code


class _Version(argparse.Action):
    """Looks the version up only when it is asked for."""

    def __init__(self, option_strings: Sequence[str], dest: str, **settings: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, **settings)

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        import signloom

        answer(f"signloom {signloom.__version__}")
        parser.exit()
        raise AssertionError("unreachable")


if __name__ == "__main__":
    sys.exit(main())
