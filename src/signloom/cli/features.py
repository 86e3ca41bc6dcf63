"""`signloom data features`: what an image network sees of every picture of a corpus."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from signloom.cli.extras import need_extra
from signloom.cli.outputs import SOME_REFUSED, answer_facts, note, shown
from signloom.cli.prepare import CAPTION_HINT, add_options
from signloom.cli.progress import progress
from signloom.errors import FormatError

DESCRIPTION = """
Look at every picture of a corpus of captions by EfficientNet-Lite0 and keep its features in a
folder, for `corpus.features` of a recipe: about 125 kB and 20 to 70 ms of one core a picture. A
file holds 256 pictures; a run that was killed goes on behind the last when started again.
"""


def add_to(parts: Any) -> None:
    """Add this part of `signloom data`."""
    parser = parts.add_parser(
        "features",
        help="compute the features of captioned pictures",
        description=DESCRIPTION,
        epilog=CAPTION_HINT,
    )
    parser.set_defaults(run=run)
    add = parser.add_argument
    add("reader", metavar="READER", help="what reads the data; see below")
    add("source", type=Path, metavar="SRC", help="folder of the data")
    add("folder", type=Path, metavar="DST", help="where the features go")
    add("--mirror", action="store_true", help="look at mirror images, too: twice the time and room")
    add_options(parser)
    add("--json", action="store_true", help="print JSON for machines")


def run(options: Namespace) -> int:
    """Compute; return the exit code: 0, or 3 when pictures were refused."""
    from signloom.data.captions.looking import Looker
    from signloom.data.captions.readers.registry import open_captions
    from signloom.data.readers.reading import refuse_faults
    from signloom.runtime.image_session import NETWORK

    reading = open_captions(options.reader, options.source, options.options)
    pictures = {one.name: one.path for one in reading.entries if one.path is not None}
    if not reading.entries:
        refuse_faults(reading, options.source)
    if not pictures:
        raise FormatError(
            f"{options.source} must hold pictures, but of the {len(reading.entries)} that "
            f"`{options.reader}` lists none is at hand."
        )
    graph = _network(options.folder)
    looker = Looker(graph, network=NETWORK, folder=options.folder, mirrored=options.mirror)
    with progress("look", len(pictures)) as advance:
        looked = looker.look(pictures, advance=advance)
    refused = [*map(str, reading.faults), *looked.refused]
    for reason in refused:
        note(f"refused: {shown(reason)}")
    facts = {
        "folder": str(options.folder),
        "pictures": looked.pictures,
        "refused": len(refused),
        "written": looked.written,
        "kept": looked.kept,
    }
    answer_facts(facts, as_json=options.json)
    return SOME_REFUSED if refused else 0


def _network(folder: Path) -> bytes:
    """Give the image network that a folder was begun with, or a new one."""
    from signloom.features.store import read_network

    begun = read_network(folder)
    if begun is not None:
        return begun
    need_extra("train", "The image network")
    from signloom.export.image_graph import image_graph

    return image_graph()
