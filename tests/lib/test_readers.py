"""What the fast reader takes of a run, the validating reader reads the same, in every form."""

import json
import math
import os
import warnings
from threading import Thread
from unicodedata import normalize

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from strange import run_of, write_files
from strategies import qrels, qrels_text, run_text, scored_lists
from test_fuzz import JUDGEMENTS, RUNS

from lib.collection import derive, fast_reader, read_qrels, read_run
from lib.collection.derive import HABITS
from lib.collection.fast_reader import FallbackNeeded
from lib.collection.lists_to_tables import Derivation
from lib.collection.names import (
    LONGEST,
    Directory,
    as_bytes,
    as_judged,
    as_words,
    hashed,
    join_judged,
    words_at,
)
from lib.collection.text_files import MAX_LINE, pipes_kept, text_lines
from lib.errors import InputError, InputWarning


@pytest.fixture(scope="module")
def scratch(tmp_path_factory):
    """A file for properties: every example writes over the one before."""
    return tmp_path_factory.mktemp("scratch") / "file"


def fast_run(path, scores="double"):
    """Return a run as the validating reader does, or None where the fast one leaves it to that."""
    try:
        found = list(fast_reader.read_blocks(path, scores=scores))
    except FallbackNeeded:
        return None
    ranked = {}
    for lists in found:
        documents = as_bytes(lists.names).tolist()
        for topic, first, last in zip(lists.topics, lists.bounds, lists.bounds[1:]):
            assert topic not in ranked
            ranked[topic] = documents[first:last]
    return ranked


@given(
    data=RUNS,
    scores=st.sampled_from(["double", "single"]),
    block=st.sampled_from([20, 64, fast_reader._BLOCK]),
)
@example(b"1 Q0 %s 1 2 t\n" % (b"d" * (LONGEST + 1)), "double", fast_reader._BLOCK)
@example(b"1 Q0 a 1 2%s t\n" % (b" " * MAX_LINE), "double", fast_reader._BLOCK)
# Scores rise, so lists are ordered, and the last score of each is the first of the next.
@example(
    b"1 Q0 a 1 1 t\n1 Q0 b 1 2 t\n2 Q0 c 1 1 t\n2 Q0 d 1 0 t\n3 Q0 e 1 0 t\n",
    "double",
    fast_reader._BLOCK,
)
@settings(max_examples=max(300, settings().max_examples))
def test_what_the_fast_reader_takes_of_a_run_the_other_reads(scratch, data, scores, block):
    scratch.write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fast_reader, "_BLOCK", block)
        patch.setattr(fast_reader, "_BY_PYTHON", 0 if block == 64 else math.inf)
        found = fast_run(scratch, scores)
    if found is not None:
        read = read_run(scratch, scores=scores)
        assert list(found.items()) == list(read.items())


@given(JUDGEMENTS, st.sampled_from([20, 64, fast_reader._BLOCK]))
@example(b"1 0 a 1\n1 0 b 1.5\n", fast_reader._BLOCK)
@example(b"1 0 a -2147483648\n", fast_reader._BLOCK)
@example(b"1 0 a 1\n1 0 b 0\n1 0 a 1\n", fast_reader._BLOCK)
@example(b"1 0 a 1\n2 0 %s -1\n" % (b"d" * 20), 20)
@settings(max_examples=max(300, settings().max_examples))
def test_what_the_fast_reader_takes_of_judgements_the_other_reads(scratch, data, block):
    scratch.write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fast_reader, "_BLOCK", block)
        patch.setattr(fast_reader, "_BY_PYTHON", 0 if block == 64 else math.inf)
        try:
            found = join_judged(list(fast_reader.read_judged_blocks(scratch)))
        except FallbackNeeded:
            return
    read = as_judged(read_qrels(scratch))
    assert found.documents.topics == read.documents.topics
    for part in ("bounds", "names", "keys"):
        np.testing.assert_array_equal(getattr(found.documents, part), getattr(read.documents, part))
    np.testing.assert_array_equal(found.grades, read.grades)


