"""The command line: what a user types, sees, and gets wrong."""

import io
import json
import runpy
import sys

import pandas as pd
import pytest
from bad_input import prepare
from processes import run_python

import lib
from chapters.ledger import papers
from chapters.ledger import rows as books
from lib import load
from lib.cli import main
from lib.cli.common import COMMANDS, print_table, rounded
from lib.paths import ROOT


@pytest.fixture
def files(tmp_path):
    prepare(tmp_path)
    return tmp_path


def derive(files, *options):
    return ["derive", f"{files}/runs", f"{files}/qrels", "--out", f"{files}/out", *options]


def test_derive_then_evaluate(files, printed):
    said = printed(derive(files, "--systems", str(files / "systems"))).out
    assert "2 systems, 3 topics, 3 relevant documents" in said
    out = printed(["evaluate", str(files / "out"), "--measures", "RR P@1, AP(rel=2)"]).out
    table = pd.read_csv(io.StringIO(out), dtype={"topic": str})
    assert list(table.columns) == ["system", "topic", "measure", "score"]
    # A finds topic 1's document at rank 2 and topic 2's, of grade 2, at rank 1.
    found = table.set_index(["system", "topic", "measure"])["score"]
    assert found["A", "1", "RR"] == 0.5
    assert found["A", "2", "AP(rel=2)"] == 1.0
    assert found["A", "1", "AP(rel=2)"] == 0.0
    assert load(files / "out").systems["pooled"].to_dict() == {"A": "yes", "B": "no"}
    lines = printed(["evaluate", str(files / "out")]).out.splitlines()
    measures = [line.split(",")[2] for line in lines[1:]]
    assert set(measures) == {"AP", "nDCG", "P@10", "RR"} and len(measures) == 24


@pytest.mark.parametrize("form", ["csv", "json", "text"])
def test_a_run_is_evaluated_without_what_takes_long_to_import(files, form):
    measures = "AP nDCG@10 P@1 RR RBP(p=0.8) GMAP Bpref"
    words = ["evaluate", "runs/A", "qrels", "--measures", measures, "--format", form]
    code = f"import sys; from lib.cli import main; main({words}); print(*sys.modules)"
    done = run_python("-c", code, cwd=files, PYTHONPATH=str(ROOT))
    *scores, modules = done.stdout.splitlines()
    assert len(scores) >= 15, done.stderr
    heavy = {"pandas", "scipy", "matplotlib", "pyarrow", "joblib", "pytrec_eval", "tqdm"}
    assert not heavy & {*modules.split()}


def test_table_prints_published_reproduced_difference_verdict(printed):
    table = pd.read_csv(io.StringIO(printed("table webber2008 1").out))
    columns = "row column published reproduced difference verdict"
    assert list(table.columns) == columns.split() and len(table) == 15
    assert (table["difference"] - (table["reproduced"] - table["published"])).abs().max() < 1e-9
    words = "table webber2008 1 --collection trec-covid --format text"
    lines = printed(words).out.splitlines()
    assert lines[0].split()[:3] == ["row", "column", "value"] and len(lines) == 16


def test_a_worse_ledger_is_exit_status_1(monkeypatch, printed):
    committed = books.committed()
    before = committed.copy()
    at = before.index[before["verdict"] == "differs"][0]
    before.loc[at, "verdict"] = "reproduced"
    monkeypatch.setattr(papers, "ledger", lambda: committed)
    assert printed("ledger").err == ""
    monkeypatch.setattr(books, "committed", lambda: before)
    assert "worse than committed: " in printed("ledger", 1).err


def test_a_table_is_rounded_and_has_digits_for_people_and_null_for_programs(capsys):
    inf, nan = float("inf"), float("nan")
    table = {"run": ["A_1", "B"], "mean": [0.12345678, nan], "p": [1.23456789e-9, 0.5]}
    table = rounded(pd.DataFrame(table | {"pairs": [3, 40], "n": [inf, 2.0]}))
    print_table(table, "text")
    text = "run mean p pairs n A_1 0.1235 1e-09 3 inf B - 0.5000 40 2.0000"
    said = capsys.readouterr().out
    assert said.split() == text.split() and len({*map(len, said.splitlines())}) == 1
    print_table(table, "markdown")
    assert r"| A\_1 | 0.1235 | 1e-09 | 3 | inf |" in capsys.readouterr().out
    print_table(table, "json")
    first, second = json.loads(capsys.readouterr().out)
    assert first == {"run": "A_1", "mean": 0.123457, "p": 1.23457e-9, "pairs": 3, "n": None}
    assert second == {"run": "B", "mean": None, "p": 0.5, "pairs": 40, "n": 2.0}


