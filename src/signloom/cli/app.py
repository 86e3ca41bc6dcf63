"""The program `signloom`: its verbs, its exit codes, and what happens to errors.

Exit codes: 0 done; 1 our fault, with a trace; 2 the user's mistake, in one line; 3 a batch finished
with some items refused and named; 130 interrupted; 141 nobody reads the output any more.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from signloom.cli import models
from signloom.cli.produce import produce
from signloom.cli.render import render
from signloom.errors import UserError

OUR_FAULT = 1
USER_MISTAKE = 2
INTERRUPTED = 130
NOBODY_READS = 141


class Verbs(TyperGroup):
    """Runs a verb and turns what it raises into an exit code."""

    def invoke(self, ctx: Any) -> Any:
        """Run the verb that was asked for."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except UserError as error:
            typer.echo(f"error: {' '.join(str(error).split())}", err=True)
            raise typer.Exit(USER_MISTAKE) from error
        except KeyboardInterrupt as error:
            typer.echo("interrupted", err=True)
            raise typer.Exit(INTERRUPTED) from error
        except BrokenPipeError as error:
            # What is left in the buffer must go somewhere when the interpreter shuts down.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(NOBODY_READS) from error
        except (typer.Exit, typer.Abort):
            raise
        except Exception as error:
            if type(error).__module__.split(".")[0] in ("click", "typer"):
                raise
            traceback.print_exc()
            typer.echo("error: this is a fault of signloom; please report it", err=True)
            raise typer.Exit(OUR_FAULT) from error
        return result


app = typer.Typer(
    cls=Verbs,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command(name="produce")(produce)
app.command(name="render")(render)
app.add_typer(models.app, name="models")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; return its exit code.

    Args:
        argv: Arguments without the program's name; by default those of the process.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    command = typer.main.get_command(app)
    try:
        command.main(args=None if argv is None else list(argv), prog_name="signloom")
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else OUR_FAULT
    return 0


def _show_version(wanted: bool) -> None:
    if wanted:
        import signloom

        typer.echo(f"signloom {signloom.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    _: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
    verbose: Annotated[
        int, typer.Option("-v", "--verbose", count=True, show_default=False, help="Log more.")
    ] = 0,
) -> None:
    """Text in, signing out, with small models that need neither PyTorch nor a download.

    The default model fingerspells: it spells words letter by letter in American Sign Language. It
    has no face, no mouth and no grammar.
    """
    if verbose:
        import logging

        level = logging.INFO if verbose == 1 else logging.DEBUG
        logging.basicConfig(level=level, format="%(levelname)s %(name)s: %(message)s")


if __name__ == "__main__":
    sys.exit(main())