@given(qrels().map(qrels_text).filter(bool))
def test_the_fast_reader_takes_well_formed_judgements(scratch, text):
    scratch.write_text(text, encoding="utf-8")
    assert list(fast_reader.read_judged_blocks(scratch))


@given(scored_lists(), st.sampled_from([" ", "\t", "  \t"]), st.sampled_from(["\n", "\r\n"]))
def test_the_fast_reader_takes_well_formed_files(scratch, lists, blank, end):
    # Otherwise these tests would hold for a reader that takes nothing.
    scratch.write_bytes(run_text(lists).replace(" ", blank).replace("\n", end).encode())
    assert fast_run(scratch) is not None


NUMBERS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(-1e6, 1e6).map("{:.30f}".format),
    st.decimals(allow_nan=False, allow_infinity=False).map(str),
    st.text("0123456789+-.eE_nifx", min_size=1, max_size=12),
)


@pytest.mark.posix
def test_what_comes_by_a_pipe_is_there_for_all_readers_of_a_command(tmp_path):
    os.mkfifo(pipe := tmp_path / "pipe")

    def read_while_written(text):
        Thread(target=pipe.write_bytes, args=[text], daemon=True).start()
        return list(text_lines(pipe, kind="run"))

    with pipes_kept():
        assert read_while_written(b"one\n") == read_while_written(b"two\n") == ["one\n"]
    assert list(text_lines(pipe, kind="run")) == ["two\n"]  # which nobody had read yet


@given(NUMBERS)
@example("1e999")
@example("-")
@example("e5")
@example(".e5")
@example("-.5")
@example("+1")
@example("1_0")
@example("0x10")
@example("nan")
@example("-Infinity")
@example("9" * 400)
@example("1e-400")
@example("2.2250738585072011e-308")
@example("0.500000000000000166533453693773481063544750213623046875")
def test_a_number_is_the_one_that_python_reads(number):
    text = np.frombuffer(b"x " + number.encode() + b" y", np.uint8)
    for most in (0, math.inf):  # by Arrow, or by Python as of small files
        try:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(fast_reader, "_BY_PYTHON", most)
                (found,) = fast_reader._numbers(text, np.array([2]), np.array([2 + len(number)]))
        except FallbackNeeded:
            continue
        assert found == float(number) and "_" not in number


DOUBTS = [  # what only looks well-formed
    b"\xef\xbb\xbf1 Q0 a 1 2 t\n",
    b"1 Q0 a 1 2 t\n2 Q0 a 1 2 t\n1 Q0 b 1 2 t\n",
    b"1 Q0 a 1 2 t\n1 Q0 a 1 2 t\n",
    b"1 Q0 a 1 2\nt 1 Q0 b 1 2 t\n",
    b"1 Q0 a\x0b1 2 t\n",
    b"1 Q0 a\x1f1 2 t\n",
    b"1 Q0 a\0 1 2 t\n",
    b"\xff Q0 a 1 2 t\n",
]


@pytest.mark.parametrize("data", DOUBTS)
def test_what_is_left_to_the_validating_reader(tmp_path, data):
    (tmp_path / "run").write_bytes(data)
    assert fast_run(tmp_path / "run") is None


@given(scored_lists(), scored_lists(), qrels(), st.booleans())
@pytest.mark.filterwarnings("ignore::lib.errors.InputWarning")
def test_a_collection_is_the_same_by_both_readers(tmp_path_factory, one, other, judged, each):
    folder = tmp_path_factory.mktemp("readers")
    runs = {"runs/A": run_text(one), "runs/B": run_text(other)}
    write_files(folder, {**runs, "qrels": qrels_text(judged)})
    if not (judged.keys() & one.keys() and judged.keys() & other.keys()):
        return
    fast = derive(folder / "runs", folder / "qrels", judged=True)
    with pytest.MonkeyPatch.context() as patch:
        # All files by the validating reader, or the first alone: the pools know documents of both.
        read = fast_reader.read_blocks

        def doubtful(path, **options):
            if each or path.name == "A":
                raise FallbackNeeded
            return read(path, **options)

        patch.setattr(fast_reader, "read_blocks", doubtful)
        validated = derive(folder / "runs", folder / "qrels", judged=True)
    for file, table in fast.tables().items():
        assert table.equals(validated.tables()[file]), file


