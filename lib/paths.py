"""Where the project's own files stand."""

from pathlib import Path

__all__ = ["DATA", "ROOT"]

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "data"
