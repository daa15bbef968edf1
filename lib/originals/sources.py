"""What can be fetched: a title, terms and the command to go on with, from registry/sources.json.

A source is an entry there and a file ``<name>.txt`` beside it, which says what its files are and
where.  One whose files are made of the originals has its maker in
:data:`lib.originals.making.MAKERS` too.
"""

import json
from dataclasses import dataclass
from pathlib import Path

__all__ = ["REGISTRY", "SOURCES", "Source"]

REGISTRY = Path(__file__).with_name("registry")


@dataclass(frozen=True)
class Source:
    """What can be fetched.

    Attributes
    ----------
    title : str
    terms : str
        What the source says about its use.
    next : str
        The command to go on with; ``{folder}`` stands for the folder.
    """

    title: str
    terms: str
    next: str


def _read() -> dict[str, Source]:
    entries = json.loads((REGISTRY / "sources.json").read_text(encoding="utf-8"))
    return {name: Source(**entry) for name, entry in entries.items()}


SOURCES = _read()
