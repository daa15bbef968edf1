"""Print what CHANGELOG.md says of one version: ``python book/release_notes.py v0.1.0``."""

import re
import sys
from pathlib import Path

CHANGES = Path(__file__).resolve().parent.parent / "CHANGELOG.md"


def notes(tag, text):
    """Return the part of a list of changes that is about the version of a tag."""
    parts = re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", text, flags=re.M | re.S)
    found = {heading.partition(",")[0]: (heading, said.strip()) for heading, said in parts}
    heading, said = found.get(tag.removeprefix("v"), ("", ""))
    if not said:
        sys.exit(f"CHANGELOG.md says nothing of {tag}: write there what changed")
    if "not yet released" in heading:
        sys.exit(f"CHANGELOG.md calls {tag} not yet released: write its date there")
    return said


if __name__ == "__main__":
    print(notes(sys.argv[1], CHANGES.read_text(encoding="utf-8")))
