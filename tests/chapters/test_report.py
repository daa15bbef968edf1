"""Tables and the report from collections that nobody has seen before."""

import base64
import hashlib
import io
import json
import re
from contextlib import chdir
from pathlib import Path

import nbformat
import pandas as pd
import pytest
from bs4 import BeautifulSoup
from chromium import DESKTOP, PHONE, assert_none, look, look_at_paper, opened, violations, watched
from stored import complaints
from strange import ODD, write_collection

from chapters.elsewhere.claims import SECTIONS
from chapters.ledger.papers import paper, papers
from chapters.report.page import NOTEBOOK
from lib import load, means
from lib.cli import main
from lib.display import explorer
from lib.errors import InputError
from lib.paths import ROOT

REPORT = ["report", "--collection", "mine", "--pairs", "pairs.tsv", "--second", "mine"]
REPORT += ["--out", "page", "--title", "Our track"]
TABLES = """[...document.querySelectorAll("table")].filter(one => !one.closest(".explore"))"""


@pytest.fixture(scope="module")
def unseen(tmp_path_factory):
    """A folder with runs and judgements, tables of systems and pairs, collection and report."""
    folder = tmp_path_factory.mktemp("unseen")
    names = write_collection(folder)
    (folder / "pairs.tsv").write_text(
        f"system\tbase\tfeedback\nours\t{names[6]}\t{names[7]}\ntheirs\t{names[9]}\t{names[10]}\n",
        encoding="utf-8",
    )
    kinds = ("manual", "automatic")
    rows = [f"{run}\tgroup{i // 3}\t{kinds[i % 2]}\tyes\n" for i, run in enumerate(names)]
    systems = "".join(["run\tgroup\ttype\tpooled\n", *rows])
    (folder / "systems").write_text(systems, encoding="utf-8")
    with chdir(folder):
        assert main(["derive", "runs", "qrels", "--systems", "systems", "--out", "mine"]) == 0
        assert main(REPORT) == 0
    return folder


@pytest.fixture(scope="module")
def soup(unseen):
    return BeautifulSoup(
        (unseen / "page" / "index.html").read_text(encoding="utf-8"), "html.parser"
    )


def section(soup, title):
    """What stands beneath a heading of the second level, up to the next one: a soup of its own."""
    heading = next(h for h in soup.find_all("h2") if h.get_text() == title)
    html = str(soup)
    rest = html[html.index(str(heading)) + 1 :]
    return BeautifulSoup(rest.partition("<h2")[0], "html.parser")


def texts(tags):
    return [tag.get_text() for tag in tags]


def test_the_report_has_every_table_and_figure(soup):
    for of in papers().values():
        titles = texts(section(soup, of.title).find_all("h3"))
        assert titles == [*(f"Table {number}" for number in of.tables), *of.drawings]
    assert texts(soup.find_all(class_="missing")) == []
    contents = [link["href"].removeprefix("#") for link in soup.nav.find_all("a")]
    assert contents == [heading["id"] for heading in soup.find_all("h2")] and len(contents) == 10


def test_the_collection_is_a_row_of_every_claim(soup):
    beside = section(soup, "Beside the others")
    claims = [of.title for name, of in SECTIONS.items() if name != "feedback"]
    assert texts(beside.find_all("h3")) == [*claims, "What to expect by the other collections"]
    figures = beside.find_all("figure")
    assert len(figures) == len(claims)
    for figure in figures:
        assert {"mine (yours)", "TREC-5"} <= set(texts(figure.select("details th[scope=row]")))


def test_the_numbers_are_those_of_the_tables(unseen, soup):
    rows = pd.read_csv(unseen / "page" / "numbers.csv", dtype={"table": str})
    ours = paper("webber2010").tables["1"](load(unseen / "mine"))
    found = rows.query("paper == 'webber2010' and table == '1'")
    assert found["row"].tolist() == ours["row"].tolist()
    assert found["value"].astype(float).tolist() == pytest.approx(ours["value"].tolist())
    assert (found["low"] < found["value"].astype(float)).all()
    # And the page shows them, to the digits that the paper printed.
    part = section(soup, "Webber, Moffat and Zobel 2010")
    shown = part.find("table").get_text(" ", strip=True)
    assert all(f"{value:.3f} \u00b1" in shown for value in ours["value"])


