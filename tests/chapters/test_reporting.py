"""What a report says of a collection, beside slow and plain computations."""

import hashlib
import re

import nbformat
import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup
from scipy import stats
from strange import ODD, small

import lib
from chapters.data_tables import claims_everywhere
from chapters.elsewhere.sources import facts
from chapters.elsewhere.summaries import predicted, summary
from chapters.ledger.papers import papers
from chapters.ledger.published import cells
from chapters.left_out.pooled import score_left_out
from chapters.report import sections
from chapters.report.page import NOTEBOOK
from chapters.report.sections import FEWEST_TOPICS, bounds_over_topics
from chapters.spending.pilot import PILOT_SPLITS, pilot
from chapters.spending.planner import Budget, advise
from lib import InputError, load, means, scores
from lib.display.explorer import Explorer
from lib.intervals import minus_signs
from lib.measures import complete_scores
from lib.paths import DATA
from lib.statistics.multiplicity import holm
from lib.statistics.power import needed


@pytest.fixture(scope="module")
def some():
    c = load("trec8")
    return c.select(systems=c.systems.index[::6])


@pytest.fixture
def shown(tmp_path, monkeypatch):
    """What is shown, in a list; files go to a folder of their own."""
    found = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("chapters.report.sections.display", found.append)
    return found


def html_of(item):
    if isinstance(item, Explorer):  # at each value of each control, and not at all settings
        most = max(map(len, item.static.values()))
        at = [{k: of[i % len(of)] for k, of in item.static.items()} for i in range(most)]
        return "".join(item.panel(**setting) for setting in at)
    names = [name for name in ("_repr_html_", "to_html") if hasattr(item, name)]
    return getattr(item, names[0])() if names else item.data


def test_pairs_differ_significantly_as_scipy_says(some):
    of = scores(some, "AP").fillna(0)
    names = list(of)
    both = [(of[a], of[b]) for i, a in enumerate(names) for b in names[i + 1 :]]
    p = np.array([stats.ttest_rel(x, y).pvalue for x, y in both])
    effect = np.array([abs((x - y).mean()) / (x - y).std() for x, y in both])
    distance = np.array([abs(x.mean() - y.mean()) for x, y in both])
    topics = np.array([needed(size) for size in effect])
    count, alone, corrected, least, most, median, *more = sections.pairs_apart({"AP": of}).loc["AP"]
    assert (count, alone) == (len(p), np.mean(p < 0.05))
    assert corrected == np.mean(holm(p) < 0.05)
    assert least == pytest.approx(distance[p < 0.05].min())
    assert most == pytest.approx(distance[p >= 0.05].max())
    assert median == pytest.approx(np.median(topics[p >= 0.05]), rel=0.2)
    assert more == pytest.approx([np.mean(topics <= 50 * t) for t in (2, 4, 10)], abs=0.01)


def test_systems_that_are_alike_do_not_differ():
    c = small(3, 5, alike=True)
    of = complete_scores(c, ["AP"])
    found = sections.pairs_apart(of)
    row = found.loc["AP"]
    assert row.iloc[1] == 0 and np.isnan(row.iloc[3]) and np.isinf(row.iloc[5])
    assert row.iloc[8] == 0
    assert "more than 100,000 topics" in " ".join(sections.in_plain_words(c, of, found))


def test_what_is_said_is_what_was_computed(some):
    of = complete_scores(some, ["AP"])
    found = sections.pairs_apart(of)
    said = " ".join(sections.in_plain_words(some, of, found))
    mean = scores(some, "AP").mean()
    reach = stats.t.ppf(0.975, 49) * scores(some, "AP").std() / np.sqrt(50)
    for words in (
        "TREC-8 has 22 runs and 50 topics.",
        f"The best mean AP is that of {mean.idxmax()}, {mean.max():.3f}",
        f"the 95% interval over topics reaches {reach.median():.3f} either way",
        f"{found.iloc[0, 1]:.0%} of the 231 pairs of runs",
        f"smallest significant difference of means is {found.iloc[0, 3]:.2g}, and the largest",
        f"with 100 topics {found.iloc[0, 6]:.0%} of all pairs",
        "Down to rank 100, nearly all",
    ):
        assert words in said


@pytest.mark.parametrize("systems", [2, 3, 10])
def test_the_first_paragraph_is_true_of_few_runs(systems):
    """Of two runs it speaks of no range."""
    c = load("trec8")
    c = c.select(systems=c.systems.index[:: 128 // systems][:systems])
    of = complete_scores(c, ["AP"])
    found = sections.pairs_apart(of)
    said = " ".join(sections.in_plain_words(c, of, found))
    least, most = found.iloc[0, 3:5]
    assert ("the two runs" in said) == (systems == 2) and "the 1 pairs" not in said
    both = least == least and most == most
    assert ("smallest significant" in said) == (systems > 2 and both)


# Long: each is a whole report; that of one system, which is told why in each place, test_report's
# own, with gaps, and tables of each there notice most of it.
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.long] * (name != "one system"))
        for name in ODD
        if name not in ("three topics", "graded")  # as two topics, and as gaps
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_the_notebook_of_the_report_runs_on_odd_collections(name, shown, monkeypatch):
    """Every cell, in this process, beside three others; what cannot be is told in a line."""
    c = ODD[name]()
    monkeypatch.setattr("lib.collection.load", lambda *words, **options: c)
    monkeypatch.setattr("IPython.display.display", shown.append)
    known = claims_everywhere().query("source in ('trec8', 'dl19', 'trec-covid')")
    monkeypatch.setattr("chapters.elsewhere.engine.claims_everywhere", lambda: known)
    space = {}
    for cell in nbformat.read(NOTEBOOK, as_version=4).cells:
        if cell.cell_type == "code":
            exec(cell.source, space)
    page = "".join(map(html_of, shown))
    forecast = " ".join(BeautifulSoup(page, "html.parser").get_text(" ").split())
    opened = forecast[: forecast.index("The systems, best first")]
    assert "nan" not in opened.split() and "inf" not in opened.split()
    places = sum(len(of.tables) + len(of.drawings) for of in papers().values())
    assert forecast.count("It cannot be computed here: ") < places + 12
    assert (f"are shown from {FEWEST_TOPICS} topics on" in forecast) == (
        len(c.topics) < FEWEST_TOPICS
    )
    assert ("by the grouped jackknife" in forecast) <= (len(c.topics) >= FEWEST_TOPICS)
    if len(c.topics) >= FEWEST_TOPICS:
        assert not pd.read_csv("numbers.csv")["value"].isin([np.inf, -np.inf]).any()
    assert all(pd.read_csv(file) is not None for file in re.findall(r'<a href="(.*?)"', page))


