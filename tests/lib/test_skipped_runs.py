"""Faulty runs are told all at once, and left out on request; what names a system is a choice."""

import json
from pathlib import Path

import bad_input
import pytest
from processes import run_python

from lib import load
from lib.collection import derive
from lib.collection.trec import run_files
from lib.errors import InputError, InputErrors, InputWarning
from lib.paths import ROOT

FAULTY = {
    "runs/C": b"1 Q0 d1\n",
    "runs/D.gz": b"no gzip",
    "runs/E": b"7 Q0 d1 1 2.5 E\n",
    "runs/F": b"",
}
WHY = {
    "C": "C, line 1: 3 columns, a run has 6: topic, Q0, document, rank, score, tag",
    "D": "D.gz: cannot be read (zlib inflate failed: incorrect header check)",
    "E": "E: answers no topic of qrels: it has 7, not 1 2 3",
    "F": "F: holds no lines, a run has at least one",
}


@pytest.fixture
def folder(here):
    """The current folder: two sound runs and four faulty ones."""
    bad_input.prepare(here, FAULTY)


@pytest.mark.parametrize("jobs", [1, 2])
def test_all_faulty_runs_are_told_with_their_first_fault_each(folder, jobs, printed, monkeypatch):
    monkeypatch.setitem(derive.__globals__, "MOST_JOBS", 2)  # so many are allowed
    out, err = printed(f"derive runs qrels --out out --jobs {jobs}", 2)
    assert out == "" and not Path("out").exists()
    *faults, hint = err.splitlines()
    assert faults == [f"error: runs/{why}" for why in WHY.values()]
    assert hint == (
        "error: 4 of 6 runs are faulty; --skip NAME leaves out one, --skip-faulty all of them"
    )
    with pytest.raises(InputErrors) as error:
        derive("runs", "qrels")
    assert str(error.value).count("\n") == 4


def test_faulty_runs_are_left_out_and_the_package_says_so(folder, printed):
    out, err = printed("derive runs qrels --out out --skip-faulty")
    assert out.startswith("out: 2 systems, ")
    assert err == f"note: left out: {'; '.join(f'{run} ({why})' for run, why in WHY.items())}\n"
    package = json.loads(Path("out/datapackage.json").read_text(encoding="utf-8"))
    assert package["skipped_runs"] == WHY == load("out").skipped_runs
    assert package["command"] == "python -m lib derive runs qrels --skip-faulty --out out"
    # Faulty ones that come first take no place of another, nor do they change a table.
    Path("runs/C").rename("runs/0")
    Path("runs/F").rename("runs/AA")
    with pytest.warns(InputWarning, match="left out: "):
        c = derive("runs", "qrels", skip_faulty=True)
    for run in Path("runs").iterdir():
        if run.name not in "AB":
            run.unlink()
    for file, table in derive("runs", "qrels").tables().items():
        assert c.tables()[file].equals(table), file


def test_runs_are_left_out_by_the_name_of_the_file_or_the_system(folder, printed):
    words = "derive runs qrels --out out --skip D.gz --skip C --skip E"
    assert printed(words, 2).err == f"error: runs/{WHY['F']}\n"  # F is left
    printed(f"{words} --skip-faulty")
    assert load("out").skipped_runs == {
        **dict.fromkeys(("D.gz", "C", "E"), "left out by name"),
        "F": WHY["F"],
    }
    package = json.loads(Path("out/datapackage.json").read_text(encoding="utf-8"))
    assert "--skip D.gz --skip C --skip E --skip-faulty" in package["command"]


def test_nothing_is_made_where_every_run_is_faulty_or_one_is_not_described(folder, printed):
    words = "derive runs qrels --out out"
    err = printed(f"{words} --systems systems", 2).err
    assert err == "error: systems: has no row for the runs 'C', 'D', 'E', 'F'\n"
    for run in ("runs/A", "runs/B"):
        Path(run).write_bytes(b"")
    assert "6 of 6 runs are faulty" in printed(f"{words} --skip-faulty", 2).err
    assert not Path("out").exists()


def test_a_folder_that_may_not_be_read_is_refused_in_a_line(folder, monkeypatch, capsys):
    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(InputError, match=r"^runs: cannot be read \(Permission denied\)$"):
        run_files("runs")


def test_a_package_of_the_same_name_is_told_in_a_line(tmp_path):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "__init__.py").touch()
    script = f"import runpy; runpy.run_path({str(ROOT / 'lib' / '__main__.py')!r})"
    done = run_python("-c", script, "--help", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    found = tmp_path / "lib" / "__init__.py"
    assert done.stderr == (
        f"error: {found} is found in the place of this library; say python -P -m lib\n"
    )
    done = run_python("-P", "-m", "lib", "--help", cwd=tmp_path, PYTHONPATH=str(ROOT))
    assert done.returncode == 0 and done.stdout.startswith("usage: python -m lib")