def said(words, capsys):
    """What a command prints that ends the parser."""
    with pytest.raises(SystemExit) as end:
        main(words)
    assert end.value.code == 0
    return capsys.readouterr().out


def test_help_names_every_command_and_each_has_an_example(capsys):
    every = "derive feedback evaluate compare compare-qrels incomplete elsewhere plan table report"
    text = said(["--help"], capsys)
    for command in f"{every} fetch ledger".split():
        assert f"\n    {command}" in text
        assert f"Example: python -m lib {command} " in said([command, "--help"], capsys)
        assert "%%" not in said([command, "--help"], capsys)
    for command, (_, _, of) in COMMANDS.items():
        actions = [action for parent in of["parents"] for action in parent._actions]
        assert of["help"] and [one.dest for one in actions if not one.help] == [], command
    assert text.rstrip().splitlines()[-1].startswith("Example: python -m lib compare A.run")
    assert said(["--version"], capsys) == f"{lib.__version__}\n"


def test_a_command_without_its_extra_says_what_to_install(files, printed, monkeypatch):
    monkeypatch.setitem(sys.modules, "papermill", None)  # as if it were not there
    monkeypatch.delitem(sys.modules, "chapters.report.page", raising=False)
    printed(derive(files))
    words = ["report", "--collection", str(files / "out"), "--out", str(files / "page")]
    wanted = "error: papermill is not installed: pip install 'measuring-the-measures[report]'\n"
    assert printed(words, 2) == ("", wanted)
    assert not (files / "page").exists()


@pytest.mark.parametrize(
    "given, kept",
    [
        ("", ""),
        ("--judged --names clean --skip B", " --names clean --skip B --judged"),
        ("--jobs 1 --relevant-from 1 --replace", ""),  # by default, or of no matter
        (
            "--relevant-from 2 --highest-grade 2 --skip-faulty",
            " --skip-faulty --relevant-from 2 --highest-grade 2",
        ),
        ("--systems {}/systems", " --systems systems"),
    ],
)
def test_the_package_has_the_command_without_folders_and_what_is_stated(
    given, kept, files, printed
):
    (files / "about.json").write_text(
        '{"title": "Mine", "rights": "Ours.", "licences": "dropped"}', encoding="utf-8"
    )
    about = ["--about", str(files / "about.json")]
    printed(derive(files, *given.format(files).split(), *about))
    package = json.loads((files / "out" / "datapackage.json").read_text(encoding="utf-8"))
    assert (package["title"], package["rights"]) == ("Mine", "Ours.")
    assert package["command"] == f"python -m lib derive runs qrels{kept} --out out"
    assert "licences" not in package and str(files) not in json.dumps(package)


@pytest.mark.parametrize(
    "command", ["derive nowhere nothing", "feedback nowhere", "report --collection nowhere"]
)
def test_what_is_in_the_way_is_told_before_all(command, here, printed):
    (here / "out").mkdir()
    (here / "out" / "thesis").write_text("mine", encoding="utf-8")
    for replace in ([], ["--replace"]):
        err = printed([*command.split(), "--out", "out", *replace], 2).err
        assert err.startswith("error: out: exists already")
    # And where nothing is in the way, a mistake leaves nothing.
    err = printed([*command.split(), "--out", "a/b"], 2).err
    assert "nowhere" in err and err.count("\n") == 1 and ".unfinished" not in err
    assert [path.name for path in here.rglob("*")] == ["out", "thesis"]


def test_an_interruption_before_the_commands_are_there_is_a_line_too(monkeypatch, capsys):
    class Interrupted:
        def find_spec(self, name, *of):
            if name == "lib.cli":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "lib.cli")
    monkeypatch.setattr(sys, "meta_path", [Interrupted(), *sys.meta_path])
    with pytest.raises(SystemExit) as left:
        runpy.run_module("lib", run_name="__main__")
    assert (left.value.code, capsys.readouterr().err) == (130, "interrupted\n")
