"""The language of the book: its words, how long chapters are, and what captions say."""

import ast
import re
import tomllib
from collections import Counter
from functools import cache

import nbformat
import pytest
import yaml
from built import PAGES as BUILT
from built import name, needs_book, parsed
from cells import glued, pages
from words import words_of_the_book

from book.teaching.myst import Book
from chapters.times import MARKUP
from lib.paths import ROOT

RULES = tomllib.loads((ROOT / "tests" / "prose.toml").read_text(encoding="utf-8"))
NOTEBOOKS = sorted((ROOT / "chapters").glob("*.ipynb"))
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "book").rglob("*.md"))]
CODE = [*(p for top in ("lib", "chapters") for p in sorted((ROOT / top).rglob("*.py")))]
CODE.append(ROOT / "chapters" / "report" / "report.ipynb")
SENTENCE = re.compile(r"\w \w")  # more than a name
ROLE = re.compile(r"\{[a-z:]+\}`([^`<\n]*)[^`\n]*`")
NOT_PROSE = re.compile(  # blocks of code, code, directives' options, labels, addresses
    r"^```[^\n]*$.*?^```$|`[^`\n]+`|^ *(?:\.\.|:[a-z])[^\n]*$|^\(\S+\)=$|<[^>\n]*>|\]\([^)\n]*\)",
    flags=re.MULTILINE | re.DOTALL,
)
LESSONS = [
    *(ROOT / "chapters" / "exercises" / "lessons").glob("*.yml"),
    ROOT / "book" / "slides.yml",
]


@cache
def cells(path, kind):
    """Return the cells of a chapter."""
    return [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == kind]


def plain(tag):
    """Return the text of an element, in one line."""
    return " ".join(tag.get_text(" ").split())


CAPTION = ":is(figcaption, caption):not([data-at] *)"  # of no setting of a control


@cache
def captions(path):
    """Return the captions of a chapter's figures, tables and controls."""
    found = [plain(caption) for _, page in pages(path) for caption in page.select(CAPTION)]
    return [*filter(None, found)]


def literals(source):
    """Return the strings of Python code that are no docstrings."""
    tree = ast.parse(source)
    docs = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    strings = [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and id(n) not in docs]
    return [n.value for n in strings if isinstance(n.value, str)]


TEXTS = {"say", "choice", "question", "ask", "expect", "heading", "before", "text"}


def said(lesson):
    """Return the texts of a lesson, or of slides."""
    if isinstance(lesson, list | dict):
        parts = lesson.items() if isinstance(lesson, dict) else enumerate(lesson)
        for key, part in parts:
            yield from [part] if key in TEXTS else said(part)


READ = {".py": literals, ".yml": lambda text: said(yaml.safe_load(text))}


def typed(path):
    """Return the texts that somebody typed for readers of a file."""
    if path.suffix != ".ipynb":
        source = path.read_text(encoding="utf-8")
        return [*filter(SENTENCE.search, READ.get(path.suffix, lambda text: [text])(source))]
    code = "\n".join(c.source for c in cells(path, "code") if not c.source.startswith("%"))
    return [c.source for c in cells(path, "markdown")] + [*filter(SENTENCE.search, literals(code))]


def shown(path):
    """Return the texts that readers of a file see: typed ones, and captions that are computed."""
    return typed(path) + (captions(path) if path.suffix == ".ipynb" else [])


def prose(texts):
    """Return texts line by line, without code, addresses and the rows of marks."""
    plain = (ROLE.sub(r"\1", MARK.sub("", text)) for text in texts)
    return [line for text in plain for line in NOT_PROSE.sub(" ", text).splitlines()]


def complaints(line, rules=RULES["patterns"]):
    """Return the patterns that a line has and should not have, with what to say instead."""
    found = []
    for rule in rules:
        spans = [m.span() for one in rule.get("where", []) for m in re.finditer(one, line, re.I)]
        found += [
            f"{match.group()!r}: {rule['say']}"
            for match in re.finditer(rule["find"], line, re.I)
            if not any(low <= match.start() and match.end() <= high for low, high in spans)
        ]
    return found


