"""Text files that a user hands over, line by line: plain or compressed, of any content.

A line is never longer than :data:`MAX_LINE` bytes, so that no file, whatever it is, fills the
memory with one.
"""

import codecs
import io
import lzma
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from lib.errors import InputError, reason
from lib.paths import AnyPath

CR_ALONE = "the lines end in CR alone; make it LF, as by tr '\\r' '\\n'"
_ARCHIVES = {".tar", ".tgz", ".zip", ".7z"}
_NO_TEXT = {  # by how a file begins: what it is, and how it goes in
    b"PAR1": "is Parquet; in Python, lib.derive takes the frame that pandas.read_parquet returns",
    b'\x04"M\x18': "is LZ4; in Python, ranx.Run.from_file(FILE).save('run.json') makes JSON of it",
}
_MOST_JSON = 1 << 26  # bytes; all of it is in memory, at once and many times as large
MAX_LINE = 65_536  # bytes; the lines of TREC's own files have less than 100
_MOST_BLANK = 1_000_000  # lines without a word that a file may have


def _open_xz(path: AnyPath) -> lzma.LZMAFile:
    """Unlike lzma.open it notices that something was cut off or follows: a stream ends with YZ."""
    with open(path, "rb") as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - 64))
        if not file.read().rstrip(b"\0").endswith(b"YZ"):
            raise EOFError("a compressed stream is cut off, or something else follows")
    return lzma.open(path)


def _open_by_arrow(path: AnyPath, kind: str) -> Any:
    """Unlike Python's modules this notices what follows a stream and is no other one."""
    import pyarrow  # not for every small run

    return pyarrow.CompressedInputStream(open(path, "rb"), kind)


OPENERS: dict[str, Callable[..., Any]] = {
    ".gz": partial(_open_by_arrow, kind="gzip"),
    ".bz2": partial(_open_by_arrow, kind="bz2"),
    ".xz": _open_xz,
    ".zst": partial(_open_by_arrow, kind="zstd"),
}
DAMAGED = (EOFError, OSError, lzma.LZMAError)


def lines(path: AnyPath, *, kind: str, json: bool = False) -> Iterator[tuple[int, bytes]]:
    """Yield (number, line) of a text file, plain or compressed, as bytes.

    ``kind`` is what the file should be, for messages; a line of more than :data:`MAX_LINE` bytes, a
    zero byte, a million blank lines or a damaged file is an InputError.  With ``json``, a file that
    begins with a brace is one line, of number 0.
    """
    blank = 0
    try:
        with open_bytes(path) as file:
            # Some editors begin a file with a mark that would become part of the first topic.
            if file.peek(3).startswith(codecs.BOM_UTF8):
                file.read(3)
            if json and file.peek(64).lstrip().startswith(b"{"):
                if len(text := file.read(_MOST_JSON + 1)) > _MOST_JSON:
                    raise InputError(f"{path}: more than {_MOST_JSON:,} bytes of JSON; give lines")
                yield 0, text
                return
            if answer := _NO_TEXT.get(file.peek(4)[:4]):
                raise InputError(f"{path}: {answer}")
            for number, line in enumerate(iter(partial(file.readline, MAX_LINE + 1), b""), 1):
                if len(line) > MAX_LINE:
                    why = f": {CR_ALONE}" if b"\r" in line else f", so no {kind}"
                    raise InputError(f"{path}, line {number}: longer than {MAX_LINE:,} bytes{why}")
                if b"\0" in line:
                    raise InputError(
                        f"{path}, line {number}: holds a zero byte, so it is no text "
                        f"(a compressed {kind} needs its suffix: {', '.join(OPENERS)})"
                    )
                blank += not line.strip()
                if blank > _MOST_BLANK:
                    raise InputError(
                        f"{path}: holds more than {_MOST_BLANK:,} blank lines, so no {kind}"
                    )
                yield number, line
    except InputError:
        raise
    except DAMAGED as error:
        raise InputError(f"{path}: cannot be read ({reason(error)})") from None


def text_lines(path: AnyPath, *, kind: str) -> Iterator[str]:
    """Yield the lines of a UTF-8 text file, plain or compressed; see :func:`lines`."""
    for number, line in lines(path, kind=kind):
        try:
            yield line.decode("utf-8")
        except UnicodeDecodeError:
            raise InputError(f"{path}, line {number}: not UTF-8 text") from None


_PIPED: dict[str, bytes] = {}  # what came by a pipe, by its path, while a command runs


@contextmanager
def pipes_kept() -> Iterator[None]:
    """Have what comes by a pipe be there for all who read it, though it can be read once only."""
    _PIPED[""] = b""
    try:
        yield
    finally:
        _PIPED.clear()


def open_bytes(path: AnyPath) -> io.BufferedReader:
    """Open a file, plain or compressed, for reading bytes."""
    if _PIPED and Path(path).is_fifo():
        if str(path) not in _PIPED:
            _PIPED[str(path)] = Path(path).read_bytes()
        return io.BufferedReader(io.BytesIO(_PIPED[str(path)]))  # type: ignore[arg-type]
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    if not _ARCHIVES.isdisjoint(suffixes[-2:]):
        raise InputError(f"{path}: is an archive; unpack it and give its files")
    opener = OPENERS.get(suffixes[-1] if suffixes else "", partial(open, mode="rb"))
    return io.BufferedReader(opener(path), 1 << 18)
