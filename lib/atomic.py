"""Folders that appear whole or not at all, and that never replace files of others.

A folder is made in a hidden one beside it, and renamed at the end; the system refuses that where
anything but an empty folder has come meanwhile.  A folder that is replaced is checked before and
after it is moved away.  A process that is killed leaves a hidden folder ``.unfinished-...``;
between the two renames the old folder stands there whole, as ``old``.
"""

import errno
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeAlias

from lib.errors import InputError, reason
from lib.paths import AnyPath

Made: TypeAlias = Callable[[Path], set[str]]
"""Given a folder, the names of what a command of ours put there; empty when it made none."""


@contextmanager
def fresh_folder(
    folder: AnyPath, *, kind: str, made: Made | None = None, replace: bool = False
) -> Iterator[Path]:
    """Return a context that gives an empty folder, and renames it to ``folder`` when it succeeds.

    When anything goes wrong, ``folder`` is as it was; the arguments are those of
    :func:`refuse_existing`.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as home:
    ...     with fresh_folder(f"{home}/a/b", kind="example") as fresh:
    ...         _ = (fresh / "x").write_text("whole", encoding="utf-8")
    ...     print(Path(home, "a", "b", "x").read_text(encoding="utf-8"))
    whole
    """
    before = refuse_existing(folder, kind=kind, made=made, replace=replace)
    target = Path(folder).absolute()
    with _in_a_line(folder):
        target.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=".unfinished-", dir=target.parent))
        try:
            fresh = work / "new"
            fresh.mkdir(mode=0o755)
            yield fresh
            if before:
                _exchange(fresh, target, before, folder)
            else:
                _appear(fresh, target, folder)
        finally:
            shutil.rmtree(work / "new", ignore_errors=True)
            with suppress(OSError):  # "old" stays where it could not come back
                work.rmdir()


def refuse_existing(
    folder: AnyPath, *, kind: str, made: Made | None = None, replace: bool = False
) -> dict[str, Any]:
    """Raise an InputError where a folder exists; return the state of one that is to be replaced.

    ``kind`` is what such a folder is called in messages.  ``made`` gives the names of what a folder
    holds when it is of this kind, else none: no other folder is ever replaced, and none that holds
    anything else.
    """
    if not os.fspath(folder):
        raise InputError("the folder to make has an empty name")
    target = Path(folder)
    with _in_a_line(folder):
        try:
            target.lstat()
        except FileNotFoundError:
            return {}
        state = _state(target) if target.is_dir() and not target.is_symlink() else {}
        known = made(target) if made and state else set()
    if not known:
        why = f"it is no {kind}"
    elif others := sorted(state.keys() - known):
        why = f"it holds {others[0]!r}, which is no part of the {kind}"
    elif not replace:
        why = f"it holds a {kind}; say --replace"
    else:
        return state
    raise InputError(f"{folder}: exists already and is not written over ({why})")


@contextmanager
def _in_a_line(folder: AnyPath) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({reason(error)})") from None


def _appear(fresh: Path, target: Path, folder: AnyPath) -> None:
    """Rename a folder to one that was not there; another process may have made it meanwhile."""
    try:
        os.rename(fresh, target)
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise
        raise InputError(
            f"{folder}: came meanwhile and is not written over; only one command can make it"
        ) from None


def _exchange(fresh: Path, target: Path, before: Mapping[str, Any], folder: AnyPath) -> None:
    """Rename a folder to one that is there; if that fails, what was there comes back."""
    old = fresh.with_name("old")
    os.rename(target, old)
    try:
        if _state(old) != before:
            raise InputError(f"{folder}: was changed meanwhile and is not written over")
        os.rename(fresh, target)
    except BaseException:
        try:
            os.rename(old, target)
        except OSError:
            raise InputError(f"{folder}: something else came there; the old one is {old}") from None
        raise
    with suppress(OSError):
        for name in before:  # and nothing else, whatever came in
            os.unlink(old / name)
        os.rmdir(old)


def _state(folder: Path) -> dict[str, Any]:
    """Return name to what changes with a file's content."""
    states = {name: os.lstat(folder / name) for name in os.listdir(folder)}
    return {name: (of.st_ino, of.st_size, of.st_mtime_ns) for name, of in states.items()}