NAMES = st.binary(min_size=1, max_size=40).filter(lambda name: b"\0" not in name)


@given(st.lists(NAMES, min_size=1, max_size=30, unique=True))
def test_words_are_names_and_keep_their_order(names):
    words = as_words(names)
    assert as_bytes(words).tolist() == names
    assert [names[i] for i in np.lexsort(words[::-1])] == sorted(names)
    length = np.array([len(name) for name in names])
    text = np.frombuffer(b"".join(names) + b" " * LONGEST, np.uint8)
    assert np.array_equal(words_at(text, np.cumsum(length) - length, length), words)
    wider = as_words([*names, b"x" * 60])[:, :-1]
    assert np.array_equal(hashed(wider), hashed(words))


@given(st.sets(NAMES, min_size=1, max_size=60), st.sets(NAMES, max_size=60), st.integers(1, 64))
def test_a_directory_finds_what_it_holds_and_nothing_else(known, others, bits):
    # A hash of few bits makes names meet in it, which the real one does not in a lifetime.
    known, asked = sorted(known), sorted(known | others)

    def weak(words):
        return hashed(words) >> np.uint64(64 - bits) << np.uint64(64 - bits) | np.uint64(1)

    words, wanted = as_words(known), as_words(asked)
    row = Directory(words, weak(words)).find(wanted, weak(wanted))
    assert row.tolist() == [known.index(name) if name in known else -1 for name in asked]


def test_the_longest_name_is_its_own_bytes():
    text = np.frombuffer(b"x" * LONGEST + b" " * LONGEST, np.uint8)
    words = words_at(text, np.array([0]), np.array([LONGEST]))
    assert as_bytes(words).tolist() == [b"x" * LONGEST]


def test_documents_may_be_anything_and_long():
    long = [b"x" * (LONGEST + 1), b"x" * (LONGEST + 2)]
    documents = [*long, "x", 7, (1, 2), b"a\0", b"a"]
    derivation = Derivation(as_judged({"1": {"x": 1}}))
    derivation.add("A", {"1": documents})
    tables = {name: of.frame() for name, of in derivation.tables().items() if of is not None}
    assert tables["hits"][["rank", "document"]].to_numpy().tolist() == [[3, 0]]
    assert tables["pools"]["all"].iloc[-1] == len(documents)
    with pytest.raises(InputError, match="B: a document stands twice in topic '1'"):
        derivation.add("B", {"1": [7, 7]})


def test_equal_ranks_say_nothing_of_equal_scores(tmp_path):
    lines = [f"{topic} Q0 d{d} 0 1 x\n" for topic, many in ((1, 9), (2, 2)) for d in range(many)]
    (tmp_path / "run").write_text("".join(lines), encoding="utf-8")
    (lists,) = fast_reader.read_blocks(tmp_path / "run")
    assert lists.habits["level"] == lists.habits["rising"] == 0
    assert lists.habits["neighbours"] == 8 + 1


# The work is counted, not timed.


def test_blocks_read_long_lists_a_few_times_only(tmp_path, monkeypatch):
    (tmp_path / "run").write_text(
        "".join(f"{d // 2000} Q0 d{d} 0 {-d} x\n" for d in range(4000)), encoding="utf-8"
    )
    read = []
    columns = fast_reader._columns
    monkeypatch.setattr(fast_reader, "_BLOCK", 1000)
    monkeypatch.setattr(
        fast_reader,
        "_columns",
        lambda block, count: read.append(len(block)) or columns(block, count),
    )
    assert [len(of.keys) for of in fast_reader.read_blocks(tmp_path / "run")] == [2000, 2000]
    assert sum(read) < 4 * (tmp_path / "run").stat().st_size
    monkeypatch.setattr(fast_reader, "_MOST", 1000)  # of one topic, which is then read by lines
    assert fast_run(tmp_path / "run") is None


