"""The book that stands is never lost, and what leaves Jupyter Book is compared with it."""

import pytest
from strange import write_files

from book import make_book, way_out

SECTION = "<section id={2}><h1>A</h1><p>1 of <a href={0}>two</a></p>{1}</section>"
WRITES = "from pathlib import Path; Path({0!r}).mkdir(parents=True); Path({0!r}, 'b').touch()"


@pytest.fixture
def built(tmp_path, monkeypatch):
    """A folder with a book, in which the next is built: of one step, which a test sets."""
    for name in ("html", "old", "new"):
        monkeypatch.setattr(make_book, name.upper(), tmp_path / name)
    monkeypatch.setattr(make_book, "SLIDES", ("-c", ""))
    monkeypatch.setattr(make_book, "PICTURES", ("-c", ""))
    write_files(tmp_path, {"html/a": "the book", "new/rest": "of a build that was ended"})
    return tmp_path


def test_a_build_that_fails_leaves_the_book(built, monkeypatch):
    monkeypatch.setattr(make_book, "BOOK", ("-c", "raise SystemExit(1)"))
    (built / "html").rename(built / "old")  # ended between the two renames
    for _ in range(2):
        with pytest.raises(SystemExit, match="not built; the one in _build/html is as it was"):
            make_book.main()
        assert (built / "html" / "a").read_text(encoding="utf-8") == "the book"


def test_a_book_that_is_built_takes_the_place_of_the_old_one(built, monkeypatch):
    html = built / "new" / "_build" / "html"
    monkeypatch.setattr(make_book, "BOOK", ("-c", WRITES.format(str(html))))
    make_book.main()
    assert [path.relative_to(built).as_posix() for path in built.rglob("*")] == ["html", "html/b"]


def test_two_built_books_differ_by_text_links_and_figures_whatever_ids_are(tmp_path):
    drawn, other = "<svg><text>3</text></svg>", "<svg><text>4</text></svg>"
    slides = '<a href="slides/x.html#2">slides</a>'  # which are made of the pages, later
    page = f"<article>{SECTION}{slides}</article>".format("#a", drawn, "a")
    books = {
        "": page.replace("#a", "#b").replace("id=a", "id=b"),
        "text": page.replace("1 of", "2 of"),
        "links": page.replace("#a", "#gone"),
        "figures": page.replace(drawn, other),
    }
    texts = {f"{kind}-/x.html": text for kind, text in books.items()}
    write_files(tmp_path, {"was/x.html": page, **texts})
    for kind in books:
        found = [what for what, _ in way_out.differences(tmp_path / "was", tmp_path / f"{kind}-")]
        texts = {"figures": ["x.html: other text"]}.get(kind, [])  # a drawing has text
        assert found == texts + [f"x.html: other {kind}"] * bool(kind)
    assert list(way_out.differences(tmp_path, tmp_path / "was"))