@pytest.mark.parametrize(
    "path",
    # What was registered keeps its words.
    [p for p in [*PAGES, *NOTEBOOKS, *LESSONS, *CODE] if not p.name.startswith("registration")],
    ids=lambda p: p.relative_to(ROOT).as_posix(),
)
def test_the_words_are_those_of_the_field(path):
    assert [(line, why) for line in prose(shown(path)) if (why := complaints(line))] == []


GENERATED = re.compile(r"<!-- (\w+) -->.*?<!-- end of \1 -->", re.DOTALL)
GLUED = re.compile(r"\{(?:glue:[a-z]+|mark|means)\}`[^`]+`")
# By a command; a record of what was; a rule, fixed before there was anything to decide.
MADE = {"ledger.md", "measures.md", "CHANGELOG.md"}
MADE |= {f"registration{end}.md" for end in ("", "-people", "-law")}


@pytest.mark.parametrize(
    "path",
    [*(p for p in PAGES if p.name not in MADE and p.parent.name != "kits"), *NOTEBOOKS],
    ids=lambda p: p.name,
)
def test_no_verdict_is_typed(path):
    rule = RULES["verdicts"] | {"say": "glue the word from the row of its interval: claim_texts"}
    texts = [GENERATED.sub("", GLUED.sub("", text)) for text in typed(path)]
    assert [(line, why) for line in prose(texts) if (why := complaints(line, [rule]))] == []


@pytest.mark.parametrize(
    "path", [p for p in CODE if p.suffix == ".py"], ids=lambda p: p.relative_to(ROOT).as_posix()
)
def test_no_verdict_is_typed_in_code(path):
    """A sentence, title or caption takes both words of a verdict from its row."""
    said = literals(path.read_text(encoding="utf-8"))
    assert [text for text in said if re.search(r"\w \((?:finding|hint)\)", text)] == []


VERDICT = re.compile(r"\{glue:text\}`[^`]*-is(?::s)?`")  # a glued one, in a text
SHOWN_VERDICT = re.compile(r"\((?:finding|hint)\)|\binconclusive\b")  # in a caption
MARK = re.compile(r"\{mark\}`([^`]+)`")
SENTENCE_END = re.compile(r"(?<=[.?!])[*)]*\s+|\n+")
READ_PAGES = [*(p for p in (ROOT / "book").glob("*.md") if p.name not in MADE), *NOTEBOOKS]


def verdicts_of(path):
    """Return the sentences of a page's text and captions, with how many verdicts each has."""
    for sentence in (one for text in shown(path) for one in SENTENCE_END.split(MARK.sub("", text))):
        if not sentence.startswith("|"):
            yield sentence, len(VERDICT.findall(sentence) + SHOWN_VERDICT.findall(sentence))


def test_a_sentence_has_one_verdict():
    found = [(p.stem, text) for p in READ_PAGES for text, number in verdicts_of(p) if number > 1]
    assert found == []


def test_no_claim_is_the_subject_of_its_verdict():
    """A sentence says what was found, and its mark how sure that is."""
    subject = re.compile(rf"\b(?:That|Whether) [^.]* (?:is|are) {VERDICT.pattern}")
    texts = [(p.stem, text) for p in READ_PAGES for text in typed(p)]
    assert [(stem, match[0]) for stem, text in texts for match in subject.finditer(text)] == []


def test_a_mark_stands_after_its_sentence():
    """Or, in bold, at the beginning of a line of a list; or alone in a cell of a table."""
    for path in READ_PAGES:
        for text in typed(path):
            for match in MARK.finditer(text):
                before = text[: match.start()].rpartition("\n")[2]
                assert re.search(r"(?:[.?!:][*)]* |^ *- \*\*|\| )$", before), match[0]


TITLES = "figure.drawing > figcaption strong"  # in every setting of a control
SAYS = re.compile(rf"\b(?:{'|'.join(RULES['verbs'])})\b", re.IGNORECASE)


