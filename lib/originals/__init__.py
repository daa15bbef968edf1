"""The originals that can be had: ``fetch`` downloads them and brings them into the book's form.

A source is an entry of registry/sources.json (a title, and the command to go on with) and a file
``<name>.txt`` beside it, which says what its files are and where; registry/origins.csv has
whose they are and their terms, and ``data/packages.py`` makes it of ``data/sources.csv``.
One whose files are made of the originals has its maker there too.
"""

import json
from pathlib import Path

REGISTRY = Path(__file__).with_name("registry")
ORIGINS = REGISTRY / "origins.csv"
SOURCES: dict[str, dict[str, str]] = json.loads(
    (REGISTRY / "sources.json").read_text(encoding="utf-8")
)