def test_it_opens_with_its_title_the_contents_the_answer_and_a_picture(soup):
    opening = str(soup.main).partition("<h2")[0]
    order = ["<h1>Our track</h1>", "<nav", "mine has 12 runs", "<svg", 'href="means.csv"']
    places = [opening.find(part) for part in order]
    assert -1 not in places and places == sorted(places)
    assert soup.title.get_text() == "Measuring the Measures: Our track"


def test_names_are_escaped_and_only_our_scripts_run(soup):
    runs = [cell.get_text() for cell in section(soup, "The collection").find_all("th", scope="row")]
    assert "a<script>alert(1)<\u2215script>" in runs and "b&\"'>" in runs
    policy = soup.find("meta", {"http-equiv": "Content-Security-Policy"})["content"]
    scripts = [tag.get_text() for tag in soup.find_all("script")]
    assert scripts and all(text.startswith(f"\n{explorer.SCRIPT}") for text in scripts)
    assert policy.startswith("default-src 'none'") and "unsafe-inline'; script-src" in policy
    for text in scripts:
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy


def test_the_best_system_stands_first_and_long_tables_fold_after_ten_rows(soup, unseen):
    first, rest = section(soup, "The collection").find_all("table")[:2]
    runs = [[c.get_text() for c in part.find_all("th", scope="row")] for part in (first, rest)]
    mean = means(load(unseen / "mine"), ["AP"])["AP"]
    assert [mean[run] for part in runs for run in part] == sorted(mean, reverse=True)
    assert list(map(len, runs)) == [10, 2]
    assert rest.find_parent("details").summary.get_text() == "2 more rows"


def test_the_page_leads_to_nothing_but_the_files_beside_it(soup, unseen):
    names = [tag["id"] for tag in soup.find_all(id=True)]
    assert len(names) == len(set(names))
    linked = {tag["href"] for tag in soup.find_all("a", href=True)}
    beside = {path.name for path in (unseen / "page").iterdir()}
    assert linked - {f"#{name}" for name in names} == beside - {"index.html"}
    assert "@import" not in str(soup) and "://" not in soup.get_text()


def test_page_and_notebook_name_no_machine_and_nothing_random(unseen):
    notebook = nbformat.read(unseen / "page" / NOTEBOOK.name, as_version=4)
    nbformat.validate(notebook)
    assert complaints(notebook) == []
    text = (unseen / "page" / "index.html").read_text(encoding="utf-8") + json.dumps(notebook)
    assert str(unseen) not in text and str(ROOT) not in text
    given = next(c.source for c in notebook.cells if "injected-parameters" in c.metadata.tags)
    assert "name = '../mine'" in given and "pairs = '../pairs.tsv'" in given


def test_a_report_on_paper_on_a_phone_and_on_a_screen(browser, unseen):
    faults = []
    address = (unseen / "page").as_uri()
    with watched(browser, address, "index.html", faults, color_scheme="dark") as page:
        assert len(re.findall(rb"/Type /Page\b", page.pdf(format="A4"))) <= 15
        faults += look_at_paper(page)
        faults += look(page, PHONE, "dark")
        faults += look(page, DESKTOP, "light")
        faults += violations(page)
    assert_none(faults, f"the report {address}")