def lines(form, head=""):
    """Return a function that writes lists in a form, a line a document."""

    def write(lists, ascending):
        rows = [
            form.format(topic=topic, document=document, rank=rank, score=len(ranked) - rank)
            for topic, ranked in lists.items()
            for rank, document in enumerate(ranked, start=1)
        ]
        return head + "".join(rows[::-1] if ascending else rows)

    return write


def as_json(lists, ascending):
    scored = {
        topic: [(document, -place) for place, document in enumerate(ranked)]
        for topic, ranked in lists.items()
    }
    return json.dumps({t: dict(rows[::-1] if ascending else rows) for t, rows in scored.items()})


BEIR = "query-id\tcorpus-id\t"
SCORES, RANKS = "{topic}\t{document}\t{score}\n", "{topic}\t{document}\t{rank}\n"
FORMS = {
    "TREC": lines("{topic} Q0 {document} {rank} {score} x\n"),
    "BEIR's table": lines(SCORES, BEIR + "score\n"),
    "a table of ranks": lines(RANKS, BEIR + "rank\n"),
    "a table without a head": lines(SCORES),
    "MS MARCO's ranks": lines(RANKS),
    "JSON": as_json,
    "ties": lines("{topic}\t{document}\t.5\n"),  # by name, whatever the order of the lines
}
LISTS = st.dictionaries(
    st.sampled_from(["1", "2", "300"]),
    st.lists(st.sampled_from("abcdefghij"), min_size=1, unique=True),
    min_size=1,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.filterwarnings("ignore::lib.errors.InputWarning")
@given(LISTS, st.sampled_from(list(FORMS)), st.booleans())
def test_a_list_is_the_same_in_every_form_or_refused(tmp_path, lists, form, ascending):
    path = tmp_path / "run"
    path.write_text(FORMS[form](lists, ascending), encoding="utf-8")
    unclear = ascending and form in ("a table without a head", "MS MARCO's ranks")
    if unclear and max(map(len, lists.values())) > 1:
        if form == "MS MARCO's ranks":
            return  # from the last to the first they fall, as scores do: noted, below
        with pytest.raises(InputError, match="may be ranks or scores; say which"):
            read_run(path)
        return
    found = {t: [d.decode() for d in ranked] for t, ranked in read_run(path).items()}
    if form == "ties":
        lists = {topic: sorted(documents, reverse=True) for topic, documents in lists.items()}
    assert found == lists


NOTES = {  # the numbers of a, b, c, d; the head; what is said
    "ranks": ("1 2 3 4", "", "ranks, and read as such"),
    "a line is missing": ("1 2 4 5", "", "refused"),
    "from 0": ("0 1 2 3", "", "refused"),
    "unsorted": ("2 1 4 3", "", "refused"),
    "said to be ranks": ("2 1 4 3", "rank", None),
    "said to be scores": ("2 1 4 3", "score", "count like ranks"),
    "scores that rise": (".1 .2 .3 .4", "score", "rise down every list"),
    "from the last": ("4 3 2 1", "", "count like ranks"),
    "scores that fall": ("4 3 2 1", "score", None),
    "scores that end above 1": ("5 4 3 2", "", None),
    "any scores": (".3 .1 .2 .4", "", None),
    "any scores that rise": (".1 .2 .3 .4", "", "rise down every list"),
    "a tag": ("1 1 1 1", "", "all equal"),
}


@pytest.mark.parametrize(("numbers", "head", "said"), NOTES.values(), ids=NOTES)
def test_numbers_that_may_be_ranks_are_noted_or_refused(numbers, head, said, tmp_path):
    values = dict(zip("abcd", numbers.split()))
    text = "".join(f"7\t{name}\t{value}\n" for name, value in values.items())
    (tmp_path / "run").write_text((BEIR + head + "\n") * bool(head) + text, encoding="utf-8")
    if said == "refused":
        with pytest.raises(InputError, match="may be ranks or scores; say which in a first line"):
            read_run(tmp_path / "run")
        return
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        (found,) = read_run(tmp_path / "run").values()
    assert said in str(notes[0].message) if notes else said is None
    ranks = head == "rank" or said == "ranks, and read as such"
    ordered = sorted(values, key=lambda name: (float(values[name]), name), reverse=not ranks)
    assert [name.decode() for name in found] == ordered


@pytest.mark.parametrize(
    ("scores", "habits"),
    [
        ([5e39, 4, 3, 2, 1, 0], {"rising": 0, "level": 0, "single": 0}),
        ([5, 5, 3, 2, 1, 1], {"rising": 0, "level": 0, "single": 0}),
        ([1, 3, 2, 4, 3, 5], {"rising": 0, "level": 0, "single": 0}),
        ([0, 1, 1, 2, 3, 4], {"rising": 5, "level": 0, "single": 0}),
        ([1, 1, 1, 1, 1, 1], {"rising": 0, "level": 5, "single": 0}),
        ([2, 1 + 2e-9, 1 + 1e-9, 1, 0.5, 0.5], {"rising": 0, "level": 0, "single": 2}),
    ],
)
def test_what_is_odd_about_scores_is_counted_and_noted(scores, habits, tmp_path):
    rows = [f"1 Q0 d{rank} {rank} {score!r} x\n" for rank, score in enumerate(scores)]
    (tmp_path / "run").write_text("".join(rows), encoding="utf-8")
    (tmp_path / "qrels").write_text("1 0 d0 1\n", encoding="utf-8")
    (lists,) = fast_reader.read_blocks(tmp_path / "run")
    assert lists.habits == habits | {"neighbours": 5}
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        derive(tmp_path / "run", tmp_path / "qrels")
    assert {note.category for note in notes} <= {InputWarning}  # single precision has no 5e39
    noted = [
        habit for habit, words in HABITS.items() if words in "".join(str(n.message) for n in notes)
    ]
    assert noted == [habit for habit, count in habits.items() if count]


def test_runs_are_noted_that_have_the_same_lists_in_any_order_of_topics_or_nothing_judged(tmp_path):
    lists = {"1": "ab", "2": "cde"}
    runs = {"A": lists, "B": lists | {"2": "ced"}, "C": dict(reversed(lists.items()))}
    runs |= {"D": {"1": "xy", "2": "z"}}
    write_files(tmp_path, {f"runs/{name}": run_of(of) for name, of in runs.items()})
    (tmp_path / "qrels").write_text("1 0 a 1\n2 0 c 1\n", encoding="utf-8")
    with pytest.warns(InputWarning) as notes:
        derive(tmp_path / "runs", tmp_path / "qrels")
    example = "in topic 1 a run has 'x', the judgements have 'a'"
    assert [str(note.message) for note in notes] == [
        f"none of the documents of D is judged: {example}",
        "A C have the same lists",
    ]


@pytest.mark.parametrize("other", ["NFD", "latin-1"])
def test_accents_that_are_spelt_otherwise_are_told(other, tmp_path):
    """Half of the documents are judged only as other bytes; without that there is no note."""
    names = [f"é{n}" for n in range(8)]
    odd = [n.encode(other) if "-" in other else normalize(other, n).encode() for n in names]
    (tmp_path / "qrels").write_text("".join(f"1 0 {name} 1\n" for name in names), encoding="utf-8")
    for run, mixed in (("sound", []), ("odd", odd[:4])):
        listed = [*mixed, *(name.encode() for name in names[len(mixed) :])]
        rows = [b"1 Q0 %s %d %d t\n" % (name, n, 9 - n) for n, name in enumerate(listed)]
        (tmp_path / run).write_bytes(b"".join(rows))
    with pytest.warns(InputWarning, match="^odd: judged documents have other bytes"):
        derive([tmp_path / "sound", tmp_path / "odd"], tmp_path / "qrels")
