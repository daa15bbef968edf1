"""What can be fetched: a title, terms and the command to go on with, from registry/sources.json.

A source is an entry there and a file ``<name>.txt`` beside it, which says what its files are and
where.  One whose files are made of the originals has its maker in ``making`` too.
"""

import json
from pathlib import Path

REGISTRY = Path(__file__).with_name("registry")
SOURCES: dict[str, dict[str, str]] = json.loads(
    (REGISTRY / "sources.json").read_text(encoding="utf-8")
)
