"""Text collections: folders, well-formed and not, and docstrings."""

import inspect

import numpy as np
import pytest
from strange import write_files

from lib.errors import InputError
from lib.retrieval import docstrings, read_corpus
from lib.retrieval.corpus import _see_also

FILES = {
    # U+2028 ends a line for Python, but not in JSON.
    "docs.jsonl": '{"id": "d1", "title": "Red", "text": "fish"}\n\n'
    '{"id": "d2", "text": "b\u2028c"}\n',
    "queries.tsv": "1\tred fish\n2\tblue\twhale\n",
    "qrels.txt": "1 0 d1 2\n2 0 d2 0\n",
}


def write(folder, **changes):
    files = {**FILES, **changes}
    write_files(folder, {name: text for name, text in files.items() if text is not None})
    return folder


def test_reads_a_folder_of_beir(tmp_path):
    corpus = FILES["docs.jsonl"].replace('"id"', '"_id"')
    queries = '{"_id": "1", "text": "red fish"}\n{"_id": "2", "text": "blue whale"}\n'
    names = {"docs.jsonl": None, "queries.tsv": None}
    write(tmp_path, **names, **{"corpus.jsonl": corpus, "queries.jsonl": queries})
    found = read_corpus(tmp_path)
    assert found.documents == {"d1": "Red fish", "d2": " b\u2028c"}
    assert {topic: text.split() for topic, text in found.queries.items()} == {
        "1": ["red", "fish"],
        "2": ["blue", "whale"],
    }
    (tmp_path / "queries.jsonl").write_text(queries * 2, encoding="utf-8")
    with pytest.raises(InputError, match="queries.jsonl, line 3: query '1' stands twice"):
        read_corpus(tmp_path)


def test_reads_a_folder(tmp_path):
    corpus = read_corpus(write(tmp_path))
    assert corpus.documents == {"d1": "Red fish", "d2": " b\u2028c"}
    assert corpus.queries == {"1": "red fish", "2": "blue\twhale"}
    assert corpus.qrels == {"1": {"d1": 2}, "2": {"d2": 0}}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("docs.jsonl", None, "docs.jsonl: cannot be read (No such file"),
        ("docs.jsonl", b"\xff", "docs.jsonl: not UTF-8 at byte 0"),
        ("docs.jsonl", "{\n", "docs.jsonl, line 1: not a JSON object"),
        ("docs.jsonl", "[" * 99_999, "docs.jsonl, line 1: not a JSON object"),
        (
            "docs.jsonl",
            '{"id": "d1", "text": ""}\n{"id": "d1", "text": ""}\n',
            "line 2: document 'd1' stands twice",
        ),
        ("queries.tsv", "1 red\n", "line 1: not a topic and a text separated by a tab"),
        ("queries.tsv", "1\ta\n1\tb\n", "line 2: topic '1' stands twice"),
        ("queries.tsv", "1\ta\n2\tb\n3\tc\n", "no judgement for topic '3' of queries.tsv"),
        ("qrels.txt", "1 0 d1 1\n2 0 d2 1\n4 0 d1 1\n", "judges topic '4', which queries.tsv"),
        ("qrels.txt", "1 0 d9 1\n2 0 d2 1\n", "topic '1' judges document 'd9', which docs.jsonl"),
        ("qrels.txt", "1 d1 1\n", "qrels.txt, line 1"),
    ],
)
def test_refuses_what_is_malformed_and_says_where(tmp_path, name, text, message):
    folder = write(tmp_path, **{name: text})
    with pytest.raises(InputError) as error:
        read_corpus(folder)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.fixture(scope="module")
def corpus():
    return docstrings()


def test_docstrings_of_three_libraries_make_a_collection(corpus):
    libraries = {docno.split(".")[0] for docno in corpus.documents}
    assert libraries == {"numpy", "scipy", "pandas"}
    assert len(corpus.documents) > 3000
    assert len(corpus.queries) > 1000
    assert corpus.queries.keys() == corpus.qrels.keys() <= corpus.documents.keys()
    for topic, judged in corpus.qrels.items():
        assert judged
        assert topic not in judged
        assert judged.keys() <= corpus.documents.keys()
        assert corpus.queries[topic].strip()


def test_docstrings_links_are_those_of_the_docstring_and_stand_in_no_document(corpus):
    # The section as it stands, without the module's own expressions.
    lines = inspect.getdoc(np.argsort).split("\n")
    section = lines[lines.index("See Also") + 2 :]
    section = section[: section.index("")]
    names = {f"numpy.{line.split(' : ')[0]}" for line in section if line[0] != " "}
    assert names == set(corpus.qrels["numpy.argsort"]) and len(names) > 2
    assert not [docno for docno, text in corpus.documents.items() if "\nSee Also\n-" in text]
    # numpy.float64 is a float, and float's docstrings change with the version of Python.
    assert "numpy.float64.fromhex" not in corpus.documents
    assert not [docno for docno in corpus.documents if docno.endswith(".add_note")]


@pytest.mark.parametrize(
    ("section", "names"),
    [
        ("a : one\nb : two", ["a", "b"]),
        ("a, b.c\nd", ["a", "b.c", "d"]),
        ("a :\n    b : is explained, not linked", ["a"]),
        (":func:`~x.y` : one\n`z` : two", ["x.y", "z"]),
        ("some words in between", []),
        ("a : one\n\nb : two", ["a", "b"]),
    ],
)
def test_names_in_see_also(section, names):
    text = f"Summary.\n\nSee Also\n--------\n{section}\n\nNotes\n-----\nc : not a link"
    body, found = _see_also(text)
    assert found == names
    assert body == "Summary.\n\nNotes\n-----\nc : not a link"
    indented = text.replace("\nNotes\n-", "\n    Notes\n    -")  # as NumPy adds it
    assert _see_also(indented)[1] == names
    assert _see_also("Summary.\n\nNo section.") == ("Summary.\n\nNo section.", [])
