"""Judged by machines: beside the track's own, by hand and over all samples; a fifth judge."""

import json
import shutil
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from processes import run_python
from scipy.stats import kendalltau, mannwhitneyu
from statsmodels.stats.inter_rater import cohens_kappa
from strange import run_of, write_files
from way_of_a_claim import now_and_then

from chapters.data_tables import read
from chapters.machines import best_ten, budget, drawings, judging, people, questions, strictness
from chapters.machines.judging import MEASURES, PEOPLE, TRACKS, labels, machines, scores_by
from lib import load, scores
from lib.errors import InputError
from lib.intervals import ENDS
from lib.paths import ROOT


@pytest.mark.parametrize("track", TRACKS)
def test_what_people_say_is_the_collection_of_the_book(track):
    for measure in (*MEASURES, "nDCG@100"):
        ours = scores_by(track, PEOPLE, measure)
        pd.testing.assert_frame_equal(ours, scores(load(track), measure), check_names=False)


@pytest.mark.parametrize("track", TRACKS)
def test_labels_are_of_all_documents_that_both_judged(track):
    documents = {judge: labels(track, judge).sum() for judge in machines(track)}
    every = load(track).topics["judged"].sum()
    # As its files say: lines are missing.
    assert documents.pop("GPT-4o") == every - (5 if track == "dl20" else 4)
    assert set(documents.values()) == {every}


def test_agreement_beside_statsmodels():
    table = pd.DataFrame(labels("dl21", "UMBRELA").sum(axis=0))
    found = judging.label_agreement("dl21", "UMBRELA")["estimate"]
    weighted = cohens_kappa(table.to_numpy(), wt="fc", return_results=False)
    assert found["weighted kappa"] == pytest.approx(weighted, abs=1e-12)
    two = table.groupby(table.index >= 2).sum().T.groupby(table.columns >= 2).sum()
    assert found["kappa"] == pytest.approx(cohens_kappa(two, return_results=False), abs=1e-12)
    assert judging.kappa("dl21", "UMBRELA").value == pytest.approx(found["kappa"], abs=1e-12)


def test_of_what_second_people_labelled():
    """Counts of their files: what the track graded 1 or more, and some of what it graded 0."""
    of, again = load("judges/dl19").relevant["grade"], judging.judged_again("dl19")
    track = judging.codes("dl19")[PEOPLE]
    twice = {grade: int(again[of[(track == grade)[of].to_numpy()]].sum()) for grade in range(4)}
    assert twice == {0: 390, 1: 1601, 2: 1804, 3: 697}
    with pytest.raises(InputError, match="dl20: no second people"):
        people.beside_second_people("dl20", "UMBRELA", "order")


def test_lists_without_what_second_people_did_not_label():
    """A run's nDCG@10 again, from the documents of its lists that both have labelled."""
    every, again = load("judges/dl19"), judging.judged_again("dl19")
    grades = judging.codes("dl19")["UMBRELA"]
    tables = []
    for of in (every.relevant, every.hits):
        of = of[again[of["grade"]].to_numpy()]
        tables.append(of.assign(grade=grades[of["grade"]].to_numpy()))
    system = list(every.systems.index).index("idst_bert_p1")
    hits = tables[1][tables[1]["system"] == system].sort_values(["topic", "rank"])
    found = scores_by("dl19", "UMBRELA", "nDCG@10", judging.LEFT_OUT)["idst_bert_p1"].to_numpy()
    for topic in range(43):
        first = hits["grade"][hits["topic"] == topic].to_numpy()[:10]
        ideal = np.sort(tables[0]["grade"][tables[0]["topic"] == topic])[::-1][:10]
        gain = [(of / np.log2(np.arange(2, len(of) + 2))).sum() for of in (first, ideal)]
        assert found[topic] == pytest.approx(gain[0] / gain[1])


