"""Folders that appear whole or not at all, whatever fails and when, and whoever else is at it."""

import errno
import itertools
import os
import signal
import sys
from pathlib import Path

import pytest
from strange import files_below

from lib.atomic import fresh_folder
from lib.errors import InputError


def everything(folder):
    """Return every text below a folder, hidden ones too."""
    return {name: content.decode() for name, content in files_below(folder).items()}


def made(folder):
    return {"mark", "more"} if (folder / "mark").is_file() else set()


def write(folder, text, names=("mark",), **options):
    with fresh_folder(folder, kind="pile", made=made, **options) as fresh:
        for name in names:
            (fresh / name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("replace", [False, True])
def test_an_error_within_leaves_what_was_there(replace, tmp_path):
    if replace:
        write(tmp_path / "c", "old")
    before, folder = everything(tmp_path), tmp_path / "c"
    new = fresh_folder(folder, kind="pile", made=made, replace=replace)
    with pytest.raises(ZeroDivisionError), new as fresh:
        (fresh / "mark").write_text("half", encoding="utf-8")
        raise ZeroDivisionError
    assert everything(tmp_path) == before
    assert os.listdir(tmp_path) == ["c"] * replace


@pytest.mark.posix
def test_only_a_folder_of_the_kind_is_replaced_and_when_asked(tmp_path):
    write(tmp_path / "c", "old")
    with pytest.raises(InputError, match=r"exists already .* \(it holds a pile; say --replace\)$"):
        write(tmp_path / "c", "new")
    (tmp_path / "c" / "notes").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=r"\(it holds 'notes', which is no part of the pile\)$"):
        write(tmp_path / "c", "new", replace=True)
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to("c")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    for name in ("empty", "link", "dangling", "file"):
        with pytest.raises(InputError, match=rf"/{name}: exists already .* \(it is no pile\)$"):
            write(tmp_path / name, "new", replace=True)
    assert (tmp_path / "dangling").is_symlink() and (tmp_path / "empty").is_dir()
    assert everything(tmp_path / "c") == {"mark": "old", "notes": "mine"}
    (tmp_path / "c" / "notes").unlink()
    write(tmp_path / "c", "new", replace=True)
    assert everything(tmp_path / "c") == {"mark": "new"}
    assert sorted(os.listdir(tmp_path)) == ["c", "dangling", "empty", "file", "link"]


# What comes while the work goes on is never touched.
MEANWHILE = {
    "a folder": lambda c: (c.mkdir(), (c / "thesis").write_text("mine", encoding="utf-8")),
    "a file": lambda c: c.write_text("mine", encoding="utf-8"),
    "a link": lambda c: c.symlink_to(c.parent / "else"),
}


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("what", MEANWHILE)
@pytest.mark.posix
def test_what_comes_meanwhile_stays(what, replace, tmp_path):
    (tmp_path / "else").mkdir()
    (tmp_path / "else" / "f").write_text("mine", encoding="utf-8")
    with (
        pytest.raises(InputError, match=r"c: (came meanwhile|cannot be written \(Not a dir)"),
        fresh_folder(tmp_path / "c", kind="pile", made=made, replace=replace) as fresh,
    ):
        (fresh / "mark").write_text("new", encoding="utf-8")
        MEANWHILE[what](tmp_path / "c")
        before = everything(tmp_path)
    del before[f"{fresh.relative_to(tmp_path).as_posix()}/mark"]
    assert everything(tmp_path) == before and "mine" in before.values()
    assert not list(tmp_path.glob(".unfinished*"))


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("name", ["mark", "notes"])
def test_what_changes_in_a_folder_to_be_replaced_stays(name, late, tmp_path, monkeypatch):
    write(tmp_path / "c", "old")
    real = os.rename

    def rename(path, target):
        if Path(target).name == "old":  # at the last moment
            (Path(path) / name).write_text("mine, and longer", encoding="utf-8")
        return real(path, target)

    new = fresh_folder(tmp_path / "c", kind="pile", made=made, replace=True)
    with pytest.raises(InputError, match="c: was changed meanwhile and is not written over$"), new:
        if late:
            monkeypatch.setattr(os, "rename", rename)
        else:
            (tmp_path / "c" / name).write_text("mine, and longer", encoding="utf-8")
    assert everything(tmp_path) == {"c/mark": "old", f"c/{name}": "mine, and longer"}


