"""Tables and the report from collections that nobody has seen before."""

import csv
import io
import os
import re
import subprocess
import sys
import textwrap
from contextlib import chdir

import pandas as pd
import pytest
from bs4 import BeautifulSoup
from strange import ODD, small, write_collection

from lib import Collection, load, means
from lib.cli import main
from lib.errors import InputError
from lib.paper import Drawing
from lib.papers import paper, papers, webber2008
from lib.paths import ROOT
from lib.reporting import report
from lib.studies.elsewhere.claims import SECTIONS

PAIRS = [("x", "s0", "s1"), ("y", "s2", "s3")]


@pytest.fixture(scope="module")
def unseen(tmp_path_factory):
    """A folder with runs and judgements, a table of pairs, the collection and its report."""
    folder = tmp_path_factory.mktemp("unseen")
    names = write_collection(folder)
    (folder / "pairs.tsv").write_text(
        f"system\tbase\tfeedback\nours\t{names[6]}\t{names[7]}\ntheirs\t{names[9]}\t{names[10]}\n"
    )
    with chdir(folder):
        assert main(["derive", "runs", "qrels", "--out", "mine"]) == 0
        assert (
            main(["report", "--collection", "mine", "--pairs", "pairs.tsv", "--out", "page"]) == 0
        )
    return folder


@pytest.fixture(scope="module")
def soup(unseen):
    return BeautifulSoup(
        (unseen / "page" / "index.html").read_text(encoding="utf-8"), "html.parser"
    )


@pytest.mark.parametrize(
    "name, number, rows", [("webber2010", "1", 6), ("webber2008", "1", 15), ("thom2007", "1", 7)]
)
def test_a_table_of_an_unseen_collection(name, number, rows, unseen, capsys):
    assert main(["table", name, number, "--collection", str(unseen / "mine"), "--csv"]) == 0
    table = pd.read_csv(io.StringIO(capsys.readouterr().out))
    assert len(table) == rows
    assert (table["verdict"] == "another collection").all()
    assert table["reproduced"].between(-1, 1).all()


def test_the_report_has_every_table_and_figure_or_says_why_not(unseen, soup):
    titles = [heading.get_text() for heading in soup.find_all("h3")]
    wanted = [
        title
        for of in papers().values()
        for title in (*(f"Table {number}" for number in of.tables), *of.drawings)
    ]
    wanted += [section.title for name, section in SECTIONS.items() if name != "feedback"]
    wanted += ["A collection like yours", "With more topics"]
    wanted += ["A plan", "Was your run in the pool?"]
    # The same numbers stand once: Webber 2008 asks of two collections what it asks of this one.
    twice = soup.find(id="webber2008").find_all("h3")[1].find_previous_sibling("p")
    assert twice.get_text() == "Table 2 asks the same of another collection: see Table 1."
    wanted.remove("Table 2")
    assert titles == wanted
    assert "Figure 1" in wanted
    for heading in soup.find_all("h3"):
        part = heading.find_next_sibling()
        assert part.name == "figure" or "measures" in part["class"] or "missing" in part["class"]
    missing = [part.get_text() for part in soup.find_all(class_="missing")]
    assert all(
        text.startswith("It cannot be computed here: ") and len(text) < 300 for text in missing
    )
    assert len(missing) < len(wanted) / 3


def test_the_collection_is_a_row_of_every_claim(soup):
    *figures, growth = soup.find(id="elsewhere").find_all("figure")
    assert len(figures) == len(SECTIONS) - 1
    assert "mine (yours), two sets of its 21 topics." in growth.figcaption.get_text()
    for figure in figures:
        rows = [cell.get_text() for cell in figure.select(".folded th[scope=row]")]
        assert "mine (yours)" in rows and "TREC-5" in rows


@pytest.mark.parametrize("name", papers())
def test_every_table_has_a_caption(name):
    assert all(table.caption for table in paper(name).tables.values())