def test_its_tables_fold_and_its_controls_work_from_the_file(browser, unseen):
    hidden = f"() => {TABLES}.filter(table => !table.checkVisibility()).length"
    with opened(browser, (unseen / "page" / "index.html").as_uri()) as page:
        folded = page.locator("details:not(.explore details)").count()
        assert 10 < folded == page.evaluate(hidden)
        page.locator("summary:not(.explore summary)").first.click()
        assert page.evaluate(hidden) == folded - 1
        figure = page.locator("#explore-phi")
        before = figure.locator("svg").first.get_attribute("aria-label")
        figure.locator("select").first.select_option(index=1)
        shown = figure.locator("[data-at]:not([hidden]) svg").first
        assert shown.get_attribute("aria-label") != before


# Long: it makes the report again; test_page_and_notebook_name_no_machine... notices most of it.
@pytest.mark.long
def test_the_same_collection_gives_the_same_bytes_in_the_place_of_the_old(unseen):
    before = {path.name: path.read_bytes() for path in (unseen / "page").iterdir()}
    with chdir(unseen):
        assert main([*REPORT, "--replace"]) == 0
    assert {path.name: path.read_bytes() for path in (unseen / "page").iterdir()} == before


def test_a_report_replaces_reports_only(tmp_path, monkeypatch, printed):
    """No kernel is started: the notebook comes back as it is, with a title and a table."""

    def execute(path, _, *, cwd, **options):
        (Path(cwd) / "numbers.csv").write_text("a\n", encoding="utf-8")
        notebook = nbformat.read(path, as_version=4)
        html = '<h3>Table 1</h3><p>1</p><a href="numbers.csv">numbers.csv</a>'
        for title in lacking:
            html += f'<h3>{title}</h3><p class="missing">It cannot be computed here.</p>'
        output = nbformat.v4.new_output("display_data", data={"text/html": html})
        notebook.cells[0].outputs = [output]
        return notebook

    monkeypatch.setattr("papermill.execute_notebook", execute)
    lacking = ["Table 2 &amp; more", "Figure 1"]
    words = ["report", "--collection", "feedback/cf", "--out", str(tmp_path / "less")]
    out = printed(words).out
    assert out.endswith("index.html: the report; not computed: Table 2 & more; Figure 1\n")
    lacking = []
    words = [*words[:-1], str(tmp_path / "r")]
    assert printed(words).out.endswith("index.html: the report; it has all its parts\n")
    assert "it holds a report; say --replace" in printed(words, 2).err
    assert main([*words, "--replace"]) == 0
    (tmp_path / "r" / "mine.csv").write_text("mine", encoding="utf-8")
    assert "'mine.csv', which is no part of the report" in printed([*words, "--replace"], 2).err
    (tmp_path / "thesis").mkdir()
    assert "it is no report" in printed([*words[:-1], str(tmp_path / "thesis"), "--replace"], 2).err


def test_a_second_judge_of_other_runs_is_refused(tmp_path, printed):
    words = ["report", "--collection", "trec5", "--second", "trec8", "--out", str(tmp_path / "r")]
    assert printed(words, 2).err.endswith("trec5 and trec8 are not of the same runs\n")
    assert not (tmp_path / "r").exists()


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("what", ODD)
def test_a_table_is_computed_or_refused_in_one_line(what):
    # Whatever the collection: no error of another kind, no number that is infinite.
    c = ODD[what]()
    for of in papers().values():
        for table in of.tables.values():
            try:
                cells = table(c, [("x", "s0", "s1"), ("y", "s2", "s3")])
            except InputError as error:
                assert "\n" not in str(error) and str(error)
                continue
            values = cells["value"].astype(float)
            assert len(cells) and not values.isin([float("inf"), float("-inf")]).any()


# Pairs of runs.


def test_tables_on_feedback_need_pairs(unseen, printed):
    words = f"table tomlinson2006 1 --collection {unseen}/mine"
    error = printed(words, 2).err
    assert re.search("^error: tomlinson2006, table 1: no pairs given.*--pairs FILE", error)
    table = pd.read_csv(io.StringIO(printed(f"{words} --pairs {unseen}/pairs.tsv").out))
    assert {"ours base", "ours feedback", "theirs difference"} <= set(table["row"])