def test_a_name_that_is_taken_between_two_renames_keeps_both(tmp_path, monkeypatch):
    write(tmp_path / "c", "old")
    real = os.rename

    def rename(path, target):
        real(path, target)
        if Path(target).name == "old":
            write(tmp_path / "c", "another")

    monkeypatch.setattr(os, "rename", rename)
    with pytest.raises(InputError, match="c: something else came there; the old one is ") as error:
        write(tmp_path / "c", "new", replace=True)
    kept = Path(str(error.value).rpartition(" ")[2]).relative_to(tmp_path).as_posix()
    assert everything(tmp_path) == {"c/mark": "another", f"{kept}/mark": "old"}


# A process is stopped, or the disk is full, before each step: an event that Python's audit tells.

EVENTS = {"os.mkdir", "os.rename", "os.rmdir", "os.remove", "os.listdir", "os.scandir", "open"}
NO_SUCH_STEP, FULL = 9, 2


def writes_until(step, how, target, replace):
    """Write anew in a process of its own, which fails before a step; return its status."""
    if child := os.fork():
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    steps = itertools.count(1)

    def hook(event, arguments):
        if event in EVENTS and str(arguments[0]) != os.devnull and next(steps) == step:
            if how == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            raise OSError(errno.ENOSPC, "No space left on device")

    sys.addaudithook(hook)
    try:
        write(target, "new", names=("mark", "more"), replace=replace)
        os._exit(0 if next(steps) > step else NO_SUCH_STEP)
    except InputError as error:
        os._exit(FULL if "No space left" in str(error) else 3)
    finally:
        os._exit(4)


def tries(home, how, replace):
    """Fail before each step; yield the folder, the status, and what is left there."""
    for step in itertools.count(1):
        here = home / str(step)
        here.mkdir()
        (here / "thesis").write_text("mine", encoding="utf-8")
        if replace:
            write(here / "a" / "c", "old", names=("mark", "more"))
        status = writes_until(step, how, here / "a" / "c", replace)
        yield here, status, everything(here)
        if status == NO_SUCH_STEP:
            break
    assert step > (8 if replace else 5)


def whole(left, text):
    """Return the folders of files left, but for the thesis, that hold the text and are whole."""
    assert left["thesis"] == "mine"
    folders = {path.rpartition("/")[0] for path in left if "/" in path}
    return [f for f in folders if left.get(f"{f}/mark") == left.get(f"{f}/more") == text]


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.posix
def test_a_kill_at_any_step_loses_nothing(replace, tmp_path):
    for here, status, left in tries(tmp_path, "kill", replace):
        assert status in (-signal.SIGKILL, NO_SUCH_STEP)
        at_its_place = {path: text for path, text in left.items() if path.startswith("a/c/")}
        if replace and whole(left, "old") != ["a/c"] and whole(left, "new") != ["a/c"]:
            # Between the two renames: the old one and the new one stand whole in the hidden folder.
            assert not at_its_place
            hidden = {path.rpartition("/")[2] for path in whole(left, "old") + whole(left, "new")}
            assert hidden == {"old", "new"}
        assert len(set(at_its_place.values())) <= 1 and len(at_its_place) in (0, 2)
        # The next command with --replace does its work, and loses nothing either.
        write(here / "a" / "c", "again", names=("mark", "more"), replace=True)
        after = everything(here)
        assert whole(after, "again") == ["a/c"]
        kept = {path: text for path, text in left.items() if not path.startswith("a/c/")}
        assert kept.items() <= after.items()


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.posix
def test_a_full_disk_at_any_step_leaves_what_was_there(replace, tmp_path):
    for _, status, left in tries(tmp_path, "full", replace):
        assert status in (0, FULL, NO_SUCH_STEP)  # 0: what could not be removed stays, hidden
        text = "old" if status == FULL else "new"
        stays = status != FULL or replace
        assert whole(left, text) == ["a/c"] * stays
        assert sum(path.startswith("a/c/") for path in left) == 2 * stays