def test_unlabelled_documents_count_as_not_relevant():
    """The track's own scores stay: it graded 0 whatever second people did not label."""
    ours = scores_by("dl19", PEOPLE, "P@10", judging.ZERO)
    pd.testing.assert_frame_equal(ours, scores_by("dl19", PEOPLE, "P@10"))
    none = scores_by("dl19", judging.SECOND[0], "P@10", judging.ZERO)
    assert (none <= scores_by("dl19", judging.SECOND[0], "P@10") + 1e-12).all(axis=None)


# As a look at the raw files by another program has it: second people's tau is .91 to .93 however
# the pairs are put together, UMBRELA's .850 on all documents.
def test_machines_were_set_beside_people_on_other_documents():
    second = [people.asked("dl19", name, "order").value for name in judging.SECOND]
    assert 0.907 <= min(second) and max(second) <= 0.935
    assert people.asked("dl19", "UMBRELA", "order", judging.ALL).value == pytest.approx(
        0.850, abs=6e-4
    )
    assert people.asked("dl19", "UMBRELA", "order").value > 0.9


def test_agreement_of_the_eight_beside_statsmodels():
    table = read("judges", "eight")
    assert len(table) == 188 and list(table)[-8:] == [*people.EIGHT]
    yes = table[[*people.EIGHT]] >= 2
    pairs = [pd.crosstab(yes[a], yes[b]) for a, b in combinations(people.EIGHT, 2)]
    kappas = [cohens_kappa(pair, return_results=False) for pair in pairs]
    found = people.among_eight().loc[people.AMONG]
    assert found.to_list() == pytest.approx([np.mean(kappas), min(kappas), max(kappas)])


def test_what_a_machine_favours_by_hand():
    gaps = {}
    for track in ("dl19", "dl20"):
        for by in (PEOPLE, "UMBRELA"):
            newer = scores_by(track, by, "nDCG@10", newer=True).mean()
            gpt, others = newer.filter(like="_rankgpt"), newer.filter(regex="_(mono|set-)")
            assert len(newer) == 24 and len(gpt) == len(others) == 8
            spread = scores_by(track, by, "nDCG@10").mean().std()
            gaps[track, by] = (gpt.mean() - others.mean()) / spread
    by_hand = np.mean([gaps[t, "UMBRELA"] - gaps[t, PEOPLE] for t in ("dl19", "dl20")])
    found = people.favours("UMBRELA")
    assert found.estimate == pytest.approx(by_hand)
    # A study of topics alone would be surer of it than one of topics and re-rankers.
    assert found.error > people.favours("UMBRELA", "RankZephyr").error * 0.5


def test_what_a_machine_favours_among_submitted_runs_by_hand():
    means = {by: scores_by("dl21", by, "nDCG@10").mean() for by in (PEOPLE, "UMBRELA")}
    lexical = means[PEOPLE].index.str.contains("bm25|terrier|indri") & (
        means[PEOPLE].index.str.match(people._LEXICAL)
    )
    for unit, scale in (("ranks", pd.Series.rank), ("sd", lambda of: of / of.std())):
        ahead = {by: scale(of) for by, of in means.items()}
        gaps = [ahead[by][~lexical].mean() - ahead[by][lexical].mean() for by in means]
        assert people.neural("dl21", "UMBRELA", unit).value == pytest.approx(gaps[1] - gaps[0])


def test_rows_of_judges_stand_at_their_numbers_and_are_heavy_where_they_exclude_the_line():
    index = pd.MultiIndex.from_product([["A", "B"], drawings.UNLABELLED.values()])
    rows = [[0.3, 0.2, 0.5], [0.1, -0.1, 0.4], [-0.2, -0.3, 0.01], [0.15, 0.09, 0.3]]
    table = pd.DataFrame(rows, index.set_names(["judge", "others"]), ENDS)
    figure = drawings._grid({"one": table, "two": table + 0.02}, "gap", "Gaps.", at=0.1)
    for axes, shift in zip(figure.drawing.axes, (0, 0.02)):
        line, *drawn = axes.lines
        assert {*line.get_xdata()} == {0.1}
        for bar, dot, row in zip(drawn[::2], drawn[1::2], rows, strict=True):
            middle, low, high = np.array(row) + shift
            assert [*dot.get_xdata(), *bar.get_xdata()] == [middle, low, high]
            assert (bar.get_linewidth() > 2) == (not low <= 0.1 <= high)
        at, hollow = zip(*((of.get_ydata()[0], of.get_markerfacecolor()) for of in drawn[1::2]))
        assert list(at) == sorted(at) and np.round(at).tolist() == [0, 0, 1, 1]
        assert [colour == "white" for colour in hollow] == [False, True] * 2
    assert "Gap, dotted line at 0.1. one: 2 of 4 intervals exclude it; two: 3 of 4" in figure.svg


