"""Numbers on their scale: a score in any company, grades of any height, what is printed."""

import json
import re
import shutil
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from bad_input import command
from hypothesis import given
from hypothesis import strategies as st
from strange import run_of, write_files
from strategies import DOCUMENTS, judgements, qrels, qrels_text, rankings, run_text, runs
from test_measures import EVERY

from lib import two_judges
from lib.collection import Collection, derive, load
from lib.errors import InputError
from lib.measures import parse, scores
from lib.measures.unjudged import all_relevant

MOST = 2**31 - 1  # what a grade can be
GRADED = ("RBP(p=0.8,gain=grade)", "nRBP(p=0.8,gain=grade)@3")
POWERS = ("nDCG(gain=exp)", "nDCG(gain=exp)@3")  # of 2; never refused, as nDCG is not
RISES = ("R", "AP", "RR", "Success", "DCG", "RBP(p=0.8)", "ERR", GRADED[0])  # with the cutoff
HEIGHTS = st.sampled_from([0, 1, 4, 5, 1023, 1024, MOST])


def scored(c, name):
    """Return scores, or how they are refused."""
    try:
        return scores(c, name)
    except InputError as error:
        return str(error)


@given(
    runs(),
    qrels(
        st.one_of(
            judgements(),
            judgements(0, 0).flatmap(lambda of: st.fixed_dictionaries(dict.fromkeys(of, HEIGHTS))),
        )
    ),
    st.booleans(),
)
def test_a_score_is_the_same_alone_and_in_company_whatever_the_grades(lists, judged, stated):
    c = Collection.from_rankings(lists, judged, judged=True)
    c = replace(c, highest_grade=MOST if stated else None)
    high = max(grade for of in judged.values() for grade in of.values()) > 4
    for name in [*EVERY, *GRADED, *POWERS]:
        refused = not stated and (high and name.startswith("ERR") or name in GRADED)
        whole = scored(c, name)
        assert isinstance(whole, str) == refused, whole
        for system, answers in lists.items():
            alone = scored(c.select(systems=[system]), name)
            if refused:
                assert alone == whole
                continue
            np.testing.assert_array_equal(alone[system], whole[system], err_msg=name)
            assert np.isfinite(whole[system].dropna()).all(), name
            assert {*whole.index[whole[system].notna()]} == answers.keys() & judged.keys(), name
        for topic in judged:  # in a part of the collection, and in one that was judged less
            part = scored(c.select(topics=[topic]), name)
            same = part == whole if refused else part.equals(whole.loc[[topic]])
            assert same, name


@given(rankings(), judgements(-1, 6))
def test_what_cannot_fall_with_the_cutoff_does_not(ranking, grades):
    c = Collection.from_rankings({"A": {"t": ranking}}, {"t": grades})
    c = replace(c, highest_grade=6)
    for name in RISES:
        found = [scores(c, f"{name}@{k}").loc["t", "A"] for k in range(1, len(ranking) + 2)]
        assert (np.diff(found) >= 0).all(), name


def test_the_scale_is_that_of_all_judgements_and_stays_with_a_folder(tmp_path):
    """By hand: grade 2 first is satisfied by (2^2 - 1) / 2^4; of a scale up to 6, by 3 / 2^6."""
    write_files(
        tmp_path,
        {
            "runs/A": run_of({"1": ["a"], "2": ["a"]}),
            "low": qrels_text({"1": {"a": 2}, "2": {"a": 1}}),
            "high": qrels_text({"1": {"a": 2}, "2": {"a": 1, "nowhere": 6}}),
        },
    )
    low, high = (
        derive(tmp_path / "runs", tmp_path / name, judged=True) for name in ("low", "high")
    )
    assert scores(low, "ERR@1").loc["1", "A"] == 3 / 16
    assert scores(replace(high, highest_grade=6), "ERR@1").loc["1", "A"] == 3 / 64
    high.select(topics=["1"]).pooled(1).save(tmp_path / "kept")
    kept = load(tmp_path / "kept", judged=True)
    for call in (lambda: scores(kept, "ERR"), lambda: all_relevant(kept, "AP")):
        with pytest.raises(InputError, match="has grade 6: say .*; derive a folder again"):
            call()
    assert scores(kept, "nDCG").loc["1", "A"] == 1  # by any grades
    for stated in ({"highest_grade": MOST + 1}, {"relevant_from": MOST + 1}):  # no grade can be
        with pytest.raises(InputError, match="must be 1 to 2147483647, not 2147483648"):
            derive(tmp_path / "runs", tmp_path / "low", **stated)
    with pytest.raises(InputError, match="has grade 6, above 5"):
        scores(replace(high, highest_grade=5), "ERR")
    # What nobody judged counts at least as relevant, where nothing is.
    none = Collection.from_rankings({"A": {"t": ["u"]}}, {"t": {"r": 1}}, judged=True)
    assert all_relevant(replace(none, relevant_from=2), "P@1").loc["t", "A"] == 1


