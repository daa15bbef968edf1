"""The kits of the sessions: plans that keep the rule of minutes, keys that are computed."""

import re
import sys
from functools import cache
from itertools import combinations
from math import ceil

import numpy as np
import pandas as pd
import pytest
from built import HTML, needs_book
from chromium import address, opened
from scipy import stats

from book.teaching.myst import Book, markdown
from chapters.foundations import examples
from chapters.times import EXERCISES
from lib.collection import Collection
from lib.measures import dcg, means, scores
from lib.paths import ROOT
from lib.statistics.correlation import kendall
from lib.statistics.multiplicity import holm
from lib.statistics.power import needed
from lib.statistics.significance import t_statistic

sys.path.insert(0, str(ROOT / "book"))
from make_measures import sentence  # noqa: E402  It stands beside its page.
from make_slides import SAID  # noqa: E402

KITS = sorted((ROOT / "book" / "kits").glob("session-*.md"))


def section(number, title):
    """Return the text of a section of a kit."""
    text = KITS[number - 1].read_text(encoding="utf-8")
    return re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", text, flags=re.M | re.S)[1]


def tables(text):
    """Return the tables of a text: a frame each, of strings, without the alignment."""
    found = re.findall(r"(?:^ *\|.*\|\n)+", text, flags=re.M)
    rows = [[[c.strip() for c in r.split("|")[1:-1]] for r in t.splitlines()] for t in found]
    return [pd.DataFrame(r[2:], columns=r[0]).set_index(r[0][0]) for r in rows]


def numbers(frame):
    return frame.map(lambda cell: float(cell.replace("−", "-")))


def key(number):
    """Return what stands in bold in a key."""
    return re.findall(r"\*\*(.+?)\*\*", section(number, "Key"))


def shown(values, digits):
    """Return numbers as a key prints them."""
    texts = [f"{value:.{digits}f}" for value in values]
    return [re.sub(r"^(-?)0\.", r"\1.", text).replace("-", "−") for text in texts]


def lists(frame, columns, relevant):
    return Collection.from_rankings(
        {name: {"t": frame[name].tolist()} for name in columns}, {"t": relevant}
    )


@cache
def levels():
    """Return the heading, which is the level, that each exercise stands below."""
    found = {}
    for path in Book().chapters:
        for part in re.split("^### ", "\n".join(markdown(path)), flags=re.M):
            found |= dict.fromkeys(re.findall(r":label: (\S+)", part), part.partition("\n")[0])
    return found


@pytest.mark.parametrize("number", range(1, len(KITS) + 1))
def test_a_plan_has_slack_and_keeps_the_rule_of_minutes(number):
    plan = tables(section(number, "Plan"))[0]["what"]
    assert sum(map(int, plan.index)) == 90
    assert int(plan.index[-1]) >= 10 and plan.iloc[-1].startswith("Slack")
    tasks = len(re.findall(r"^\d\. ", section(number, "Worksheet"), flags=re.M))
    assert tasks == len(re.findall(r"^\d\. ", section(number, "Key"), flags=re.M))
    for minutes, what in zip(map(int, plan.index), plan):
        asked = [EXERCISES[levels()[one]] for one in re.findall(r"<(\S+-exercise-\S+)>", what)]
        asked += [EXERCISES["Recall"] * tasks] * (f"session-{number}-worksheet" in what)
        assert minutes >= sum(asked), what


def test_the_key_of_session_1_is_computed():
    sheet = tables(section(1, "Worksheet"))[0]
    assert sheet["log₂(rank + 1)"].tolist() == shown(np.log2(np.arange(2, 10)), 3)
    assert sheet["RBP's weight, p = .8"].tolist() == shown(0.2 * 0.8 ** np.arange(8), 3)
    judged = {d: int(g) for d, g in zip(sheet["document"], sheet["grade"]) if g} | {"m": 1, "n": 2}
    sheet["swapped"] = sheet["document"].replace({"c": "d", "d": "c"})

    def scored(**more):
        found = lists(sheet, ["document", "swapped"], judged | more)
        names = ["P@4", "P@8", "R@8", "RR", "AP", "nDCG", "RBP(p=0.8)"]
        return means(found, names).T, dcg(found).loc["t"]

    (table, gains), (most, _) = scored(), scored(b=1, e=1)
    least, swapped = table["document"], table["swapped"]
    assert (least == swapped).drop("nDCG").all()
    gain = gains["document"]
    expected = [*least[:5], gain, gain / least["nDCG"], *least[5:]]
    for name in ("P@4", "RR"):
        expected += [least[name], most.loc[name, "document"]]
    expected += [gains["swapped"], swapped["nDCG"]]
    vote = tables(section(1, "Two lists"))[0].apply(lambda column: column.str.contains("●"))
    assert vote.sum().sum() == vote.any(axis=1).sum() == 4  # a document a rank, in one of the lists
    documents = vote.apply(lambda found: vote.index.where(found, "x" + vote.index))
    relevant = dict.fromkeys(vote.index[vote.any(axis=1)], 1)
    measures = ["P@5", "R@5", "RR", "AP", "nDCG", "RBP(p=0.8)", "RBP(p=0.5)"]
    sides = means(lists(documents, vote, relevant), measures)[measures]
    assert key(1) == shown([*expected, *sides.T.to_numpy().ravel()], 3)


