"""Where the project's own files stand, and what a path may be given as."""

import os
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).resolve().parent.parent
# The data stands beside the package, and within it where a wheel brought both.
_INSIDE = ROOT / "lib" / "data"
DATA = _INSIDE if _INSIDE.is_dir() else ROOT / "data"

AnyPath: TypeAlias = str | os.PathLike[str]
