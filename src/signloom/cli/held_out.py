"""What `signloom evaluate` checks where models are shown a split of a corpus as it is read."""

from __future__ import annotations

from argparse import Namespace

from signloom.cli.reports import check_report
from signloom.errors import ConfigError


def check_held_out(options: Namespace, *, nobody: str) -> None:
    """Refuse models of one name, a report that cannot be written, a sign language, no split.

    Args:
        options: Of the command line.
        nobody: Which models know no sign language, such as `no captioner knows`.

    Raises:
        ConfigError: One of them is given.
        FormatError: The report cannot be written.
    """
    from signloom.data.corpora.words import SPLITS
    from signloom.evaluation.packages import refuse_same_names

    refuse_same_names(options.models)
    check_report(options)
    if options.language is not None:
        raise ConfigError(f"--language is a sign language, which {nobody}: leave it out.")
    if options.split not in SPLITS:
        raise ConfigError(f"--split must be one of {', '.join(SPLITS)}, but is {options.split}.")
