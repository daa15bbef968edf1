"""What a report says of a collection, beside slow and plain computations."""

import hashlib
import re
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import nbformat
import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup
from scipy import stats
from strange import ODD, run_of, small, write_files
from strategies import qrels_text

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
from lib.collection import Collection
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


def test_cells_of_a_paper_say_their_table_and_a_table_that_cannot_be_says_why(shown):
    """By a made-up paper, whose numbers are printed as those of a real one are."""

    def table(part, pairs, error=None):
        means_ = means(part, ["AP"])["AP"]
        return cells([("AP", run, mean) for run, mean in means_.items()]).assign(error=error)

    def refused(part, pairs):
        raise InputError("too few <runs>")

    drawn = partial(table, error=[0.0, 0.012, 0.003])
    tables = {"1": table, "2": drawn, "3": refused, "4": lambda part, pairs: cells([])}
    for one in tables.values():
        if not isinstance(one, partial):
            one.caption = "Means"
    drawn.caption = "Means"
    c = load("trec8").select(systems=load("trec8").systems.index[:3])
    of = SimpleNamespace(name="webber2010", tables=tables, drawings={})
    found = sections.show_paper(of, c, None)
    assert found["table"].tolist() == ["1"] * 3 + ["2"] * 3
    assert {*found["paper"]} == {"webber2010"} and found["low"].notna().all()
    assert (found["low"] < found["value"]).all() and (found["value"] < found["high"]).all()
    told = [html_of(item) for item in shown]
    titles = [one for one in told if one.startswith("<h3>")]
    assert titles == [f"<h3>Table {number}</h3>" for number in tables]
    captions = [item.caption for item in shown if hasattr(item, "caption")]
    error = ". Monte-Carlo standard error of a cell: at most 0.01"
    assert [error in caption for caption in captions] == [False, True]
    why = [re.sub("<.*?>", "", one) for one in told if "missing" in one]
    nothing = "there is nothing in it for this collection"
    assert why == [f"It cannot be computed here: {x}." for x in ("too few &lt;runs&gt;", nothing)]


@pytest.fixture
def toy(tmp_path):
    """A saved collection of three topics, A with all of them, B with one; C could not be used."""
    lists = {"1": "xr", "2": "rx", "3": "xyr"}
    runs = {"A": run_of(lists), "B": run_of({"3": "rx"}), "C": "no run\n"}
    qrels = qrels_text({"1": {"r": 1}, "2": {"r": 2}, "3": {"r": 1, "s": 1}})
    write_files(tmp_path, {f"runs/{name}": text for name, text in runs.items()} | {"qrels": qrels})
    with pytest.warns(lib.errors.InputWarning):
        made = lib.derive(tmp_path / "runs", tmp_path / "qrels", skip_faulty=True)
    made.save(tmp_path / "mine")
    return load(tmp_path / "mine")


def test_what_is_missing_and_unknown_is_counted(toy, tmp_path):
    made, digest, *lines = sections.facts_of(toy, str(tmp_path / "mine"), "")
    assert made.startswith("Made with report.ipynb, ") and "SHA-256" in digest
    ((run, why),) = toy.skipped_runs.items()
    assert lines == [
        "Systems: 2. Topics: 3. Relevant documents: 4, retrieved 4 times.",
        "Lists missing, of systems that did not answer a topic: 2. They score 0.",
        f"Runs left out when the collection was derived: C ({why}).",
        "Not known of the systems: group, type, pooled.",
        "The tables and figures of the papers are shown from 10 topics on: with fewer they have no "
        "intervals.",
    ]


def test_runs_are_listed_and_drawn_best_first_with_intervals(toy):
    of = complete_scores(toy, ["RR"])
    table = sections.systems(toy, of)
    means, halves = {"A": (1 / 2 + 1 + 1 / 3) / 3, "B": 1 / 3}, {}
    for run in "AB":
        ends = lib.statistics.comparison.mean_intervals(of["RR"]).loc[run]
        halves[run] = (ends["high"] - ends["low"]) / 2
    assert table.index.tolist() == ["A", "B"] and table["topics"].tolist() == [3, 1]
    assert table["RR"].tolist() == [f"{means[r]:.3f} ±\u00a0{halves[r]:.3f}" for r in "AB"]
    rankings = {"A": {"1": ["r"], "2": []}}
    brief = Collection.from_rankings(rankings, {"1": {"r": 1}, "2": {"s": 1}})
    assert "topics" not in sections.systems(brief, complete_scores(brief, ["RR"]))  # both answered
    assert [*table] == ["topics", "RR"]  # of groups and types nothing is known
    figure = sections.draw_means(of, sections.pairs_apart(of), "Mine")
    said = "The runs of Mine by mean RR, from 0.611 down to 0.333: 0% of the pairs differ "
    said += "significantly after Holm's correction. Bars: 95% intervals over topics."
    assert figure.caption == said and "from A down to B" in figure.svg
    (axes,) = figure.drawing.axes
    assert axes.lines[0].get_xydata().tolist() == [[1, means["A"]], [2, pytest.approx(1 / 3)]]
    bars = [ends[:, 1] for ends in axes.collections[0].get_segments()]
    assert [(high - low) / 2 for low, high in bars] == pytest.approx([*halves.values()])
    alone = sections.draw_means({"RR": of["RR"].iloc[:1]}, None, "Mine")
    assert alone.caption == "The runs of Mine by mean RR, from 0.500 down to 0.000."
    assert not alone.drawing.axes[0].collections