def test_a_figures_title_is_a_sentence():
    """It has a verb, no semicolon, and at most so many words."""
    found = []
    for path in NOTEBOOKS:
        for title in {plain(one) for _, page in pages(path) for one in page.select(TITLES)}:
            words = len(INTERVAL.sub("", title).split())
            if ";" in title or not SAYS.search(title) or words > RULES["title"]:
                found.append((path.stem, title))
    assert found == []


@needs_book
@pytest.mark.parametrize("page", BUILT, ids=name)
def test_apostrophes_are_set(page):
    """But in code, and in what a command prints."""
    article = parsed(page, "pre", "code", "script", "style", "svg", "option").select_one("article")
    if article is None:  # the search
        return
    for part in article.select(".sig, .noscript"):  # of the page of names
        part.extract()
    assert [text.strip() for text in article(string=re.compile(r"\w'\w"))] == []


def main_text(path):
    """Return a chapter's main text, section by section; the first has no heading."""
    text = "\n".join(cell.source for cell in cells(path, "markdown"))
    parts = re.split(r"^## (.*)$", text, flags=re.MULTILINE)
    main = {
        title: body for title, body in zip(parts[1::2], parts[2::2]) if title not in RULES["apart"]
    }
    return {"": parts[0]} | main


@pytest.mark.parametrize("path", Book().chapters, ids=lambda path: path.name)
def test_a_chapters_main_text_is_short(path):
    main = main_text(path)
    assert len(main) - 1 <= RULES["sections"]
    words = MARKUP.sub(" ", "\n".join([*main, *main.values()])).split()
    assert len(words) <= RULES["words"][path.stem]


# An estimate with its interval is one number, and so is a range.
INTERVAL = re.compile(r" ?\[[^\]\d]*\d[^\]]*\]")
RANGE = re.compile(r"(\d%?) (?:to|and) (?=[-+\u2212]?\.?\d)")
NO_NUMBER = re.compile(  # names (P@10, TREC-8), levels, references, years
    r"\b[A-Za-z]\w*[@-]\d+|\b[A-Za-z]+\d\w*|\b95%|\b(?:19|20)\d\d\b"
    r"|\b(?:chapter|exercise|figure|table|section|equation|rank|depth|topic)s? \d[\d.]*",
    re.IGNORECASE,
)
NUMBER = re.compile(r"\.?\d[\d.,:/]*")


def crowded(path):
    """Return the sentences of a chapter's main text with more numbers than a reader can hold."""
    values = glued(path)
    text = "\n".join(main_text(path).values())
    text = re.sub(r"\{glue:text\}`([^`]+)`", lambda m: values.get(m[1], ""), text)
    text = re.sub(
        r"^\|.*$|^ *(?::|\().*$", "", NOT_PROSE.sub(" ", ROLE.sub(r"\1", text)), flags=re.M
    )
    sentences = re.split(r"(?<=[.?!])\**\s|\n", text)
    return [
        one
        for one in sentences
        if len(NUMBER.findall(NO_NUMBER.sub("", RANGE.sub(r"\1x", INTERVAL.sub("", one))))) > 2
    ]


def test_few_sentences_have_three_numbers():
    found = {path.stem: crowded(path) for path in Book().chapters}
    over = {name: said for name, said in found.items() if len(said) > RULES["crowded"][name]}
    assert over == {}


def test_a_caption_says_something_and_no_two_are_alike():
    found = Counter(text for path in NOTEBOOKS for text in captions(path))
    assert [text for text, count in found.items() if count > 1] == []
    least, most = RULES["caption"]
    assert [text for text in found if not least <= len(text.split()) <= most] == []


def test_the_book_has_few_pages():
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    pages = [page["file"] for part in toc["parts"] for page in part["chapters"]]
    read = [page for page in pages if not re.search("audit|registration", page)]
    assert len([toc["root"], *read]) <= RULES["pages"]


@needs_book
def test_the_book_is_short():
    assert sum(words_of_the_book().values()) <= RULES["book"]
