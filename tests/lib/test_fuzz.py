"""Fuzzing of what reads a user's files: a correct result or an InputError, and nothing else.

``make test`` tries a few hundred examples of each property, ``make test-all`` thousands.
"""

import math
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from bad_input import COMPRESS, OTHER, QRELS, RUN, SYSTEMS, command, prepare
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strange import write_files
from strategies import qrels, qrels_text, run_text, scored_lists

from lib import load, scores
from lib.collection import derive, read_qrels, read_run, read_systems
from lib.errors import InputError

# Pieces of lines that mean something, or nearly do, to the reader, and bytes that mean nothing.
WORDS = b"1 2 Q0 d1 d2 0 -1 1.5 1e5 nan -inf 1e999 0x1 1_0 +3 .5 5. 1e high A".split(b" ")
BYTES = [b"\xe9", b"\xef\xbb\xbf", b"9" * 400, b"\xc2\xa0", b"\x1c", b"\x85", b"\0", b'"']
TOKENS = st.one_of(st.sampled_from([*WORDS, *BYTES]), st.binary(max_size=6))
BLANKS = st.sampled_from([b" ", b"\t", b"\t", b"  ", b"\x0b", b"\x0c", b" \r", b""])
ENDS = st.sampled_from([b"\n", b"\n", b"\n", b"\r\n", b"\n\n", b"\r", b""])


@st.composite
def files(draw, columns):
    """A file of lines that have about the right number of columns, and about the right ones."""
    lines = []
    for _ in range(draw(st.integers(0, 6))):
        tokens = draw(
            st.lists(TOKENS, min_size=columns - 1, max_size=columns + 1)
            if draw(st.integers(0, 3)) == 0
            else st.tuples(*[TOKENS] * columns)
        )
        for token in tokens:
            lines += [token, draw(BLANKS) or b" "]
        lines.append(draw(ENDS))
    return b"".join(lines)


@st.composite
def damaged(draw, sound):
    """A sound file with some of its bytes replaced, removed, repeated or inserted."""
    data = bytearray(draw(sound))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(data)))
        to = min(len(data), at + draw(st.integers(0, 8)))
        data[at:to] = draw(st.one_of(st.binary(max_size=4), st.just(bytes(data[at:to]) * 2)))
    return bytes(data)


RUNS = st.one_of(
    st.binary(), files(6), files(3), damaged(scored_lists().map(run_text).map(str.encode))
)
JUDGEMENTS = st.one_of(
    st.binary(), files(4), files(3), damaged(qrels().map(qrels_text).map(str.encode))
)