def test_how_the_report_was_made_and_of_what_is_said():
    said = " ".join(sections.facts_of(load("dl19"), "dl19", "python -m lib report"))
    digest = hashlib.sha256((DATA / "dl19" / "datapackage.json").read_bytes()).hexdigest()
    for words in ("python -m lib report", lib.__version__, digest, "count grades from 2"):
        assert words in said
    assert "Not known of the systems: " in said


def test_intervals_of_a_table_are_those_of_the_grouped_jackknife():
    """A mean of scores over topics, written as a table: Student's error, nearly."""
    c = load("trec8").select(systems=load("trec8").systems.index[:4])
    parts = []

    def table(part):
        parts.append(len(part.topics))
        return cells([("AP", run, mean) for run, mean in means(part, ["AP"])["AP"].items()])

    found = bounds_over_topics(c)(table, table(c)).set_index("column")
    assert parts == [50] + [40] * 10
    reach = stats.t.ppf(0.975, 49) * scores(c, "AP").std() / np.sqrt(50)
    assert ((found["high"] - found["low"]) / 2 / reach).between(0.5, 2).all()
    middle = (found["low"] + found["high"]) / 2
    assert middle.to_numpy() == pytest.approx(found["value"].astype(float).to_numpy())


def test_a_cell_that_is_not_defined_without_some_topics_has_no_interval():
    def fails(part):
        raise InputError("too few")

    found = bounds_over_topics(small(3, 12))(fails, cells([("a", "b", 0.5)]))
    assert found["low"].isna().all()


def test_a_column_named_after_the_collection_has_intervals_too():
    """A part of TREC-8 is not TREC-8, and its column has another name."""
    found = bounds_over_topics(small(3, 12))(
        lambda part: cells([("a", part.name + str(len(part.topics)), len(part.topics))]),
        cells([("a", "b", 12)]),
    )
    assert found["low"].notna().all() and found["column"].tolist() == ["b"]


def test_the_plan_is_what_the_planner_says(some):
    table, widest, drawn = sections.planned(some)
    judged = int(some.topics["judged"].sum())
    forecast = pilot(some).forecast(number=PILOT_SPLITS)
    budgets = [(times, most) for times in (0.25, 1, 4) for most in (None, 50)]
    assert len(table) == len(budgets)
    for row, (times, most) in zip(table.to_dict("records"), budgets):
        said = advise(forecast, Budget(judgements=round(times * judged), most=most))
        low, high = said.promised.low, said.promised.high
        assert (row["topics"], row["measure"]) == (said.plan["topics"], said.plan["measure"])
        assert row["pool depth"] == said.plan["depth"]
        assert row["documents a topic"] == round(said.plan["judgements"] / said.plan["topics"])
        ends = f"{said.promised.estimate:.2f} ({low:.2f} to {high:.2f})"
        assert row["predictive power"].replace("\u00a0", " ") == ends
    assert widest.plan["topics"] == table["topics"].max()
    shown = table.iloc[3]  # as many judgements and topics as now
    said = f"{shown['topics']} topics from the pool of depth {shown['pool depth']},"
    assert said in drawn.caption


def test_losses_are_told_where_groups_are_known(some):
    table, depth = sections.loss_outside(some)
    assert depth == 100 and {"AP", "nDCG@20", "P@10"} == set(table.index.get_level_values(1))
    (one,) = score_left_out(some, depths=[100], scored={"AP": "AP"})
    share = 1 - one.outside.to_numpy().mean() / one.inside.to_numpy().mean()
    assert table.loc[("all", "AP"), "part of the score lost"].startswith(f"{share:.1%} \u00b1 ")
    with pytest.raises(
        ValueError, match="trec5: which groups contributed to the pool is not known"
    ):
        sections.loss_outside(load("trec5"))


def test_a_collection_stands_beside_what_the_others_let_expect():
    table = sections.expectations(claims_everywhere(), sections.source_of(load("trec5")))
    others = facts().query("source != 'trec5'")["source"]
    one = summary(claims_everywhere(), "p10-AP", only=others)
    row = table.loc[("Predictors of P@10", "AP")]
    ends = "{:+.3f} to {:+.3f}".format(*predicted(one))
    assert row["expected"] == minus_signs(ends)
    assert set(table["as expected"]) <= {"yes", "within its error", "no"}
