"""Where the project's own files stand and say what they are, and what a path may be given as."""

import json
import os
from pathlib import Path
from typing import Any, TypeAlias

ROOT = Path(__file__).resolve().parent.parent
# The data stands beside the package, and within it where a wheel brought both.
_INSIDE = Path(__file__).resolve().parent / "data"
DATA = _INSIDE if _INSIDE.is_dir() else ROOT / "data"

AnyPath: TypeAlias = str | os.PathLike[str]


def about(name: str) -> dict[str, Any]:
    """Return what the ``datapackage.json`` of a folder below ``data/`` says.

    Of a collection: ``name``, ``short_title`` (the name as text writes it), ``title`` (what it is),
    sources, licenses, and the tables as ``resources``.
    """
    return json.loads((DATA / name / "datapackage.json").read_text(encoding="utf-8"))


def short_title(name: str) -> str:
    """Return what text calls a folder below ``data/``, such as TREC-COVID for ``trec-covid``."""
    return str(about(name)["short_title"])
