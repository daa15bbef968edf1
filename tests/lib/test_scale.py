"""Numbers on their scale: a score in any company, grades of any height, what is printed."""

import json
import re
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from io import StringIO

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strange import run_of, write_files
from strategies import DOCUMENTS, judgements, qrels, qrels_text, rankings, runs
from test_measures import EVERY

from lib import two_judges
from lib.cli import main
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


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder for properties: every example writes over the files of the one before."""
    return tmp_path_factory.mktemp("scale")


def said(*words):
    """Return what a command prints, and its notes."""
    out, notes = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(notes):
        assert main([str(word) for word in words]) == 0, notes.getvalue()
    return out.getvalue(), notes.getvalue()


def table(*words):
    return pd.DataFrame(json.loads(said(*words, "--format", "json")[0]))


LISTS = st.fixed_dictionaries(
    dict.fromkeys("12", rankings().filter(len)), optional={"3": rankings().filter(len)}
)
GRADES = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 3), min_size=1)
ALL = [*EVERY, *GRADED, *POWERS, "DCG@2", "SetP", "R@5"]


@settings(max_examples=20)  # each runs eight commands
@given(
    st.fixed_dictionaries({"A": LISTS, "B": LISTS}),
    st.fixed_dictionaries(dict.fromkeys("123", GRADES)),
    st.sampled_from(ALL),
    st.sampled_from(["judged", "answered"]),
)
def test_every_printed_number_is_on_its_scale_and_one_command_agrees_with_another(
    folder, lists, judged, measure, topics
):
    """Means are of the printed rows, differences of the printed means; in any form, of any tool."""
    files = {name: folder / name for name in ("A", "B", "qrels", "machine", "rows.csv")}
    write_files(folder, {name: run_of(of) for name, of in lists.items()})
    judged["1"] = judged["1"] | {"d0": 3, "d1": 0}
    people = {topic: {d: 3 - grade for d, grade in judged[topic].items()} for topic in "12"}
    write_files(folder, {"qrels": qrels_text(judged), "people": qrels_text(people)})
    write_files(folder, {"runs/A": run_of(lists["A"]), "runs/B": run_of(lists["B"])})
    runs, qrels = folder / "runs", files["qrels"]
    given, name = ("--highest-grade", 3), str(parse(measure))
    definition = parse(measure).definition
    most, kind = definition.most, definition.average.__name__
    of = ("evaluate", runs, qrels, "--measures", measure, *given)
    rows = table(*of, "--topics", topics)
    summary = table(*of, "--topics", topics, "--summary").set_index("system")
    assert rows["score"].between(0, most).all()
    means = {
        "arithmetic": lambda x: x.mean(),
        "geometric": lambda x: np.exp(np.log(x).mean()),
        "summed": lambda x: x.sum(),
    }[kind]
    wanted = rows.groupby("system")["score"].agg(means)
    np.testing.assert_allclose(summary["mean"], wanted, atol=2e-6)
    known = summary[["low", "mean", "high"]].astype(float)
    assert known.stack().dropna().between(0, most).all()
    if topics == "answered":
        assert len(rows) == sum(map(len, lists.values()))
        return
    assert len(rows) == 6

    def apart(one, other):
        return one / other if kind == "geometric" else one - other

    against = table(*of, "--summary", "--against", "A").set_index("system").loc["B"]
    expected = apart(summary["mean"]["B"], summary["mean"]["A"])
    digits = {"rel": 1e-3 + 1e-6 / max(summary["mean"].min(), 1e-6), "abs": 3e-6}  # as printed
    assert against["difference"] == pytest.approx(expected, **digits)
    pair = ("--measure", measure, "--measures", measure)
    direct = table("compare", files["A"], files["B"], qrels, *pair, *given)
    other_way = 1 / expected if kind == "geometric" else -expected
    assert direct["difference"].item() == pytest.approx(other_way, **digits)
    if kind != "geometric":
        assert np.abs(direct[["low", "high"]].astype(float)).to_numpy().max() <= most
    files["rows.csv"].write_text(said(*of, "--format", "csv")[0], encoding="utf-8")
    again = table("compare", "--per-topic", files["rows.csv"], *pair)
    pd.testing.assert_frame_equal(again, direct)
    page, notes = said("compare", files["A"], files["B"], qrels, *pair, *given)
    first = re.search(r"(\S+) against (\S+) .*? a (difference|ratio) of ([\d.]+)", page)
    ahead, behind, stated = (float(first[at]) for at in (1, 2, 4))
    if min(ahead, behind) > 0.01 or kind != "geometric":  # of less, too few digits are printed
        assert apart(ahead, behind) == pytest.approx(stated, rel=0.01, abs=2e-4)
    assert all(float(end) <= most for end in re.findall(r"from [\d.]+ to ([\d.]+)", notes))
    for spread in (
        table("left-out", runs, qrels, "--measure", measure, *given, "--depth", 2),
        table("correct", runs, qrels, folder / "people", "--chosen-by-me", *of[3:]),
    ):
        shown = spread[[c for c in spread if c in ("mean", "without", "by machine", "corrected")]]
        assert shown.stack().between(0, most).all(), name
