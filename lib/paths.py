"""Where the project's own files stand, and what a path may be given as."""

import os
from pathlib import Path
from typing import TypeAlias

__all__ = ["AnyPath", "DATA", "ROOT"]

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "data"

AnyPath: TypeAlias = str | os.PathLike[str]
