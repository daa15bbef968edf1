"""Folders that appear whole or not at all, and never in the place of what is somebody's.

The name is claimed with an empty folder before the work begins, the folder is made beside it in a
hidden one, and renamed onto the claim at the end.  The system refuses that when anything has come
into the claim; on Windows, where it is refused for an empty folder too, the claim is removed just
before, which is refused likewise.  What is replaced is looked at before and after it is moved away.

Not promised: that the new folder is on the disk when the power fails; that a folder which is being
replaced has a name at every moment (a process killed between two renames leaves the old one whole
as ``.unfinished-.../old``, beside the new one); and files that a process writes into a folder which
it opened before that was replaced.
"""

import errno
import os
import shutil
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TypeAlias

from lib.errors import InputError, reason
from lib.paths import AnyPath

__all__ = ["Made", "fresh_folder", "reserved"]

Made: TypeAlias = Callable[[Path], set[str]]
"""Given a folder, the names of what a command of ours put there; empty when it made none."""

WINDOWS = os.name == "nt"
TAKEN = {errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR}


@contextmanager
def fresh_folder(
    folder: AnyPath, *, kind: str, made: Made | None = None, replace: bool = False
) -> Iterator[Path]:
    """Return a context that gives an empty folder, and renames it to ``folder`` when it succeeds.

    When anything goes wrong, ``folder`` is as it was.  A process that is killed may leave an empty
    ``folder``, and a hidden one ``.unfinished-...`` in which nothing is ever looked for.

    Parameters
    ----------
    folder : path
        What is to appear; its parents are made.
    kind : str
        What such a folder is called in messages.
    made : callable, optional
        Given a folder, the names of what it holds when it is of this kind, else none.  No folder of
        another kind is ever replaced, and none that holds anything else.
    replace : bool
        Replace a folder of this kind that is already there, or the empty one that a killed process
        left.

    Raises
    ------
    InputError
        The folder exists and may not be replaced, or cannot be written.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as home:
    ...     with fresh_folder(f"{home}/a/b", kind="example") as fresh:
    ...         _ = (fresh / "x").write_text("whole")
    ...     print(Path(home, "a", "b", "x").read_text())
    whole
    """
    with reserved(folder, kind=kind, made=made, replace=replace) as place, _in_a_line(folder):
        place.mkdir(mode=0o755)
        yield place


@contextmanager
def reserved(
    folder: AnyPath, *, kind: str, made: Made | None = None, replace: bool = False
) -> Iterator[Path]:
    """Return a context that claims a name, and gives a path at which to make the folder.

    As :func:`fresh_folder`, for work that makes the folder itself; what is in the way is told
    before that begins.

    Parameters
    ----------
    folder, kind, made, replace
        As for :func:`fresh_folder`.

    Raises
    ------
    InputError
        The folder exists and may not be replaced, or cannot be written.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as home:
    ...     with reserved(f"{home}/a", kind="example") as place:
    ...         place.mkdir()
    ...     print(os.listdir(home))
    ['a']
    """
    if not os.fspath(folder):
        raise InputError("the folder to make has an empty name")
    target = Path(folder).absolute()
    with ExitStack() as undo:
        with _in_a_line(folder):
            before = None
            if there := os.path.lexists(target):
                before = _to_replace(target, folder, kind, made, replace)
            place = _beside(target, undo) / "new"
            if not there:
                target.mkdir(mode=0o755)
                undo.callback(_remove_empty, target, target.stat().st_ino)
        try:
            yield place
        except InputError as error:  # tell it of the name that was asked for
            lines = [line.replace(str(place), str(folder)) for line in map(str, error.args)]
            raise type(error)(*lines) from None
        with _in_a_line(folder):
            if before is None:
                _rename(place, target)
            else:
                _exchange(place, target, before, folder)


@contextmanager
def _in_a_line(folder):
    try:
        yield
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({reason(error)})") from None


def _beside(target, undo):
    """Make a hidden folder beside the target, and the parents of both; they go when it is done."""
    for parent in reversed([path for path in target.parents if not path.exists()]):
        with suppress(FileExistsError):  # by another process, just now
            parent.mkdir()
            undo.callback(_remove_empty, parent, parent.stat().st_ino)
    work = Path(tempfile.mkdtemp(prefix=_hidden(target), dir=target.parent))
    undo.callback(_sweep, work)
    return work


def _to_replace(target, folder, kind, made, replace):
    """Return what is in a folder that may be replaced, None if it is a claim; refuse any other."""
    known, why, inside = set(), f"it is no {kind}", {}
    if target.is_dir() and not target.is_symlink():
        inside = _contents(target)
        known = made(target) if made and inside else set()
        claimed = not inside and any(target.parent.glob(_hidden(target) + "*"))
        if claimed:
            why = "it is empty: another command makes it, or was stopped on the way"
        if known:
            why = f"it holds a {kind}"
        if others := sorted(inside.keys() - known) if known else ():
            why = f"it holds {others[0]!r}, which is no part of the {kind}"
        elif (known or claimed) and made:
            if replace:
                return inside or None
            why += "; say --replace"
    raise InputError(f"{folder}: exists already and is not written over ({why})")


def _exchange(place, target, before, folder):
    """Rename a folder to one that is there; if that fails, what was there comes back."""
    old = place.with_name("old")
    changed = InputError(f"{folder}: was changed meanwhile and is not written over")
    if _contents(target) != before:
        raise changed
    os.rename(target, old)
    try:
        if _contents(old) != before:
            raise changed
        os.mkdir(target, mode=0o755)  # refused when anything has come there
        _rename(place, target)
    except BaseException:
        try:
            _rename(old, target)
        except OSError:
            raise InputError(f"{folder}: something else came there; the old one is {old}") from None
        raise
    for name in before:  # and nothing else, whatever came in
        with suppress(OSError):
            os.unlink(old / name)
    with suppress(OSError):
        os.rmdir(old)


def _rename(source, target):
    """Rename a folder to a name that is free or an empty folder; any other is refused."""
    try:
        if WINDOWS:
            with suppress(FileNotFoundError):
                os.rmdir(target)
        os.rename(source, target)
    except OSError as error:
        if error.errno in TAKEN:
            raise OSError(error.errno, "something else is there now") from None
        raise


def _contents(folder):
    """Return name to what changes with a file's content."""
    states = {name: os.lstat(folder / name) for name in os.listdir(folder)}
    return {name: (of.st_ino, of.st_size, of.st_mtime_ns) for name, of in states.items()}


def _hidden(target):
    """Return how the names of hidden folders beside a target begin, whatever its name is."""
    return f".unfinished-{zlib.crc32(os.fsencode(target.name)):08x}-"


def _sweep(work):
    """Remove a hidden folder, but for a folder that was to be replaced and could not come back."""
    with suppress(OSError):
        for path in work.iterdir():
            if path.name != "old":
                shutil.rmtree(path, ignore_errors=True)
    _remove_empty(work)


def _remove_empty(folder, number=None):
    """Remove a folder of this number if it is empty; it is not when all went well."""
    with suppress(OSError):
        if number in (None, folder.lstat().st_ino):
            os.rmdir(folder)
