"""`signloom compress`: a package whose weights take no more bits than they are worth."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from signloom.cli.outputs import answer_json
from signloom.cli.progress import progress

if TYPE_CHECKING:
    from signloom.export.savings import Report

DESCRIPTION = """
Make a smaller package of a Bayesian one. Each layer's weights are rounded to floats of as many bits
as the spread of its posterior leaves meaning in, and written without a gap between them.
"""
EPILOGUE = """
Rounding changes what a model gives: measure it before and after with `signloom evaluate`.
"""
WIDE = 160
"""Characters of a line where nobody looks, so that no table is broken."""


def add_to(verbs: Any) -> None:
    """Add the verb to the command line."""
    parser = verbs.add_parser(
        "compress",
        help="store the weights of a Bayesian package in fewer bits",
        description=DESCRIPTION,
        epilog=EPILOGUE,
    )
    parser.set_defaults(run=run)
    add = parser.add_argument
    add("package", metavar="NAME|DIR", help="which model package, as it was exported")
    add("folder", type=Path, metavar="DIR", help="where it goes; the model is named after it")
    add(
        "--layers",
        choices=("min", "mean"),
        default="min",
        help="which spread stands for a layer: the smallest (default) or the mean, of fewer bits",
    )
    add(
        "--form",
        choices=("packed", "float16", "int8"),
        default="packed",
        help="how weights are stored (default: packed); the others are there to compare with",
    )
    add("--overwrite", action="store_true", help="replace a package that lies there already")
    add("--json", action="store_true", help="print JSON for machines")


def run(options: Namespace) -> int:
    """Compress and print the tables; return the exit code."""
    from signloom.export.compress import compress_package
    from signloom.runtime.package import load_package

    package = load_package(options.package)
    with progress("round and pack", None):
        report = compress_package(
            package,
            options.folder,
            form=options.form,
            aggregation=options.layers,
            overwrite=options.overwrite,
        )
    if options.json:
        answer_json(report.to_document())
    else:
        _draw(report)
    return 0


def _draw(report: Report) -> None:
    from rich.console import Console

    shown = sys.stdout is not None and sys.stdout.isatty()
    console = Console(width=None if shown else WIDE)
    if report.layers:
        console.print(_layer_table(report))
    console.print(_size_table(report))


def _layer_table(report: Report) -> Any:
    from rich.markup import escape
    from rich.table import Table

    caption = "\n".join(
        (
            f"spread: the {report.aggregation} of the layer",
            "paper: significand bits by the paper's count",
            "float: bits of sign, exponent and significand",
            "bits: of a weight in the file, spreads included",
            "zeroed: weights that became zero",
            "error: root mean square of rounding, in spreads",
        )
    )
    table = Table(title="Weights with a spread", caption=caption, caption_justify="left")
    table.add_column("layer", no_wrap=True)
    for column in ("weights", "spread", "paper", "float", "bits", "zeroed", "error"):
        table.add_column(column, justify="right")
    for layer in report.layers:
        packed = layer.exponent_bits is not None
        table.add_row(
            escape(layer.name),
            str(layer.numbers),
            f"{layer.spread:.3g}",
            str(layer.paper_bits),
            f"1+{layer.exponent_bits}+{layer.significand_bits}" if packed else report.form,
            f"{layer.bits:.2f}",
            f"{layer.flushed:.1%}",
            f"{layer.error:.3f}",
        )
    return table


def _size_table(report: Report) -> Any:
    from rich.table import Table

    lines = ["exported: the package given", "others: the same weights, one spread a row"]
    if report.bits is not None:
        lines.insert(0, f"{report.bits:.2f} bits a weight that has a spread")
    caption = "\n".join(lines)
    table = Table(title=f"Bytes, stored as {report.form}", caption=caption, caption_justify="left")
    for column in (
        "form",
        "layers with a spread",
        "weights.bin",
        "graphs and weights",
        "of float32",
    ):
        table.add_column(column, justify="left" if column == "form" else "right")
    whole = report.sizes["float32"].weights
    for form, size in {"exported": report.exported, **report.sizes}.items():
        share = f"{size.weights / whole:.1%}"
        table.add_row(form, str(size.layers), str(size.weights), str(size.package), share)
    return table
