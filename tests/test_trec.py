"""Reading runs and judgements: trec_eval's order, every spelling of a file, one error a mistake."""

import pytest
import pytrec_eval
from hypothesis import given
from strategies import qrels, qrels_text, run_text, scored_lists

from lib.collection import read_qrels, read_run
from lib.collection.trec import run_files, system_name
from lib.errors import InputError

RUN = b"401 Q0 b 1 2.5 tag\n401 Q0 a 2 3 tag\n402 Q0 c 1 -1e-3 tag\n"


@pytest.fixture
def file(tmp_path):
    """Write bytes to a file and return its path."""

    def write(data, name="input"):
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return write


@pytest.fixture(scope="module")
def scratch(tmp_path_factory):
    """A folder for properties: every example writes over the file of the one before."""
    return tmp_path_factory.mktemp("scratch")


def written(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def the_error(function, path):
    """Return the message of the InputError, and nothing but it, that reading a file raises."""
    with pytest.raises(InputError) as caught:
        function(path)
    message = str(caught.value)
    assert message.startswith(str(path)), "the message does not begin with the file"
    assert message.isprintable(), "the message is not one line"
    return message.removeprefix(str(path))


# ---------------------------------------------------------------- the order of a ranked list

# Scores of one topic, the order in double precision, the order in single precision.
#
# A 32-bit float has 24 significant bits.  1 + 2**-24 lies half way between the floats 1 and
# 1 + 2**-23 and rounds to the even one, 1; 1 + 2**-23 is a float of its own.  16777217 = 2**24 + 1
# needs 25 bits.  The largest float is 3.4e38: 1e39 and 1e300 are both infinite in single precision.
# The smallest is 1.4e-45: 1e-46 is 0.  Among equal scores the last document name comes first.
ORDERS = {
    "higher scores first": ({"a": "1", "b": "3", "c": "2"}, "bca", "bca"),
    "negative scores": ({"a": "-1", "b": "-3", "c": "-2"}, "acb", "acb"),
    "equal scores: docno descending": ({"a": "1", "c": "1", "b": "1.0"}, "cba", "cba"),
    "the same number spelt otherwise": ({"a": "100", "b": "1e2", "c": "+100."}, "cba", "cba"),
    "zeros of both signs are equal": ({"a": "0", "b": "-0.0"}, "ba", "ba"),
    "below float32 resolution": ({"a": "1.00000005", "b": "1"}, "ab", "ba"),
    "half a float32 step": ({"a": repr(1 + 2**-24), "b": "1"}, "ab", "ba"),
    "one float32 step": ({"a": repr(1 + 2**-23), "b": "1"}, "ab", "ab"),
    "25 bits": ({"a": "16777217", "b": "16777216"}, "ab", "ba"),
    "float32 overflow": ({"a": "1e300", "b": "1e39", "c": "3e38"}, "abc", "bac"),
    "negative float32 overflow": ({"a": "-1e39", "b": "-1e300", "c": "-3e38"}, "cab", "cba"),
    "float32 underflow": ({"a": "1e-46", "b": "0", "c": "-1e-46"}, "abc", "cba"),
}


@pytest.mark.parametrize("scores, double, single", ORDERS.values(), ids=ORDERS)
def test_order_of_a_list_in_both_precisions(file, scores, double, single):
    path = file("".join(f"1 Q0 {d} 9 {score} tag\n" for d, score in scores.items()).encode())
    for precision, order in (("double", double), ("single", single)):
        assert read_run(path, scores=precision) == {"1": [d.encode() for d in order]}


def test_document_names_are_ordered_by_bytes(file):
    # Digits < capitals < small letters < letters beyond ASCII; a prefix comes before what extends
    # it, whatever the number says: d10 < d2 and d1 < d10.
    names = ["9", "D", "d1", "d10", "d2", "\u00e9", "\u4e00"]
    path = file("".join(f"1 Q0 {name} 0 5 t\n" for name in names).encode())
    assert read_run(path)["1"] == [name.encode() for name in reversed(names)]


@given(scored_lists(), qrels())
def test_pytrec_eval_reads_the_same_documents_and_grades(scratch, lists, judged):
    path = written(scratch / "run", run_text(lists))
    with open(path, encoding="utf-8") as run:
        theirs = {t: set(scores) for t, scores in pytrec_eval.parse_run(run).items()}
    assert theirs == {t: {d.decode() for d in ds} for t, ds in read_run(path).items()}
    path = written(scratch / "qrels", qrels_text(judged))
    with open(path, encoding="utf-8") as file:
        theirs = pytrec_eval.parse_qrel(file)
    ours = read_qrels(path)
    assert theirs == {t: {d.decode(): g for d, g in of.items()} for t, of in ours.items()}


def test_unknown_precision_is_refused(file):
    with pytest.raises(ValueError, match="'double' or 'single', not 'half'"):
        read_run(file(RUN), scores="half")


# ---------------------------------------------------------------- bad input: see bad_input.py


@pytest.mark.parametrize(
    ("score", "shown"), [(b"9" * 80 + b"x", "9" * 56 + "..."), (b"\xff", r"\\xff")]
)
def test_a_message_quotes_what_is_wrong_in_short(file, score, shown):
    message = the_error(read_run, file(b"1 Q0 a 1 " + score + b" t\n"))
    assert message.startswith(f", line 1: score '{shown}") and len(message) < 120


# ---------------------------------------------------------------- folders of runs


def test_another_way_to_name_a_system_is_refused():
    with pytest.raises(ValueError, match="names must be one of file, clean, not 'tags'"):
        system_name("a", "tags")


def test_a_folder_lists_its_runs_in_the_order_of_their_systems(tmp_path):
    for name in ["input.b", "c.gz", "a", ".hidden", "input.B"]:
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "folder").mkdir()
    assert list(run_files(tmp_path).items()) == [
        ("B", tmp_path / "input.B"),
        ("a", tmp_path / "a"),
        ("b", tmp_path / "input.b"),
        ("c", tmp_path / "c.gz"),
    ]