def answer(read, data, suffix=""):
    """Read a file with these bytes: what comes back, or None where it is refused in one line."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "file" + suffix)
        path.write_bytes(data)
        try:
            return read(path)
        except InputError as error:
            text = str(error)
            assert text.startswith(str(path)) and text.isprintable(), text
            return None


HEADS = {b"score", b"relevance", b"rel", b"grade", b"label"}  # of a table of BEIR


def rows(data, columns):
    """Read lines the plain way: topic, document and number, or None where the file is not sound."""
    lines = [line for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n") if line.split()]
    found = [line.split() for line in lines]
    tabs = [line.rstrip(b"\r").split(b"\t") for line in lines]
    of_table = [len(row) == 3 and all(field.strip() for field in row) for row in tabs]
    if found and len(found[0]) != columns and of_table[0]:
        whole = all(of_table)
        head = tabs[0][-1].strip().lower() in HEADS
        found = [(row[0], row[1], row[-1].strip()) for row in tabs[head:] if whole]
    else:
        whole = all(len(row) == columns for row in found)
        found = [(row[0], row[2], row[4 if columns == 6 else 3]) for row in found if whole]
    sound = found and whole and b"\0" not in data
    sound = sound and all(row[0].decode(errors="replace").isprintable() for row in found)
    return found if sound else None


def plain_run(data):
    """What a run says, in the fewest words; None where it must be refused."""
    lists = {}
    for topic, document, score in rows(data, 6) or ():
        if not re.fullmatch(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", score):
            return None
        if math.isinf(float(score)) or document in lists.setdefault(topic, {}):
            return None
        lists[topic][document] = float(score)
    try:
        return {
            topic.decode(): sorted(scored, key=lambda d: (scored[d], d), reverse=True)
            for topic, scored in lists.items()
        } or None
    except UnicodeDecodeError:
        return None


def plain_qrels(data):
    judged = {}
    for topic, document, grade in rows(data, 4) or ():
        if not re.fullmatch(rb"[+-]?\d+", grade) or len(grade) > 4000:
            return None
        if abs(int(grade)) >= 2**31 or document in judged.setdefault(topic, {}):
            return None
        judged[topic][document] = int(grade)
    try:
        return {topic.decode(): grades for topic, grades in judged.items()} or None
    except UnicodeDecodeError:
        return None


@given(RUNS)
@example(b"1 Q0 d 1 " + b"9" * 5000 + b" t\n")
@example(b"1" * 5000 + b" Q0 d 1 9 t\n")
@example(b"\xef\xbb\xbf1 Q0 d 1 9 t")
@example(b"1 Q0 d 1 9 t\n\xef\xbb\xbf2 Q0 d 1 9 t")
@example(b"1\ta\t3\n1\tb\n")
@example(b"1\ta\t3\n1\tb\t2\tx\n")
@settings(max_examples=max(300, settings().max_examples))
def test_a_run_is_read_as_it_says_or_refused(data):
    assert answer(read_run, data) == plain_run(data)


@given(JUDGEMENTS)
@example(b"1\td\t2\r\n1\te f\t 0\n")
@example(b"query-id\tcorpus-id\tscore\n1\td\t2\n")
@example(b"query-id\tcorpus-id\tscore\n")
@example(b"1\td\t2\n\td\t2\n")
@example(b"1 0 d " + b"9" * 5000 + b"\n")
@example(b"1 0 d -2147483648\n")
@example(b"1 0 d 2147483647\n")
@example(b"1 0 d 2147483648\n")
@settings(max_examples=max(300, settings().max_examples))
def test_judgements_are_read_as_they_say_or_refused(data):
    assert answer(read_qrels, data) == plain_qrels(data)


@given(suffix=st.sampled_from(list(COMPRESS)), data=st.data(), lists=scored_lists())
@settings(max_examples=max(200, settings().max_examples))
def test_a_truncated_or_damaged_compressed_run_gives_no_other_result(suffix, data, lists):
    text = run_text(lists).encode()
    whole = COMPRESS[suffix](text)
    cut = whole[: data.draw(st.integers(0, len(whole) - 1))]
    assert answer(read_run, cut, suffix) in (None, plain_run(text))
    spoilt = data.draw(damaged(st.just(whole)))
    found = answer(read_run, spoilt, suffix)
    # These formats carry a checksum of the text; that of zstd is optional, and some writers leave
    # it out: then a changed text is read as it has become.
    if suffix != ".zst":
        assert found in (None, plain_run(text), plain_run(text * 2))


@given(
    st.one_of(
        st.binary(),
        damaged(st.just(SYSTEMS)),
        st.text().map(lambda text: f"run\tgroup\n{text}".encode("utf-8", "surrogatepass")),
    )
)
@settings(max_examples=max(300, settings().max_examples))
def test_a_table_of_systems_is_read_or_refused(data):
    table = answer(read_systems, data)
    if table is not None:
        assert table.index.is_unique
        assert list(table.columns) == ["group", "type", "pooled"]
        assert table.map(lambda value: isinstance(value, str)).all(axis=None)


@given(damaged(st.just(RUN)), damaged(st.just(QRELS)), damaged(st.just(SYSTEMS)))
@settings(max_examples=max(100, settings().max_examples // 10))
def test_derive_makes_a_whole_collection_or_nothing(run, judgements, systems):
    with TemporaryDirectory() as name:
        folder = Path(name)
        files = {"runs/A": run, "runs/B": OTHER, "qrels": judgements, "systems": systems}
        write_files(folder, files)
        before = sorted(folder.rglob("*"))
        given = [f"{name}/runs", f"{name}/qrels", "--systems", f"{name}/systems"]
        status, _, err = command("derive", *given, "--out", f"{name}/out")
        if status == 0:
            c = load(folder / "out")
            assert list(c.systems.index) == ["A", "B"]
            assert scores(c, "AP").shape == (len(c.topics), 2)
        else:
            assert status == 2
            assert err.startswith("error: ") and err.count("\n") == 1
            assert sorted(folder.rglob("*")) == before


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """The files of a collection, and the collection."""
    folder = tmp_path_factory.mktemp("sound")
    prepare(folder)
    derive(folder / "runs", folder / "qrels").save(folder / "out")
    whole = load(folder / "out")
    return {path.name: path.read_bytes() for path in (folder / "out").iterdir()}, whole


@given(data=st.data())
@settings(max_examples=max(200, settings().max_examples // 10))
def test_a_damaged_folder_is_a_collection_or_refused(data, sound):
    files, whole = sound
    file = data.draw(st.sampled_from(sorted(files)))
    with TemporaryDirectory() as name:
        write_files(Path(name), files | {file: data.draw(damaged(st.just(files[file])))})
        try:
            c = load(name)
        except InputError as error:
            assert str(error).startswith(name) and str(error).isprintable()
        else:
            assert scores(c, "AP").shape == (len(c.topics), len(c.systems))
            if file.endswith(".parquet"):  # what is damaged there is never read as something else
                assert c.hits.equals(whole.hits) and c.lists.equals(whole.lists)
