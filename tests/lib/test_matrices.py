"""Score matrices: imported, loaded, refused; and what the statistics say of Robust 2004's."""

import json
import re
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strange import write_files

from lib.collection import load_scores
from lib.collection.load import SCORES_FILE
from lib.errors import InputError
from lib.paths import DATA, ROOT

OWN = sorted(path.parent.relative_to(DATA).as_posix() for path in DATA.rglob(SCORES_FILE))
importer = SimpleNamespace(**run_path(str(ROOT / "data" / "import_scores.py")))

AP = "topic,A,B\n301,.25,0\n302,1,0.1234\n"


@pytest.fixture
def files(here):
    """Two files of scores in a folder, from which commands are given."""
    write_files(here, {"ap.csv": AP, "err.csv": '"A","B"\n0.3,0.00001\n1,0\n'})


# ---------------------------------------------------------------- round trips


def test_files_become_a_matrix(files):
    Path("err.csv").write_text("topic,A,B\n301,0.3,0.00001\n302,1,0\n", encoding="utf-8")
    importer.main(["AP=ap.csv", "ERR(p=0.8)=err.csv", "--out", "m"])
    found = load_scores("m")
    assert {measure: table.to_numpy().tolist() for measure, table in found.items()} == {
        "AP": [[0.25, 0], [1, 0.1234]],
        "ERR(p=0.8)": [[0.3, 0.00001], [1, 0]],
    }
    assert [axis.tolist() for axis in found["AP"].axes] == [["301", "302"], ["A", "B"]]
    package = json.loads(Path("m/datapackage.json").read_text(encoding="utf-8"))
    assert package["score_of_1"] == {"AP": 10_000, "ERR(p=0.8)": 100_000}
    command = "python data/import_scores.py AP=ap.csv 'ERR(p=0.8)=err.csv' --out m"
    assert package["command"] == command
    table = pd.read_parquet("m/scores.parquet")
    assert [str(kind) for kind in table.dtypes] == ["int32", "int32", "int16", "int32"]


def test_topics_without_a_column_are_numbered(files):
    assert importer.read_scores("err.csv").index.tolist() == ["1", "2"]


@given(st.data())
def test_any_scores_of_four_decimals_come_back_to_the_last_bit(tmp_path_factory, data):
    topics, systems = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    whole = st.lists(st.integers(0, 10_000), min_size=systems, max_size=systems)
    rows = data.draw(st.lists(whole, min_size=topics, max_size=topics))
    drawn = pd.DataFrame(rows) / 10_000
    drawn.index, drawn.columns = drawn.index.astype(str), drawn.columns.astype(str)
    folder = tmp_path_factory.mktemp("scores") / "m"
    importer.save_scores(folder, {"AP": drawn})
    assert np.array_equal(load_scores(folder)["AP"], drawn)


@pytest.mark.parametrize("wrong", [1, 0, "10000", None, [10_000]])
def test_a_unit_that_is_none_is_refused(files, wrong):
    importer.main(["AP=ap.csv", "--out", "m"])
    path = Path("m/datapackage.json")
    package = json.loads(path.read_text(encoding="utf-8"))
    for units in ({"AP": wrong}, [wrong]):
        path.write_text(json.dumps(package | {"score_of_1": units}), encoding="utf-8")
        with pytest.raises(InputError, match="^m: not a score matrix"):
            load_scores("m")


# ---------------------------------------------------------------- refused