def test_the_smallest_change_that_an_answer_would_have_shown():
    """About 2.85 standard errors, where the error is that of the printed interval."""
    row = questions.answers_beside_people("dl21").loc[("pairs by RR", "EXAM")]
    error = (row["difference high"] - row["difference low"]) / 2 / 2.007
    assert row["shown"] / error == pytest.approx(2.85, abs=0.03)


def test_the_difference_estimator_over_all_samples():
    """Unbiased, and its squared error unbiased, over every sample of three topics of six."""
    rng = np.random.default_rng(1)
    people = rng.random((6, 2))
    machine = 0.7 * people + 0.3 * rng.random((6, 2)) + 0.2
    samples = [np.array(chosen) for chosen in combinations(range(6), 3)]
    found = [budget.difference_estimate(people[chosen], machine, chosen) for chosen in samples]
    estimates = np.array([each.estimate for each in found])
    assert estimates.mean(axis=0) == pytest.approx(people.mean(axis=0))
    errors = np.array([each.error for each in found])
    assert (errors**2).mean(axis=0) == pytest.approx(estimates.var(axis=0))
    # With all topics judged nothing is left to estimate.
    whole = budget.difference_estimate(people, machine, np.arange(6))
    assert whole.estimate == pytest.approx(people.mean(axis=0)) and not whole.error.any()
    # As many topics of people alone as `human_topics` says have the same error.
    m = budget.human_topics(people, machine, 3)
    error = (1 / m - 1 / 6) * people.var(axis=0, ddof=1)
    assert error == pytest.approx(estimates.var(axis=0))


def test_intervals_hold_what_people_say_of_all_topics():
    found = budget.interval_coverage("dl21")
    assert found.to_numpy().min() > 0.92 and found.to_numpy().max() < 0.98


def test_a_machine_stands_beside_people_or_is_named_where_it_did_not_judge():
    assert drawings.draw_runs("dl19", "mine", "AP") == "<p>mine did not judge DL 2019.</p>"
    (axes,) = drawings.draw_runs("dl19", "UMBRELA", "AP").drawing.axes
    both = [scores_by("dl19", by, "AP").mean() for by in (PEOPLE, "UMBRELA")]
    places = [((mean - mean.mean()) / mean.std()).clip(-3, 3) for mean in both]
    equal, *_, dots = axes.lines
    assert [*equal.get_xdata()] == [*equal.get_ydata()]
    np.testing.assert_allclose(sorted(map(tuple, dots.get_xydata())), sorted(zip(*places)))


