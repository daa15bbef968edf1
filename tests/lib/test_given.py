"""Runs and judgements as other tools hand them over, and words that cannot be meant."""

import os
import re

import pandas as pd
import pytest
from strange import write_files

from chapters import commands
from lib.cli.common import rounded
from lib.collection import read_qrels, read_run
from lib.errors import InputError

A = "1 Q0 a 1 3 x\n1 Q0 b 2 2 x\n2 Q0 a 1 3 x\n3 Q0 c 1 1 x\n"
B = "1 Q0 b 1 3 x\n1 Q0 a 2 2 x\n2 Q0 b 1 3 x\n2 Q0 a 2 2 x\n3 Q0 c 1 1 x\n"
QRELS = "1 0 a 1\n1 0 b 0\n2 0 a 1\n3 0 c 1\n"


@pytest.fixture
def files(here):
    write_files(here, {"runs/A": A, "runs/B": B, "qrels": QRELS})
    return here


@pytest.mark.posix
def test_a_pipe_in_a_folder_is_passed_over_since_nobody_writes_to_it(files, printed):
    os.mkfifo("runs/pipe")
    assert "passed over, since they are no files: pipe" in printed("evaluate runs qrels").err


@pytest.mark.parametrize(
    "text", ["query-id\tcorpus-id\tscore\n1\ta\t{}\n", '{{"1": {{"a": {}}}}}', "1 0 a {}\n"]
)
def test_a_whole_number_may_be_written_with_a_point(text, files):
    for number, grade in {"2.0": 2, "0.0": 0, "-1.0": -1, "3": 3}.items():
        (files / "q").write_text(text.format(number), encoding="utf-8")
        assert read_qrels("q") == {"1": {b"a": grade}}
    for number in ("1.5", "1_0.0", "1e300") if "{{" not in text else ("1.5", "1e300"):
        (files / "q").write_text(text.format(number), encoding="utf-8")
        with pytest.raises(InputError, match="is not a 32-bit integer"):
            read_qrels("q")


@pytest.mark.parametrize("text", ['{"1": {"": 3}}', '{"": {"a": 3}}', '{"1": {"a": 1, " ": 3}}'])
def test_a_name_that_json_leaves_empty_is_refused(text, files):
    (files / "j").write_text(text, encoding="utf-8")
    for read in (read_run, read_qrels):
        with pytest.raises(
            InputError, match="j, entry [12]: a topic or document has an empty name"
        ):
            read("j")


@pytest.mark.parametrize(
    "words", ["--collection a --collection b x y", "--measure AP --measure RR x"]
)
def test_an_option_that_is_given_twice_is_refused(words, printed):
    err = printed(f"compare {words}", 2).err
    assert f"argument {words.split()[0]}: is given twice" in err


def test_what_left_out_asks_of_bpref_is_known(files, printed):
    assert printed("left-out runs qrels --measure bpref").out.startswith("run,mean")


def test_numbers_have_six_decimals_and_p_values_six_digits():
    small = 1.23456789e-4
    table = rounded(pd.DataFrame({"mean": [small], "p": [small], "p Holm": [small]}))
    assert table.to_numpy().tolist() == [[0.000123, 1.23457e-4, 1.23457e-4]]


def test_a_note_says_what_counts_as_relevant_and_what_a_run_does_not_answer(files, printed):
    """By a folder; of a topic that no run answers the note on runs says nothing."""
    (files / "runs" / "B").write_text(B.replace("2 Q0 ", "1 Q0 x"), encoding="utf-8")
    (files / "qrels").write_text(f"{QRELS}4 0 a 2\n", encoding="utf-8")
    for grade in "12":
        printed(f"derive runs qrels --out c{grade} --relevant-from {grade}")
        notes = printed(f"evaluate c{grade} --measures AP").err
        assert ("c2: binary measures count documents of grade 2 or more" in notes) == (grade == "2")
        assert re.search(r"does not answer score 0 .*: B misses 2$", notes, flags=re.M)


def test_a_wheel_refuses_to_write_the_ledger(files, printed, monkeypatch):
    monkeypatch.setattr(commands, "ROOT", files)
    assert "--write goes with a checkout of the book" in printed("ledger --write", 2).err
