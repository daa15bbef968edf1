"""Text files that a user hands over, line by line: plain or compressed, of any content.

A line is never longer than :data:`MAX_LINE` bytes, so that no file, whatever it is, fills the
memory with one.
"""

import bz2
import codecs
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow

from lib.errors import InputError, reason
from lib.paths import AnyPath

MAX_LINE = 65_536  # bytes; the lines of TREC's own files have less than 100


class _Streams(io.RawIOBase):
    """The text in compressed streams that stand one after the other, and nothing else.

    The modules of these formats pass over what follows the first stream of a .bz2 or .xz and is no
    other one, as if it had not been lost.
    """

    def __init__(self, begin, path):
        self._file = open(path, "rb")  # noqa: SIM115  closed with this
        self._begin, self._stream = begin, begin()

    def readable(self):
        return True

    def readinto(self, buffer):
        while True:
            stream, data = self._stream, b""
            if stream.eof:
                data = stream.unused_data or self._file.read(CHUNK)
                if not data:
                    return 0
                self._stream = stream = self._begin()
            elif stream.needs_input:
                data = self._file.read(CHUNK)
                if not data:
                    raise EOFError("a compressed stream is cut off, or something else follows")
            text = stream.decompress(data, len(buffer))
            if text:
                buffer[: len(text)] = text
                return len(text)

    def close(self):
        self._file.close()
        super().close()


def _open_zstd(path):
    """Unlike zstandard.open it notices a file that was cut off."""
    return pyarrow.CompressedInputStream(open(path, "rb"), "zstd")


CHUNK = 1 << 16  # compressed bytes read at a time
OPENERS: dict[str, Callable[..., Any]] = {
    ".gz": gzip.open,
    ".bz2": partial(_Streams, bz2.BZ2Decompressor),
    ".xz": partial(_Streams, lzma.LZMADecompressor),
    ".zst": _open_zstd,
}
DAMAGED = (EOFError, OSError, lzma.LZMAError, zlib.error)


def lines(path: AnyPath, *, kind: str) -> Iterator[tuple[int, bytes]]:
    """Yield (number, line) of a text file, plain or compressed, as bytes.

    ``kind`` is what the file should be, for messages; a line of more than :data:`MAX_LINE` bytes, a
    zero byte or a damaged file is an InputError.
    """
    try:
        with opened(path) as file:
            # Some editors begin a file with a mark that would become part of the first topic.
            if file.peek(3).startswith(codecs.BOM_UTF8):
                file.read(3)
            for number, line in enumerate(iter(partial(file.readline, MAX_LINE + 1), b""), 1):
                if len(line) > MAX_LINE:
                    raise InputError(
                        f"{path}, line {number}: longer than {MAX_LINE:,} bytes, so no {kind}"
                    )
                if b"\0" in line:
                    raise InputError(
                        f"{path}, line {number}: holds a zero byte, so it is no text "
                        f"(a compressed {kind} needs its suffix: {', '.join(OPENERS)})"
                    )
                yield number, line
    except InputError:
        raise
    except DAMAGED as error:
        raise InputError(f"{path}: cannot be read ({reason(error)})") from None


def texts(path: AnyPath, *, kind: str) -> Iterator[str]:
    """Yield the lines of a UTF-8 text file, plain or compressed; see :func:`lines`."""
    for number, line in lines(path, kind=kind):
        try:
            yield line.decode("utf-8")
        except UnicodeDecodeError:
            raise InputError(f"{path}, line {number}: not UTF-8 text") from None


def opened(path: AnyPath) -> io.BufferedReader:
    """Open a file, plain or compressed, for reading bytes."""
    opener = OPENERS.get(Path(path).suffix, partial(open, mode="rb"))
    return io.BufferedReader(opener(path), 1 << 18)