def test_two_judges_need_one_scale_and_not_the_top_grade_among_what_both_judged():
    """By hand: squares apart 1 + 0 + 1, expected 5 + 3 - 2 * 3 * 3 / 3; both mean grades are 1."""
    one = {"1": {"a": 2, "b": 1, "c": 0}}
    other = {"1": {"a": 1, "b": 1, "c": 1}, "2": {"z": 2}}
    kappa = 1 - 2 / (5 + 3 - 2 * 3 * 3 / 3)
    assert two_judges.grades(one, other).loc["weighted kappa", "estimate"] == pytest.approx(kappa)
    del other["2"]
    assert two_judges.grades(one, other).isna().all(axis=None)
    assert "grade of A is 2, of B 1" in two_judges.two_scales(one, other)
    found = two_judges.grades(one, other, highest_grade=2)
    assert found.loc["weighted kappa", "estimate"] == pytest.approx(kappa)
    far = {"1": {"a": MOST, "b": 0}}
    assert two_judges.grades(far, far).isna().all(axis=None)  # above 4 it must be stated
    assert two_judges.grades(far, far, highest_grade=MOST)["estimate"].tolist() == [1, 0]


# ---------------------------------------------------------------- what commands print


def said(*words):
    """Return what a command prints, and its notes."""
    status, out, notes = command(*map(str, words))
    assert status == 0, notes
    return out, notes


def table(*words):
    return pd.DataFrame(json.loads(said(*words, "--format", "json")[0]))


@st.composite
def collections(draw):
    """Draw two or three runs with ties and gaps, judgements of any grades, and their scale."""
    scale = draw(st.sampled_from([1, 3, 4, 1023, MOST]))
    grades = st.sampled_from([-1, 0, 1, scale // 2, scale])
    of_topic = st.dictionaries(st.sampled_from(DOCUMENTS), grades, min_size=1)
    judged = draw(st.dictionaries(st.sampled_from("123456"), of_topic, min_size=2))
    judged["1"] = judged.get("1", {}) | {"d0": scale, "d1": 0}
    ranked = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 4), min_size=1)
    answers = st.dictionaries(st.sampled_from(sorted(judged)), ranked, min_size=1)
    return {name: draw(answers) for name in "ABC"[: draw(st.integers(2, 3))]}, judged, scale


ALL = [*EVERY, *GRADED, *POWERS, "DCG@2", "SetP", "R@5", "AP(rel=3)", "IPrec(trec_eval=10)@0.3"]
ALL += ["DCG(gain=binary,discount=2002)", "enDCG@9", "nDCG(discount=2002)@4", "SetF(beta=2)"]
AVERAGES = {
    "arithmetic": lambda x: x.mean(),
    "geometric": lambda x: np.exp(np.log(x).mean()),
    "summed": lambda x: x.sum(),
}


def check_what_evaluate_prints(folder, drawn, measure, topics):
    """Return the rows and their means, which are what the summary prints in every form."""
    lists, judged, scale = drawn
    shutil.rmtree(folder, ignore_errors=True)  # what the example before wrote
    write_files(folder, {f"runs/{run}": run_text(of) for run, of in lists.items()})
    write_files(folder, {"qrels": qrels_text(judged)})
    most = parse(measure).definition.most
    of = ("evaluate", folder / "runs", folder / "qrels", "--measures", measure)
    of += ("--highest-grade", scale, "--topics", topics)
    rows = table(*of).astype({"topic": str})
    assert rows["score"].between(0, most).all()
    pairs = {(run, topic) for run, of_run in lists.items() for topic in of_run}
    if topics == "judged":
        pairs = {(run, topic) for run in lists for topic in judged}
    assert {*rows[["system", "topic"]].itertuples(index=False, name=None)} == pairs
    summary = table(*of, "--summary", "--unjudged").set_index("system")
    wanted = rows.groupby("system")["score"].agg(AVERAGES[average(measure)])
    np.testing.assert_allclose(summary["mean"], wanted, rtol=1e-6, atol=2e-6)
    ends = summary[["mean", "low", "high"]].astype(float).stack().dropna()
    assert ends.between(0, most).all()
    assert summary["judged"].astype(float).dropna().between(0, 1).all()
    assert summary["all relevant"].between(0, most).all()
    for form in ("latex", "markdown"):
        page = said(*of, "--summary", "--format", form)[0]
        inside = re.split(r"midrule|\\bottomrule|--- \|\n", page)[1]
        shown = [float(n.replace(",", "")) for n in re.findall(r"\d[\d,.]*(?:e[-+]\d+)?", inside)]
        assert shown == pytest.approx(ends.to_list(), rel=0.06, abs=6e-4)
    return rows, wanted


