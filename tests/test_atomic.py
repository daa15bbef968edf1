"""Folders that appear whole or not at all, whatever fails and when."""

import errno
from pathlib import Path

import pytest

from lib.atomic import fresh_folder
from lib.errors import InputError


def everything(folder):
    """Return every file below a folder, hidden ones too, with its content."""
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }


def write(folder, text, **options):
    with fresh_folder(folder, kind="pile", marker="mark", **options) as fresh:
        (fresh / "mark").write_text(text)


def failing_rename(at):
    """Return a rename that fails the given time, counted from 1, as on a disk that breaks."""
    real, calls = Path.rename, []

    def rename(path, target):
        calls.append(target)
        if len(calls) == at:
            raise OSError(errno.EIO, "Input/output error")
        return real(path, target)

    return rename


@pytest.mark.parametrize("at", [1, 2], ids=["the old one away", "the new one in its place"])
def test_when_a_rename_fails_the_old_folder_is_there_as_it_was(at, tmp_path, monkeypatch):
    write(tmp_path / "c", "old")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", failing_rename(at))
        with pytest.raises(InputError, match=r"/c: cannot be written \(Input/output error\)$"):
            write(tmp_path / "c", "new", replace=True)
    assert everything(tmp_path) == {"c/mark": "old"}
    write(tmp_path / "c", "new", replace=True)
    assert everything(tmp_path) == {"c/mark": "new"}


def test_when_the_rename_fails_nothing_appears(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "rename", failing_rename(1))
    with pytest.raises(InputError, match="cannot be written"):
        write(tmp_path / "c", "new")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("replace", [False, True])
def test_an_error_within_leaves_what_was_there(replace, tmp_path):
    if replace:
        write(tmp_path / "c", "old")
    before = everything(tmp_path)
    with (
        pytest.raises(ZeroDivisionError),
        fresh_folder(tmp_path / "c", kind="pile", marker="mark", replace=replace) as fresh,
    ):
        (fresh / "mark").write_text("half")
        raise ZeroDivisionError
    assert everything(tmp_path) == before


def test_only_a_folder_of_the_kind_is_replaced(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis").write_text("text")
    with pytest.raises(InputError, match=r"exists already and is not written over \(it is no pile"):
        write(tmp_path / "mine", "new", replace=True)
    write(tmp_path / "c", "old")
    with pytest.raises(InputError, match=r"\(it holds a pile; say --replace\)$"):
        write(tmp_path / "c", "new")
    assert everything(tmp_path) == {"mine/thesis": "text", "c/mark": "old"}