@pytest.mark.parametrize("empty", [0, 1, 2])
def test_topics_without_a_relevant_document_are_counted(empty):
    judged = {str(t): {"r": 1, "x": 0} if t >= empty else {"x": 0, "r": 0} for t in range(3)}
    c = Collection.from_rankings({"A": dict.fromkeys("012", "rx")}, judged)
    said = sections.in_plain_words(c, complete_scores(c, ["AP"]), None)
    tells = (
        "topic without a relevant document tells"
        if empty == 1
        else ("topics without a relevant document tell")
    )
    assert said[0].endswith("has 1 run and 3 topics.")
    told = [line for line in said if line.endswith("nothing.")]
    assert told == [f"{empty} {tells} nothing."] * bool(empty)


def test_long_tables_fold_and_files_have_plain_signs(shown):
    columns = pd.MultiIndex.from_product([["AP"], ["tau", "runs"]])
    frame = pd.DataFrame([[-0.5, 1200]] * 12, [f"r{i}" for i in range(12)], columns)
    for rows in (11, 12):
        sections.show("some", lib.display.tables.table(frame.head(rows), caption="Some."))
    whole, link, folded, _ = shown
    assert whole.shown.shape == (11, 2) and folded.shown.shown.shape == (10, 2)
    ((said, rest),) = folded.hidden
    assert said == "2 more rows" and rest.shown.index.tolist() == ["r10", "r11"]
    assert link.data == '<p class="csv"><a href="some.csv">some.csv</a></p>'
    head, *lines = Path("some.csv").read_text(encoding="utf-8").splitlines()
    assert head == ",AP tau,AP runs" and lines[0] == 'r0,-0.500,"1,200"' and len(lines) == 12


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
    sums = [table.to_numpy().sum(axis=1) for table in (one.outside, one.inside)]
    outside, inside = (of.sum() - of for of in sums)  # without each topic
    ratios = outside / inside
    half = stats.t.ppf(0.975, 49) * np.sqrt(49 * np.var(ratios))
    lost, of = one.rank_outside - one.rank_inside, 1 - one.outside.mean() / one.inside.mean()
    row = [len(lost), some.systems.loc[lost.index, "group"].nunique(), f"{share:.1%} ± {half:.1%}"]
    assert [*table.loc[("all", "AP")]] == [*row, pytest.approx(of.max()), lost.mean(), lost.max()]
    heads = "runs,groups,part of the score lost,most, of a run,places lost, on average"
    assert ",".join(table) == f"{heads},most places, of a run"
    with pytest.raises(
        ValueError, match="trec5: which groups contributed to the pool is not known"
    ):
        sections.loss_outside(load("trec5"))


def test_a_collection_stands_beside_what_the_others_let_expect():
    table = sections.expectations(claims_everywhere(), sections.source_of(load("trec5")))
    others = facts().query("source != 'trec5'")["source"]
    one = summary(claims_everywhere(), "p10-AP", only=others)
    low, high = predicted(one)
    row, own = (
        table.loc[("Predictors of P@10", "AP")],
        claims_everywhere().query("source == 'trec5'"),
    )
    assert row["expected"] == minus_signs(f"{low:+.3f} to {high:+.3f}")
    here = (
        own.drop_duplicates("claim")
        .set_index("claim")
        .loc["p10-AP", ["estimate", "low", "high"]]
        .astype(float)
    )
    half = (here["high"] - here["low"]) / 2
    assert row["here"] == minus_signs(f"{here['estimate']:.3f} ±\u00a0{half:.3f}")
    assert set(table["as expected"]) <= {"yes", "within its error", "no", "–"}
    assert row["as expected"] == "yes" and low < here["estimate"] < high
