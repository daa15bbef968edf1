"""Folders that appear whole or not at all, whatever fails and when, and whoever else is at it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lib.atomic import fresh_folder
from lib.errors import InputError

ROOT = Path(__file__).resolve().parent.parent


def everything(folder):
    """Return every file below a folder, hidden ones too, with its content."""
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }


def made(folder):
    return {"mark"} if (folder / "mark").is_file() else set()


def write(folder, text, **options):
    with fresh_folder(folder, kind="pile", made=made, **options) as fresh:
        (fresh / "mark").write_text(text)


@pytest.mark.parametrize("replace", [False, True])
def test_an_error_within_leaves_what_was_there(replace, tmp_path):
    if replace:
        write(tmp_path / "c", "old")
    before, folder = everything(tmp_path), tmp_path / "c"
    new = fresh_folder(folder, kind="pile", made=made, replace=replace)
    with pytest.raises(ZeroDivisionError), new as fresh:
        (fresh / "mark").write_text("half")
        raise ZeroDivisionError
    assert everything(tmp_path) == before
    assert os.listdir(tmp_path) == ["c"] * replace


def test_only_a_folder_of_the_kind_is_replaced_and_when_asked(tmp_path):
    write(tmp_path / "c", "old")
    with pytest.raises(InputError, match=r"exists already .* \(it holds a pile; say --replace\)$"):
        write(tmp_path / "c", "new")
    (tmp_path / "c" / "notes").write_text("mine")
    with pytest.raises(InputError, match=r"\(it holds 'notes', which is no part of the pile\)$"):
        write(tmp_path / "c", "new", replace=True)
    (tmp_path / "empty").mkdir()
    (tmp_path / "link").symlink_to("c")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "file").write_text("mine")
    for name in ("empty", "link", "dangling", "file"):
        with pytest.raises(InputError, match=rf"/{name}: exists already .* \(it is no pile\)$"):
            write(tmp_path / name, "new", replace=True)
    assert (tmp_path / "dangling").is_symlink() and (tmp_path / "empty").is_dir()
    assert everything(tmp_path / "c") == {"mark": "old", "notes": "mine"}


# What comes while the work goes on is never touched.
MEANWHILE = {
    "a folder": lambda c: (c.mkdir(), (c / "thesis").write_text("mine")),
    "a file": lambda c: c.write_text("mine"),
    "a link": lambda c: c.symlink_to(c.parent / "else"),
}


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize("what", MEANWHILE)
def test_what_comes_meanwhile_stays(what, replace, tmp_path):
    (tmp_path / "else").mkdir()
    (tmp_path / "else" / "f").write_text("mine")
    with (
        pytest.raises(InputError, match=r"c: cannot be written \((Directory not empty|Not a dir)"),
        fresh_folder(tmp_path / "c", kind="pile", made=made, replace=replace) as fresh,
    ):
        (fresh / "mark").write_text("new")
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
            (Path(path) / name).write_text("mine, and longer")
        return real(path, target)

    new = fresh_folder(tmp_path / "c", kind="pile", made=made, replace=True)
    with pytest.raises(InputError, match="c: was changed meanwhile and is not written over$"), new:
        if late:
            monkeypatch.setattr(os, "rename", rename)
        else:
            (tmp_path / "c" / name).write_text("mine, and longer")
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
# One process does it all, and a child of its each step, so that hundreds take no time.

COMMON = """
import errno, json, os, signal, sys
from pathlib import Path
from lib.atomic import fresh_folder
from lib.errors import InputError

def made(folder):
    return {"mark", "more"} if (folder / "mark").is_file() else set()

def write(text, **options):
    with fresh_folder("a/c", kind="pile", made=made, **options) as fresh:
        (fresh / "mark").write_text(text)
        (fresh / "more").write_text(text)

def everything():
    return {p.as_posix(): p.read_text() for p in sorted(Path(".").rglob("*")) if p.is_file()}

how, replace, home = sys.argv[1], sys.argv[2] == "replace", Path(sys.argv[3])
"""
STEPS = """
EVENTS = {"os.mkdir", "os.rename", "os.rmdir", "os.remove", "os.listdir", "os.scandir", "open"}

seen = 0

def fail_at(step):
    def hook(event, arguments):
        global seen
        if event in EVENTS and str(arguments[0]) != os.devnull:
            seen += 1
            if seen == step:
                if how == "kill":
                    os.kill(os.getpid(), signal.SIGKILL)
                raise OSError(errno.ENOSPC, "No space left on device")
    sys.addaudithook(hook)

step, found = 0, []
while not found or found[-1]["status"] != 9:  # nothing failed: there is no such step
    step += 1
    here = home / str(step)
    here.mkdir()
    os.chdir(here)
    Path("thesis").write_text("mine")
    if replace:
        write("old")
    child = os.fork()
    if not child:
        fail_at(step)
        try:
            write("new", replace=replace)
            os._exit(0 if seen >= step else 9)
        except InputError as error:
            os._exit(2 if "No space left" in str(error) else 3)
        except BaseException:
            os._exit(4)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    left = everything()
    again = 0
    if how == "kill":
        try:
            write("again", replace=True)
        except InputError:
            again = 2
    found.append({"status": status, "left": left, "again": again, "after": everything()})
print(json.dumps(found))
"""


def run(script, how, replace, folder):
    words = [sys.executable, "-c", COMMON + script, how, "replace" if replace else "new", folder]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(words, text=True, capture_output=True, env=environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def whole(left, text):
    """Return the folders of files left, but for the thesis, that hold the text and are whole."""
    assert left["thesis"] == "mine"
    folders = {path.rpartition("/")[0] for path in left if "/" in path}
    return [f for f in folders if left.get(f"{f}/mark") == left.get(f"{f}/more") == text]


@pytest.mark.parametrize("replace", [False, True])
def test_a_kill_at_any_step_loses_nothing(replace, tmp_path):
    tries = run(STEPS, "kill", replace, tmp_path)
    assert len(tries) > (8 if replace else 5)
    for found in tries:
        left = found["left"]
        assert found["status"] in (-9, 9)
        at_its_place = {path: text for path, text in left.items() if path.startswith("a/c/")}
        if replace and whole(left, "old") != ["a/c"] and whole(left, "new") != ["a/c"]:
            # Between the two renames: the old one and the new one stand whole in the hidden folder.
            assert not at_its_place
            assert {f.rpartition("/")[2] for f in whole(left, "old") + whole(left, "new")} == {
                "old",
                "new",
            }
        assert len(set(at_its_place.values())) <= 1 and len(at_its_place) in (0, 2)
        # The next command with --replace does its work, and loses nothing either.
        assert found["again"] == 0
        assert whole(found["after"], "again") == ["a/c"]
        kept = {path: text for path, text in left.items() if not path.startswith("a/c/")}
        assert kept.items() <= found["after"].items()


@pytest.mark.parametrize("replace", [False, True])
def test_a_full_disk_at_any_step_leaves_what_was_there(replace, tmp_path):
    tries = run(STEPS, "full", replace, tmp_path)
    assert len(tries) > (8 if replace else 5)
    for found in tries:
        assert found["status"] in (0, 2, 9)  # 0: what could not be removed stays, hidden
        here = [path for path in found["left"] if path.startswith("a/c/")]
        if found["status"] == 2:
            assert whole(found["left"], "old") == ["a/c"] * replace
            assert len(here) == 2 * replace
        else:
            assert whole(found["left"], "new") == ["a/c"]
            assert len(here) == 2