@pytest.mark.long  # reads the runs of a track; the data themselves are held by the tests above
def test_a_fifth_judge_becomes_one_more_of_each_table(tmp_path, originals):
    """A copy of the project, and a judge who says what UMBRELA says: the same taus."""
    copy = tmp_path / "copy"
    for folder in ("lib", "data"):
        shutil.copytree(ROOT / folder, copy / folder)
    qrels = originals / "judges" / "dl19.umbrela-gpt-4.qrels"
    added = f"--add mine --qrels {qrels} --to dl19 --relevant-from 2 --runs".split()
    runs, here = originals / "dl19" / "runs", {"cwd": copy, "PYTHONPATH": str(copy)}
    assert run_python("data/judges/make.py", *added, runs, **here).returncode == 0
    ask = (
        "from chapters.machines import people, questions;"
        "print(questions.orders('dl19').to_json());"
        "gaps = (people.beside_second_people('dl19', j, 'order') for j in ('UMBRELA', 'mine'));"
        "print(*(gap.estimate for gap in gaps))"
    )
    table, beside = run_python("-c", ask, **here).stdout.splitlines()
    assert np.ptp(np.array(beside.split(), float)) < 0.02
    taus = json.loads(table)["tau-b"]
    ours, theirs = ([taus[f"('{by}', '{m}')"] for m in MEASURES] for by in ("mine", "UMBRELA"))
    assert ours == pytest.approx(theirs, abs=0.02)


@pytest.fixture
def no_judge_added():
    """Take away, after a test, the judges that it added."""
    yield
    judging._own.clear()
    judging._own_scales.clear()
    for function in judging._remembered:
        function.cache_clear()


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A fourth of DL 2019's runs with made-up names, and what UMBRELA says of their documents."""
    folder, every = tmp_path_factory.mktemp("dl19"), load("judges/dl19")
    topics, (relevant, hits) = every.topics.index, (every.relevant, every.hits)
    files = {}
    for system, of in hits[hits["system"] % 4 == 0].groupby("system"):
        lists = {}
        for topic, ranked in of.groupby("topic"):
            names = dict(zip(ranked["rank"], ranked["document"]))
            ranks = range(1, max(names) + 1)
            lists[topics[topic]] = [f"d{names[at]}" if at in names else f"n{at}" for at in ranks]
        files[f"runs/{every.systems.index[system]}"] = run_of(lists)
    grade = judging.codes("dl19")["UMBRELA"].loc[relevant["grade"]]
    found = zip(relevant["topic"], relevant["document"], grade)
    rows = (f"{topics[topic]} 0 d{name} {said}\n" for topic, name, said in found if said >= 0)
    write_files(folder, files | {"qrels": "".join(rows)})
    return folder


def test_a_judge_in_memory_says_what_the_same_judge_of_the_book_says(files, no_judge_added):
    asked = {"measures": ("P@10",), "top": 12}
    before = questions.orders("dl19", **asked)
    judging.add_judge("dl19", "mine", files / "qrels", files / "runs", relevant_from=2)
    assert machines("dl19")[-1] == "mine" and "mine" not in machines("dl21")
    after = questions.orders("dl19", **asked)
    pd.testing.assert_frame_equal(after.drop("mine", level=0), before)
    known = [run for run in load("dl19").systems.index if (files / "runs" / run).exists()]
    for measure in ("P@10", "RR"):  # for which no document counts that no run found
        ours, theirs = (scores_by("dl19", judge, measure) for judge in ("mine", "UMBRELA"))
        pd.testing.assert_frame_equal(ours[known], theirs[known])
    ours, theirs = (judging.kappa("dl19", judge).value for judge in ("mine", "UMBRELA"))
    assert ours == pytest.approx(theirs, abs=0.02)
    judging.add_judge("dl19", "other", files / "qrels", files / "runs")
    assert judging.scales().loc[["mine", "other"], "relevant_from"].tolist() == [2, 1]


@pytest.mark.parametrize(
    ("track", "judge", "why"),
    [
        ("dl18", "mine", "no track 'dl18' for a judge; there are dl19, dl20, dl21"),
        ("dl19", "EXAM", "there is a judge 'EXAM' already"),
        ("dl21", "mine", "mine judged no document that these runs of dl21 found"),
    ],
)
def test_a_judge_that_cannot_take_part_is_refused(track, judge, why, files, no_judge_added):
    with pytest.raises(InputError, match=why):
        judging.add_judge(track, judge, files / "qrels", files / "runs")
    assert "mine" not in judging.scales().index and "mine" not in machines("dl19")