def test_the_numbers_of_slide_4_and_what_a_move_changes_are_computed():
    first, gain = examples.one_list(), dcg(examples.one_list()).loc["t", "A"]
    names = ["P@10", "R@10", "RR", "AP", "nDCG", "RBP(p=0.8)"]
    at_first = means(first, names).loc["A", names]
    told = SAID["00-foundations"]["list-table"]["expect"]
    *values, best, ratio, weights = shown(
        [*at_first[:4], gain, gain / at_first["nDCG"], *at_first[4:]], 3
    )
    precision, recall, rr, ap, gained = values
    assert told.startswith(
        f"P@10 {precision}, R@10 {recall}, RR {rr}, AP {ap}, nDCG {gained} / {best} = {ratio}, "
        f"RBP {weights}."
    )
    moves = tables(section(1, "Key"))[1]["what changes"]
    rest = [document for document in examples.RANKED if document != "c"]
    changed = {}
    for rank in ("2", "1", "10", "nowhere"):
        ranked = (
            [*rest] if rank == "nowhere" else [*rest[: int(rank) - 1], "c", *rest[int(rank) - 1 :]]
        )
        now = means(examples.one_list(ranked), names).loc["A", names]
        changed[rank] = [n.partition("(")[0] for n in names if abs(now[n] - at_first[n]) > 1e-9]
    assert moves["2"].startswith("nDCG alone: ") and changed["2"] == ["nDCG"]
    assert moves["nowhere"].startswith("all but RR: ")
    assert changed["nowhere"] == ["P@10", "R@10", "AP", "nDCG", "RBP"]
    assert all(moves[rank] == ", ".join(changed[rank]) for rank in ("1", "10"))


def test_the_key_and_the_coins_of_session_2_are_computed():
    differences, means_of_five = map(numbers, tables(section(2, "Worksheet")))
    found = examples.mean_difference(differences.iloc[0])
    assert f"deviation is {shown([found['deviation']], 3)[0]}." in section(2, "Worksheet")
    assert f"with {stats.t.ppf(0.975, 7):.3f} for" in section(2, "Worksheet")
    p = np.array([0.004, 0.011, 0.02, 0.03, 0.2])
    assert ", ".join(shown(p, 3)) in section(2, "Worksheet")
    one, other = means_of_five.to_numpy()
    pairs = [(one[i] - one[j]) * (other[i] - other[j]) for i, j in combinations(range(5), 2)]
    assert key(2) == [
        *shown(found[["mean", "error", "low", "high"]], 3),
        *shown([found["t"]], 2),
        *shown([found["p"]], 3),
        *shown([found["effect"]], 2),
        *(f"{ceil(n)}" for n in ((2.8 / found["effect"]) ** 2, needed(found["effect"]))),
        *(str((q < 0.05).sum()) for q in (p, p * len(p), holm(p))),
        *(str((np.sign(pairs) == sign).sum()) for sign in (1, -1, 0)),
        *shown([kendall(one, other, variant=v) for v in "ab"], 3),
    ]
    coins = section(2, "The coin game")
    nine, eight = (stats.binom.sf(heads - 1, 10, 0.5) for heads in (9, 8))
    expected = shown([nine, eight], 3)
    for students in map(int, tables(coins)[0].index):
        expected += [f"{1 - (1 - p) ** students:.0%}" for p in (eight, nine)]
    assert re.findall(r"\*\*(.+?)\*\*", coins) == expected


