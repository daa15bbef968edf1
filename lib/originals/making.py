"""What is made of originals whose form is not the book's: text collections, and parts of runs."""

import gzip
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

from lib.originals.excerpts import EXCERPTS
from lib.originals.texts import CONVERTERS

__all__ = ["MAKERS", "made_of"]

MAKERS: Mapping[str, Callable[[Path], dict[str, bytes]]] = CONVERTERS | EXCERPTS


def made_of(name: str, folder: Path) -> dict[str, bytes]:
    """Return what the book makes of originals: file name to bytes.

    Parameters
    ----------
    name : str
        One of :data:`MAKERS`.
    folder : path
        Where the original files are.

    Returns
    -------
    dict of str to bytes

    Raises
    ------
    ValueError
        An original that is not of the expected form.
    """
    try:
        return MAKERS[name](folder)
    except (ValueError, KeyError, IndexError, EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ValueError(f"{name}: the originals are not of the expected form ({error})") from None
