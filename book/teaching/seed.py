"""The seed of a course or an exam: drawn by the machine into a file beside it, and only there."""

import os
import re
import secrets
import sys
from pathlib import Path

from lib.errors import InputError, harmless


def kept_seed(folder: Path) -> str:
    """Return the seed of a folder that is to be made: 128 bits, from its file or drawn into it.

    The file is named like the folder, with ``.seed``.  It is never written over.
    """
    file = folder.with_name(f"{folder.name}.seed")
    if folder.exists():
        lost = "" if file.exists() else f"; {file} is lost, so nobody can make this one again"
        raise InputError(f"{folder}: exists already and is not written over: move it away{lost}")
    if not file.exists():
        opened = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(opened, "w", encoding="utf-8") as new:
            new.write(secrets.token_hex(16))
        print(f"{file}: drawn. Keep it, and keep it secret: from it alone {folder} is made again.")
    try:
        seed = file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        seed = ""
    if not re.fullmatch("[0-9a-f]{32}", seed):
        raise InputError(
            f"{file}: is no seed of 32 hexadecimal digits: restore it, or move it away"
        )
    return seed


def stop(error: InputError) -> None:
    """End a command with the line of an error."""
    print(f"error: {harmless(str(error))}", file=sys.stderr)
    sys.exit(2)
