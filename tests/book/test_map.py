"""What pages say of all chapters: which comes first, which serves what, and their take-aways."""

import re

import nbformat
import pytest
from built import HTML, needs_book, parsed

from book.teaching.myst import Book, markdown
from book.teaching.take_aways import take_aways
from lib.paths import ROOT

BOOK = Book()
COVER = (ROOT / "book" / "intro.md").read_text(encoding="utf-8")
TARGET = re.compile(r"\{ref\}`(?:[^`<]*<)?([\w-]+)>?`")
SERVES = re.compile(r"^- \*\*For \{ref\}`the argument <argument>` \((\d)\):\*\* \S", flags=re.M)


def chapters(text):
    """Return the chapters that a text refers to, by name of file."""
    places = (BOOK.labels[target] for target in TARGET.findall(text))
    return {place.file for place in places if place.is_chapter}


ROWS = [line.strip("| ").split(" | ") for line in COVER.splitlines() if line.startswith("| {ref}")]
MAP = {min(chapters(chapter)): (before, sentences) for chapter, before, sentences in ROWS}


def test_the_map_has_each_chapter_and_what_it_asks_for():
    """A chapter says itself what comes first; that comes before it, and has what it needs."""
    assert [*MAP] == [path.stem for path in BOOK.chapters]
    for path in BOOK.chapters[1:]:
        text = "\n".join(markdown(path))
        said = re.search(r"the notebook \{glue:text\}`time-run`; (.*?) comes? first", text)[1]
        said = said.replace("chapter 6", "{ref}`chapter-left-out`")
        needed = chapters(said)
        if len(needed) > 1 or needed != {"00-foundations"}:
            needed = needed - {"00-foundations"} | (
                chapters(MAP[path.stem][0]) & {"00-foundations"}
            )
        assert chapters(MAP[path.stem][0]) == needed, path.stem
        assert max(needed) < path.stem


def test_the_map_the_argument_and_the_take_aways_name_the_same_chapters():
    argument = COVER.partition("## The argument")[2].partition("\n## ")[0]
    sentences = dict(re.findall(r"^(\d)\. (.*)$", argument, flags=re.MULTILINE))
    assert [*sentences] == [*"123456"]
    served = {number: chapters(text) for number, text in sentences.items()}
    for number in sentences:
        said = {name for name, (_, of) in MAP.items() if number in of.split(", ")}
        assert served[number] == said, number
    for path in BOOK.chapters:
        (number,) = SERVES.findall("\n".join(markdown(path)).partition("\n## Take-aways\n")[2])
        assert path.stem in served[number]


def test_a_chapter_without_take_aways_is_named(tmp_path):
    (tmp_path / "chapters").mkdir()
    cell = nbformat.v4.new_markdown_cell("(one)=\n# One\n\n## Take-aways\n\nNone.")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / "chapters" / "01-one.ipynb")
    with pytest.raises(ValueError, match="^01-one.ipynb: no list below a heading Take-aways$"):
        [*take_aways(Book(tmp_path))]


@needs_book
def test_all_take_aways_are_those_of_the_chapters():
    def words(items):
        return [" ".join(item.get_text(" ").split()) for item in items]

    together = words(parsed(HTML / "book" / "practice.html").select(".take-aways li"))
    pages = [parsed(HTML / "chapters" / f"{path.stem}.html") for path in BOOK.chapters]
    heads = [next(h for h in page("h2") if "Take-aways" in h.get_text()) for page in pages]
    assert together == [one for head in heads for one in words(head.find_next("ul")("li"))]