def test_a_judge_of_one_year_has_no_part_in_what_needs_others(monkeypatch):
    codes = judging.codes

    def with_mine(track):
        return codes(track).assign(mine=1) if track == "dl19" else codes(track)

    monkeypatch.setattr(judging, "codes", with_mine)
    assert machines("dl19")[-1] == "mine"
    assert "mine" not in people.among_eight().index
    assert "mine" not in drawings.draw_favours().data.to_html()
    with pytest.raises(InputError, match="dl20: mine did not judge it; people, .* did"):
        judging.judged_by("dl20", "mine")


def test_a_kappa_at_the_best_cut_is_that_of_the_cut_which_another_tool_finds_best():
    counts = labels("dl19", "second 1", judging.LEFT_OUT).sum(axis=0)
    relevant = np.repeat([0, 0, 1, 1], counts.sum(axis=1).astype(int))
    grades = np.concatenate([np.repeat(range(4), row.astype(int)) for row in counts])
    by_cut = [
        cohens_kappa(pd.crosstab(relevant, grades >= cut).to_numpy()).kappa for cut in (1, 2, 3)
    ]
    assert strictness.kappas_by_cut(counts, 2) == pytest.approx(by_cut)
    assert strictness.best_cut("dl19", "second 1", judging.LEFT_OUT) == 1 + np.argmax(by_cut)
    shown = strictness.kappa_at_best_cut("dl19", "second 1", judging.LEFT_OUT).value
    assert shown == pytest.approx(max(by_cut)) and shown > by_cut[1]


def test_an_area_is_that_of_mann_and_whitney():
    counts = labels("dl19", "UMBRELA", judging.LEFT_OUT).sum(axis=0).astype(int)
    sides = [np.repeat(range(4), side.sum(axis=0)) for side in (counts[2:], counts[:2])]
    wanted = mannwhitneyu(*sides).statistic / (len(sides[0]) * len(sides[1]))
    assert strictness.area(counts, 2) == pytest.approx(wanted)


def test_a_machine_beside_second_people_is_counted_document_by_document():
    """Of the documents with two second labels; each by grade 2, pair by pair."""
    codes = judging.codes("dl19").loc[judging.every_judge("dl19").relevant["grade"]]
    codes = codes[(codes[[*judging.SECOND]] >= 0).all(axis=1)]
    yes = {judge: codes[judge] >= 2 for judge in ("UMBRELA", *judging.SECOND)}

    def kappa(one, other):
        return cohens_kappa(pd.crosstab(yes[one], yes[other]).to_numpy()).kappa

    with_each = np.mean([kappa("UMBRELA", second) for second in judging.SECOND])
    found = people.lead_as_second_person("dl19", "UMBRELA")
    assert float(found.estimate) == pytest.approx(with_each - kappa(*judging.SECOND))


def test_the_ten_best_are_picked_ordered_and_checked_on_three_thirds():
    chosen = best_ten.thirds(43)
    assert (chosen.sum(axis=2) == 14).all() and chosen.sum(axis=1).max() == 1
    own, other = (scores_by("dl19", by, "nDCG@10") for by in (PEOPLE, "UMBRELA"))
    taus = []
    for picks, orders, checks in chosen[:40].astype(bool):
        means = [of[part].mean().round(12) for of, part in ((own, orders), (other, orders))]
        best = own[picks].mean().round(12).sort_values(kind="stable", ascending=False).index[:10]
        last = own[checks].mean().round(12)
        taus.append([kendalltau(mean[best], last[best]).statistic for mean in means])
        taus[-1].append(kendalltau(means[0], last).statistic)
    orders = best_ten._orders(own.to_numpy(), other.to_numpy(), chosen[:40])
    wanted = dict(zip((best_ten.BEST, "by another", best_ten.ALL_RUNS), np.mean(taus, axis=0)))
    assert orders == pytest.approx(wanted)


@pytest.mark.frozen("claims")
def test_answers_on_machines_are_those_that_the_registry_keeps():
    pd.testing.assert_frame_equal(*now_and_then("machines"), rtol=0, atol=2e-6)
