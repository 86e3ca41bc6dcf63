"""A package whose weights take no more bits than their posterior says they are worth.

Weights with a spread are packed as floats of a layer's own width (`export.significance`), their
spreads become one number an output row, and everything else is stored in half precision where that
is safe. The forms float16 and int8 of the same weights are there to compare with. Nothing is
trained again, and what the rounded model is worth has to be measured: `signloom evaluate`.
"""

from __future__ import annotations

import json
from pathlib import Path

from signloom.errors import PackageError
from signloom.export.forms import FORMS, Form, Tensors, store
from signloom.export.savings import Report, layers_of, size_of
from signloom.export.significance import Aggregation
from signloom.runtime.package import Package, write_package
from signloom.runtime.weights import SPREAD_SUFFIX, read_weights, write_weights


def compress_package(
    package: Package,
    folder: Path,
    *,
    form: Form = "packed",
    aggregation: Aggregation = "min",
    overwrite: bool = False,
) -> Report:
    """Write a package of the same graphs with smaller weights, named after its folder.

    Args:
        package: As exported.
        folder: Where the new package goes.
        form: How weights are stored.
        aggregation: Which spread stands for a layer: the smallest is safe, the mean is smaller.
        overwrite: Replace a package that lies there already.

    Raises:
        PackageError: The package has no weights beside its graphs, no spreads to pack by, or is
            compressed already; or the folder is taken.
    """
    tensors = _weights_of(package)
    forms = FORMS if any(name.endswith(SPREAD_SUFFIX) for name in tensors) else FORMS[:-1]
    if form not in forms:
        raise PackageError(
            f"Weights to pack must have spreads, but those of {package.path} are points, as a "
            "model that is not Bayesian has them. Choose the form float16 or int8."
        )
    stored = {one: store(tensors, one, aggregation) for one in forms}
    files = {one: write_weights(stored[one]) for one in forms}
    graphs = sum(map(len, package.graphs.values()))
    report = Report(
        form=form,
        aggregation=aggregation,
        layers=layers_of(tensors, stored[form], aggregation),
        exported=size_of(tensors, package.weights or b"", graphs),
        sizes={one: size_of(stored[one], files[one], graphs) for one in forms},
    )
    _write(package, folder, report, weights=files[form], overwrite=overwrite)
    return report


def _weights_of(package: Package) -> Tensors:
    if package.weights is None:
        raise PackageError(
            f"A package to compress must have `weights.bin`, but {package.path} keeps its weights "
            "in the graphs. Compress one of the system translate."
        )
    if "compression" in package.config:
        raise PackageError(
            f"A package to compress must be as it was exported, but {package.path} is compressed "
            "already. Take the one that it was made of."
        )
    return read_weights(package.weights)


def _write(
    package: Package, folder: Path, report: Report, *, weights: bytes, overwrite: bool
) -> None:
    name = folder.resolve().name
    made = {
        "form": report.form,
        "layers": report.aggregation,
        "bits": None if report.bits is None else round(report.bits, 3),
        "of": package.id,
    }
    vocabulary = json.loads((package.path / "vocabulary.json").read_bytes())
    write_package(
        folder,
        graphs=package.graphs,
        config={**package.config, "name": name, "compression": made},
        vocabulary=vocabulary,
        card=_card(package, name, report),
        weights=weights,
        overwrite=overwrite,
    )


def _card(package: Package, name: str, report: Report) -> str:
    """Give the card of the package with what was done to it."""
    body = package.card.removeprefix(f"# {package.name}\n")
    head = f"# {name}\n" if body != package.card else ""
    size, plain = report.sizes[report.form], report.sizes["float32"]
    average = "" if report.bits is None else f", {report.bits:.2f} bits a Bayesian weight"
    chosen = f", by the {report.aggregation} spread of each layer" * (report.form == "packed")
    return (
        f"{head}{body.rstrip()}\n\n## Compression\n\n"
        f"Made of `{package.name}` ({package.id[:12]}) by `signloom compress`: weights stored as "
        f"{report.form}{chosen}{average}; {size.weights} bytes, which as float32 would be "
        f"{plain.weights}. Spreads of weights, if any, are one number a row. Nothing was trained "
        f"again, and every figure above is that of `{package.name}`: measure this package "
        "itself.\n"
    )