def test_the_report_says_at_which_depths_the_collection_can_answer(soup):
    table = next(t for t in soup.find_all("table") if "How deep" in t.get_text())
    rows = [[cell.get_text() for cell in row.find_all(["th", "td"])] for row in table.tbody("tr")]
    assert [row[0] for row in rows if row[3] == "yes"] == ["5", "10", "20"]


def test_the_numbers_are_those_of_the_tables(unseen, soup):
    with open(unseen / "page" / "numbers.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    ours = paper("webber2010").tables["1"](load(unseen / "mine"))
    found = [row for row in rows if (row["paper"], row["table"]) == ("webber2010", "1")]
    assert [(r["row"], r["column"], float(r["value"])) for r in found] == [
        (r.row, r.column, r.value) for r in ours.itertuples()
    ]
    # And the page shows them, to the digits that the paper printed.
    shown = soup.find(id="webber2010").find("table").get_text(" ", strip=True)
    assert all(f"{float(r['value']):.3f}" in shown for r in found)


def test_names_are_escaped(soup, unseen):
    text = (unseen / "page" / "index.html").read_text(encoding="utf-8")
    assert not soup.find_all("script")
    assert "<script" not in text
    runs = [cell.get_text() for cell in soup.find(id="collection").find_all("th", scope="row")]
    assert "a<script>alert(1)<\u2215script>" in runs and "b&\"'>" in runs


def test_the_best_system_stands_first(soup, unseen):
    table = soup.find(id="collection").find("table")
    runs = [cell.get_text() for cell in table.find_all("th", scope="row")]
    mean = means(load(unseen / "mine"), ["AP"])["AP"]
    assert [mean[run] for run in runs] == sorted(mean, reverse=True)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_reason_is_escaped():
    # A run's name, as a user gave it, comes back in the reason why a table cannot be computed.
    text = report(small(6, 9), pairs=[("x", "<b>none</b>", "s1")]).page
    assert "&lt;b&gt;none" in text and "<b>none" not in text


def test_the_page_needs_nothing_else(soup):
    for tag in soup.find_all(True):
        for name in ("src", "href", "xlink:href", "action", "data", "poster", "srcset"):
            assert tag.get(name, "#").startswith("#"), tag
        assert not any(name.startswith("on") for name in tag.attrs)
    assert "@import" not in soup.get_text() and "url(http" not in str(soup)
    policy = soup.find("meta", {"http-equiv": "Content-Security-Policy"})["content"]
    assert policy.startswith("default-src 'none'")
    names = {tag["id"] for tag in soup.find_all(id=True)}
    for link in soup.find_all("a"):
        assert link["href"].removeprefix("#") in names
    ids = [tag["id"] for tag in soup.find_all(id=True)]
    assert len(ids) == len(set(ids))


def test_a_report_appears_whole_or_not_at_all(unseen, tmp_path):
    script = textwrap.dedent("""
        import resource, sys
        from lib.cli import main
        if sys.argv[1:]:
            resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
        sys.exit(main(["report", "--collection", "mine", "--out", "full"]))
    """)
    done = subprocess.run(
        [sys.executable, "-c", script, "small disk"],
        cwd=unseen,
        text=True,
        capture_output=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 2 and "full: cannot be written" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (unseen / "full").exists() and not list(unseen.glob(".unfinished*"))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_report_replaces_reports_only(tmp_path):
    c = small(1, 2)
    found = report(c)
    assert found.missing > 5
    found.save(tmp_path / "r")
    with pytest.raises(InputError, match="it holds a report; say --replace"):
        found.save(tmp_path / "r")
    found.save(tmp_path / "r", replace=True)
    (tmp_path / "thesis").mkdir()
    with pytest.raises(InputError, match="it is no report"):
        found.save(tmp_path / "thesis", replace=True)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("what", ODD)
def test_a_table_is_computed_or_refused_in_one_line(what):
    # Whatever the collection: no error of another kind, no number that is infinite.
    c = ODD[what]()
    for of in papers().values():
        for table in of.tables.values():
            try:
                cells = table(c, PAIRS)
            except InputError as error:
                assert "\n" not in str(error) and str(error)
                continue
            values = cells["value"].astype(float)
            assert len(cells) and not values.isin([float("inf"), float("-inf")]).any()
        for drawing in of.drawings.values():
            try:
                assert "<svg" in drawing(c, PAIRS).to_html()
            except InputError as error:
                assert "\n" not in str(error) and str(error)


def test_graded_judgements_count_by_the_threshold():
    # The same lists, judged 0 to 3: binary measures take grade 1 and above as relevant.
    graded, binary = small(6, 9, grades=(1, 2, 3)), small(6, 9, grades=(1, 1, 1))
    table = paper("thom2007").tables["1"]
    first = set(zip(graded.relevant["topic"], graded.relevant["document"]))
    assert first == set(zip(binary.relevant["topic"], binary.relevant["document"]))
    pd.testing.assert_frame_equal(table(graded), table(binary))


def test_an_odd_number_of_topics_leaves_one_out_of_each_split():
    drawn = webber2008.figure1(small(6, 7), number=20)
    assert drawn["topics"].unique().tolist() == [1, 2, 3]


def test_figure_1_has_the_papers_sizes_on_the_papers_data():
    points = webber2008.figure1(load("trec8"), number=2)
    assert points["topics"].unique().tolist() == [5, 10, 15, 20, 25]


# Pairs of runs.


def test_tables_on_feedback_need_pairs(unseen, capsys):
    words = ["table", "tomlinson2006", "1", "--collection", str(unseen / "mine")]
    assert main(words) == 2
    assert re.search(
        r"^error: tomlinson2006, table 1: no pairs given.*--pairs FILE", capsys.readouterr().err
    )
    assert main([*words, "--pairs", str(unseen / "pairs.tsv"), "--csv"]) == 0
    table = pd.read_csv(io.StringIO(capsys.readouterr().out))
    assert {"ours base", "ours feedback", "theirs difference"} <= set(table["row"])


@pytest.mark.parametrize(
    "words, message",
    [
        (["--pairs", "pairs.tsv"], "--pairs goes with --collection"),
        (["--collection", "mine", "--pairs", "none.tsv"], "none.tsv: cannot be read"),
        (["--collection", "mine", "--pairs", "qrels"], "qrels, line 1: no column 'system'"),
    ],
)
def test_mistakes_with_pairs(words, message, unseen, capsys):
    with chdir(unseen):
        assert main(["table", "tomlinson2006", "1", *words]) == 2
    out, err = capsys.readouterr()
    assert out == "" and message in err and err.count("\n") == 1


def test_pairs_are_passed_to_those_who_take_them():
    def takes(collection, *, pairs=None):
        return pairs

    c = Collection.from_rankings({"A": {"t": ["a"]}}, {"t": {"a": 1}})
    assert Drawing(takes, pairs=True)(c, PAIRS) == PAIRS
    assert Drawing(takes, pairs=True)(None) is None
    assert Drawing(lambda collection: collection)(c, PAIRS) is c
    with pytest.raises(InputError, match="no pairs given"):
        Drawing(takes, pairs=True)(c)


# Nothing that is loaded can run code.


def test_no_pickles_and_no_archives():
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "lib").rglob("*.py"))
    code = code.replace('zipfile.ZipFile(whole, "w")', "")  # the report writes one, in memory
    for word in (
        "pickle",
        "np.load",
        "joblib.load",
        "tarfile",
        "ZipFile(",
        "unpack_archive",
        "extractall",
        "yaml.load",
        "eval(",
        "exec(",
    ):
        assert not re.search(rf"(?<!\w){re.escape(word)}", code), word