def test_the_key_of_session_3_is_computed():
    text = section(3, "Worksheet")
    sheet = numbers(tables(text)[0])
    by = {m: sheet.filter(like=m).set_axis(list("ABC"), axis=1) for m in ("by M", "by N")}
    splits = [re.findall(r"\d", split) for split in tables(text)[1].columns]

    def taus(one, other):
        return [
            kendall(
                by[one].loc[split[:2]].mean().round(9),
                by[other].loc[split[2:]].mean().round(9),
                variant="a",
            )
            for split in splits
        ]

    m, across, n = (taus(f"by {a}", f"by {b}") for a, b in ("MM", "NM", "NN"))
    verdicts = [
        "supported" if float(low) > 0 else "contradicted" if float(high) < 0 else "inconclusive"
        for low, high in re.findall(r"\((\S+) to (\S+)\)", text.replace("−", "-"))
    ]
    values = [*m[:3], np.mean(m), *across, np.mean(across)]
    values += [np.mean(across) - np.mean(m), np.mean(n)]
    assert key(3) == [*shown(values, 3), *verdicts]


def test_the_key_of_session_4_is_computed():
    text = section(4, "Worksheet")
    sheet, ranked = numbers(tables(text)[0]), tables(text)[2]
    pairs = pd.DataFrame({f"{a} − {b}": sheet[a] - sheet[b] for a, b in combinations("ABC", 2)})
    for pair, deviation in zip(pairs, shown(pairs.std(), 3)):
        assert f"| {pair} | {deviation} |" in text
    bar = stats.t.ppf(0.975, len(sheet) - 1)
    assert f"{bar:.3f} or more" in text
    t = t_statistic(sheet)
    expected = shown(np.ravel([*zip(pairs.mean(), t)]), 2) + shown([(abs(t) > bar).mean()], 3)
    lists_ = lists(ranked, "ABC", dict.fromkeys("afgh", 1))
    for depth, by in ((1, "AB"), (3, "AB"), (4, "ABC")):
        expected += shown(scores(lists_.pooled(depth, by=list(by)), "P@4").loc["t", list("ABC")], 2)
    pool = {d for name in "AB" for d in ranked[name][:3]}
    least = sum(d in pool & set("afgh") for d in ranked["C"]) / 4
    expected += shown([least, least + sum(d not in pool for d in ranked["C"]) / 4], 2)
    topics = [2000 // (10 + documents) for documents in (24, 82)]
    assert key(4) == [*expected, *map(str, topics), *shown(0.32 / np.sqrt(topics), 3)]


def test_the_key_of_session_5_is_computed():
    ranked, plans = tables(section(5, "Worksheet"))
    found = lists(ranked, "ABC", {f"r{i}": 1 for i in range(1, 6)})
    inside, outside = (found.pooled(4, by=list(by)) for by in ("ABC", "AB"))
    expected = [
        one
        for pool in (inside, outside)
        for one in shown(scores(pool, "AP").loc["t", list("ABC")], 3)
    ]
    unjudged = ~ranked["C"].isin(ranked[["A", "B"]].to_numpy().ravel()).to_numpy()
    least = scores(outside, "RBP(p=0.5)").loc["t", "C"]
    left = 0.5 ** np.arange(1, 5) @ unjudged + 0.5**4
    expected += [str(unjudged.sum()), *shown([least, left], 4)]
    needs = [(2.8 * s / d) ** 2 for s, d in ((0.14, 0.05), (0.22, 0.05), (0.14, 0.03))]
    expected += [f"{np.ceil(n):.0f}" for n in needs]
    plans = numbers(plans[["documents a topic", "topics", "tau"]])
    costs = [plans["topics"] * (plans["documents a topic"] + price) for price in (0, 20)]
    expected += [f"{cost:.0f}" for each in costs for cost in each]
    expected += [plans["tau"][cost <= 2000].idxmax() for cost in costs]
    assert key(5) == expected


@needs_book
def test_each_plan_and_each_sheet_print_on_a_page(browser):
    sheets = 0
    for path in KITS:
        heads = re.findall(r"^## (.*)$", path.read_text(encoding="utf-8"), flags=re.M)
        assert heads[:3] == ["Goals", "Plan", "Misconceptions"]
        sheets += len(heads[3:])
    with opened(browser, address(HTML / "book" / "sessions.html")) as page:
        pages = len(re.findall(rb"/Type /Page\b", page.pdf(format="A4")))
    head = formulas = 1
    assert pages == head + len(KITS) + sheets + formulas


def test_the_formula_sheet_has_the_librarys_formulas():
    text = (ROOT / "book" / "kits" / "formulas.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"(?m)^\| ([\w-]+?)(?:@k)? \| \$(.+)\$ \|$", text))
    names = ["P", "R", "RR", "AP", "DCG", "nDCG", "RBP"]
    assert {name: rows[name] for name in names} == {name: sentence(name)[1] for name in names}
    factor = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    assert f"$({factor:.1f} \\, s_d / d)^2$" in text
