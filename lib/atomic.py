"""Folders that appear whole or not at all."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lib.errors import InputError, reason
from lib.paths import AnyPath

__all__ = ["fresh_folder"]


@contextmanager
def fresh_folder(
    folder: AnyPath, *, kind: str, marker: str | None = None, replace: bool = False
) -> Iterator[Path]:
    """Return a context that gives an empty folder, and renames it to ``folder`` when it succeeds.

    When anything goes wrong, ``folder`` is as it was.  A process that is killed may leave a hidden
    folder ``.unfinished-...`` behind, in which nothing is ever looked for.

    Parameters
    ----------
    folder : path
        What is to appear; its parents are made.
    kind : str
        What such a folder is called in messages.
    marker : str, optional
        Name of a file that tells a folder of this kind: no other one is ever replaced.
    replace : bool
        Replace a folder of this kind that is already there.

    Raises
    ------
    InputError
        The folder exists and may not be replaced, or cannot be written.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as home:
    ...     with fresh_folder(f"{home}/a/b", marker="x", kind="example") as fresh:
    ...         _ = (fresh / "x").write_text("whole")
    ...     print(Path(home, "a", "b", "x").read_text())
    whole
    """
    folder = Path(folder)
    ours = marker is not None and (folder / marker).is_file()
    if (folder.exists() or folder.is_symlink()) and not (replace and ours):
        why = f"it holds a {kind}; say --replace" if ours else f"it is no {kind}"
        raise InputError(f"{folder}: exists already and is not written over ({why})")
    try:
        # Beside the folder, or above it where its parents do not exist either: they are made only
        # when there is something to put into them.
        home = next(path for path in folder.absolute().parents if path.exists())
        with tempfile.TemporaryDirectory(prefix=".unfinished-", dir=home) as work:
            fresh = Path(work, "new")
            fresh.mkdir(mode=0o755)
            yield fresh
            folder.parent.mkdir(parents=True, exist_ok=True)
            _exchange(fresh, folder, Path(work, "old"))
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({reason(error)})") from None


def _exchange(fresh, folder, old):
    """Rename ``fresh`` to ``folder``; what was there goes to ``old``, or back if that fails."""
    if not folder.exists():
        fresh.rename(folder)
        return
    folder.rename(old)
    try:
        fresh.rename(folder)
    except OSError:
        old.rename(folder)
        raise