BAD = {
    "another number of columns": ("topic,A,B\n301,1\n", "ap.csv, line 2: 2 columns, not 3"),
    "no number": ("topic,A,B\n\n301,1,high\n", "ap.csv, line 3: score 'high' is not in [0, 1]"),
    "not a number": ("topic,A,B\n301,1,nan\n", "ap.csv, line 2: score 'nan' is not in [0, 1]"),
    "above 1": ("topic,A,B\n301,1,1.1\n", "ap.csv, line 2: score '1.1' is not in [0, 1]"),
    "too fine": ("topic,A,B\n301,1,.000001\n", "AP: a score is not rounded to 5 digits"),
    "a system twice": ("topic,A,A\n301,1,1\n", "run: a name stands twice"),
    "a topic twice": ("topic,A\n301,1\n301,1\n", "topic: a name stands twice"),
    "no system": ("topic\n301\n", "run: a name stands twice, or there is none"),
    "no topic": ("topic,A\n", "ap.csv: holds no scores"),
    "nothing": ("", "ap.csv: holds no scores"),
}
EVAL = "map\t{}\t{}\n"
BAD_OUTPUTS = {  # of trec_eval -q, run by run
    "no file": ({}, "outputs: holds no outputs of trec_eval, RUN.eval"),
    "an empty file": ({"A": EVAL.format(1, 0.5), "B": ""}, "B.eval: holds no scores by topic"),
    "means alone": ({"A": EVAL.format("all", 0.5)}, "A.eval: holds no scores by topic"),
    "above 1": ({"A": EVAL.format(1, 0.5) + EVAL.format(2, 1.5)}, "A.eval, line 2: score '1.5' by"),
    "no number": ({"A": EVAL.format(1, "x")}, "A.eval, line 1: score 'x' is not a finite number"),
    "a topic twice": ({"A": EVAL.format(1, 0.5) * 2}, "A.eval, line 2: .* stands twice"),
    "other topics": (
        {"A": EVAL.format(1, 0.5), "B": EVAL.format(2, 0.5)},
        "topic '1', system 'B': no score by AP",
    ),
}


def refused(capsys, *words):
    """Hold that the import is refused, with status 2 and nothing written; return what it says."""
    with pytest.raises(SystemExit) as stop:
        importer.main([*words, "--out", "m"])
    assert stop.value.code == 2
    assert not Path("m").exists()
    return capsys.readouterr().err


@pytest.mark.parametrize(("content", "message"), BAD.values(), ids=BAD)
def test_malformed_scores_are_refused_and_nothing_is_written(files, content, message, capsys):
    Path("ap.csv").write_text(content, encoding="utf-8")
    assert f"error: {message}" in refused(capsys, "AP=ap.csv")


@pytest.mark.parametrize(("runs", "message"), BAD_OUTPUTS.values(), ids=BAD_OUTPUTS)
def test_malformed_outputs_of_trec_eval_are_refused(files, runs, message, capsys):
    Path("outputs").mkdir()
    write_files(Path("outputs"), {f"{run}.eval": text for run, text in runs.items()})
    assert re.match(f"error: (outputs/)?{message}", refused(capsys, "--trec-eval", "outputs"))


def test_measures_of_other_topics_are_refused(files, capsys):
    said = refused(capsys, "AP=ap.csv", "err=err.csv")
    assert "err: other topics or systems than the first" in said


# ---------------------------------------------------------------- those of the book

# Made of outputs of trec_eval, not among the originals: test_confirmation has their means.
OUTPUTS = ("blog08", "terabyte06-by-topic")
# Package: the stem of its original files.  Another folder of scores fails below.
ORIGINALS = {"robust04": "robust2004", "trec6": "adhoc6", "trec7": "adhoc7"} | {
    name: name for name in ("web2010", "web2011", "web2012", "web2013", "web2014")
}
PARTS = {m: m.lower().replace("@", "") for m in ("AP", "P@10", "P@20", "RR", "nDCG@20", "ERR@20")}


# Long: 549 systems from their files, twice; the 30 of 2014 notice most of it.
@pytest.mark.frozen("{name}")
@pytest.mark.parametrize(
    "name",
    [
        "web2014",
        *(
            pytest.param(n, marks=pytest.mark.long)
            for n in OWN
            if n in ORIGINALS and n not in ("web2014", *OUTPUTS)
        ),
    ],
)
def test_a_matrix_is_made_again_by_its_command_and_equals_the_files(name, originals, tmp_path):
    recorded = json.loads((DATA / name / "datapackage.json").read_text(encoding="utf-8"))
    about = str(DATA / name / "datapackage.json")
    stem = f"{originals / 'matrices'}/{ORIGINALS[name]}"
    words = [f"{measure}={stem}_{PARTS[measure]}.csv" for measure in recorded["score_of_1"]]
    importer.main([*words, "--about", about, "--out", str(tmp_path / name)])
    made = json.loads((tmp_path / name / "datapackage.json").read_text(encoding="utf-8"))
    for package in (made, recorded):  # bytes hang on the version of what writes them
        for resource in package["resources"]:
            del resource["hash"]
    ours = {key: recorded[key] for key in ("id", "version", "again")}
    assert made | ours == recorded
    for measure, scored in load_scores(name).items():
        theirs = pd.read_csv(f"{stem}_{PARTS[measure]}.csv")
        np.testing.assert_array_equal(scored, theirs.drop(columns="topic", errors="ignore"))