def check_what_compare_prints(folder, drawn, measure, topics, rows):
    """The difference is that of the two printed means, whichever form the scores come in."""
    lists, _, scale = drawn
    both = rows.pivot(index="topic", columns="system", values="score")[["A", "B"]].dropna()
    if len(both) < 2:
        return
    means = both.agg(AVERAGES[average(measure)])
    ratio, most = average(measure) == "geometric", parse(measure).definition.most
    measures = ("--measure", measure, "--measures", measure)
    of = (folder / "runs/A", folder / "runs/B", folder / "qrels", *measures)
    of += ("--highest-grade", scale, "--topics", topics)
    direct = table("compare", *of)
    expected = means["A"] / means["B"] if ratio else means["A"] - means["B"]
    assert direct["difference"].item() == pytest.approx(expected, rel=1e-6, abs=2e-6)
    if not ratio:
        assert np.abs(direct[["low", "high"]].astype(float)).to_numpy().max() <= most
    if topics == "judged":
        printed = []
        for run in "AB":
            alone = ("evaluate", folder / "runs" / run, folder / "qrels", *measures[2:], *of[-4:])
            printed += ["--per-topic", folder / run]
            (folder / run).write_text(said(*alone, "--format", "csv")[0], encoding="utf-8")
        pd.testing.assert_frame_equal(table("compare", *printed, *measures), direct)
    page, notes = said("compare", *of)
    first = re.search(r"(\S+) against (\S+) .*? a (?:difference|ratio) of ([\d.]+)", page)
    ahead, behind, stated = map(float, first.groups())
    assert stated == pytest.approx(
        max(expected, 1 / expected) if ratio else abs(expected), abs=6e-5
    )
    assert ahead == pytest.approx(means.max(), abs=6e-5)
    assert behind == pytest.approx(means.min(), abs=6e-5)
    for text in re.findall(r"from ([\d.]+) to ([\d.]+)", notes):
        assert all(0 <= float(end) <= most for end in text)


def check_what_other_commands_print(folder, drawn, measure, mean):
    """Differences from another run, means without a run's pool, and corrected ones."""
    lists, judged, scale = drawn
    given = ("--highest-grade", scale)
    apart = np.divide if average(measure) == "geometric" else np.subtract
    files = folder / "runs", folder / "qrels"
    beside = ("evaluate", *files, "--measures", measure, "--summary", "--against", "A")
    against = table(*beside, *given).set_index("system")["difference"].astype(float)
    wanted = apart(mean, mean["A"])
    np.testing.assert_allclose(against[1:], wanted[1:], rtol=2e-5, atol=2e-6)
    most = parse(measure).definition.most
    shown = [table("left-out", *files, "--measure", measure, "--depth", 2, *given)]
    people = {
        topic: {document: scale - grade for document, grade in grades.items() if grade >= 0}
        for topic, grades in judged.items()
        if any(topic in of_run for of_run in lists.values())
    }
    people = {topic: grades for topic, grades in people.items() if grades}
    if len(people) > 1 and all(people.keys() & of_run.keys() for of_run in lists.values()):
        write_files(folder, {"people": qrels_text(people)})
        machine = (*files, folder / "people", "--chosen-by-me", "--measures", measure)
        shown += [table("correct", *machine, *given)]
    for spread in shown:
        names = ("mean", "without", "by machine", "corrected", "low", "high")
        if "without" in spread:
            names = names[:2]  # its interval is of the difference
        assert spread[[c for c in spread if c in names]].stack().between(0, most).all()


def average(measure):
    return parse(measure).definition.average.__name__


@given(collections(), st.sampled_from(ALL), st.sampled_from(["judged", "answered"]))
def test_every_printed_number_is_on_its_scale_and_one_command_agrees_with_another(
    tmp_path_factory, drawn, measure, topics
):
    """With MEASURES_EXAMPLES=2000 it is tried so often; each time runs ten commands."""
    folder = tmp_path_factory.getbasetemp() / "scale"
    rows, mean = check_what_evaluate_prints(folder, drawn, measure, topics)
    check_what_compare_prints(folder, drawn, measure, topics, rows)
    if topics == "judged":
        check_what_other_commands_print(folder, drawn, measure, mean)
