"""The registered claims on the law of leads: their numbers, the rules, and the registered page."""

import hashlib
import json
import math
import re
import subprocess
from functools import cache

import numpy as np
import pandas as pd
import pytest
from strange import estimates

from chapters.data_tables import read
from chapters.elsewhere import leads, sixteen
from chapters.elsewhere.leads import CHANGES, CLAIMS, NINE, OF_LAW
from lib.intervals import Interval
from lib.paths import DATA, ROOT
from lib.statistics.law import phis

PAGE = (ROOT / "book" / "registration-law.md").read_text(encoding="utf-8")


# Words from the committed rows, which are quick and come first.


@pytest.mark.frozen("python data/law/make.py estimates pilots verdicts beside")
def test_the_words_follow_from_the_rows():
    found = leads.verdict_rows(read("law", "estimates"), read("law", "pilots"))
    pd.testing.assert_frame_equal(found.round(6), read("law", "verdicts"), check_dtype=False)
    found = leads.beside(read("law", "estimates"))
    pd.testing.assert_frame_equal(found.round(6), read("law", "beside"), check_dtype=False)


# What is asked, on made-up scores and by hand.


def by_hand(few, many, sizes):
    """The numbers of CHANGES of AP, P@10, RR from two tables of phis, by the page's formulas."""
    small, large = sizes
    at = {name: place for place, name in enumerate(OF_LAW)}

    def law(m, t, n):
        rt, rm, both = (
            math.sin(math.pi * few[at[i]][at[j]] / 2) for i, j in ((t, t), (m, m), (m, t))
        )
        at_n = [n / (n + small * (1 - r) / r) for r in (rt, rm)]
        reached = both / math.sqrt(rt * rm) * math.sqrt(at_n[0] * at_n[1])
        return 2 / math.pi * (math.asin(min(1, reached)) - math.asin(at_n[0]))

    def seen(phi, m, t):
        return phi[at[m]][at[t]] - phi[at[t]][at[t]]

    misses = {(m, t): law(m, t, large) - seen(many, m, t) for m, t in PAIRS}
    doublings = math.log2(large / small)
    rules = {pair: seen(few, *pair) + cost * doublings for pair, cost in PAIRS.items()}
    gains = [abs(rules[pair] - seen(many, *pair)) - abs(misses[pair]) for pair in PAIRS]
    two = [misses["AP", "P@10"], misses["AP", "RR"]]
    own = seen(many, "AP", "P@10")
    return [*two, sum(two) / 2, sum(gains) / 4, own - seen(few, "AP", "P@10"), own]


PAIRS = {
    ("AP", "P@10"): -0.025,
    ("AP", "RR"): -0.049,
    ("P@10", "AP"): -0.018,
    ("P@10", "RR"): -0.017,
}


def made_up(topics, systems, seed, noise=(1.0, 3.0, 5.0)):
    """Scores by AP, P@10 and RR of normal systems; RR is spread like the others, but noisier."""
    rng = np.random.default_rng(seed)
    true = rng.standard_normal(systems)
    names = [f"run{i:02d}" for i in range(systems)]
    tables = {}
    for name, a in zip(OF_LAW, noise):
        own = 0.95 * true + 0.3 * rng.standard_normal(systems)
        scores = own + math.sqrt(a) * rng.standard_normal((topics, systems))
        tables[name] = pd.DataFrame(scores, range(1, topics + 1), names)
    return tables


def test_the_numbers_of_a_collection_are_those_of_the_page():
    scores = made_up(34, 20, 1)
    tables = [
        phis(
            scores,
            size,
            number=leads.number_of_splits(34, size),
            rng=np.random.default_rng(2008 + size),
        ).value
        for size in (10, 16)
    ]
    assert leads.asked(scores).estimate == pytest.approx(by_hand(*tables, (10, 16)))


def test_a_measure_without_a_law_is_left_out_and_missing():
    phi = {n: np.array([[0.6, 0.5, 0.1], [0.5, 0.5, 0.1], [0.1, 0.1, 0.01]]) for n in (10, 24)}
    found = dict(zip(CHANGES, leads.changes(phi, OF_LAW, OF_LAW[:2])))
    assert np.isnan(found["miss for RR"]) and found["L1"] == found["miss for P@10"]
    two = {n: table[:2, :2] for n, table in phi.items()}
    assert leads.changes(two, OF_LAW[:2], OF_LAW[:2])[3] == found["L2"]
    scores = made_up(40, 20, 1, noise=(1.0, 3.0, 1e6))
    assert np.isnan(leads.asked(scores).estimate[1])


def test_the_single_measure_is_compared_over_seven_targets():
    rng = np.random.default_rng(4)
    labels = list(dict.fromkeys((leads.RBP_90, *leads.RIVALS, *leads.TARGETS)))
    true = rng.standard_normal(15)
    scores = {name: pd.DataFrame(true + 2 * rng.standard_normal((20, 15))) for name in labels}
    phi = phis(scores, 9, number=50_000, rng=np.random.default_rng(2017)).value
    table = pd.DataFrame(phi, labels, labels)
    expected = [
        np.mean([table.at[leads.RBP_90, t] - table.at[rival, t] for t in leads.TARGETS])
        for rival in leads.RIVALS
    ]
    assert leads.single_measure(scores).estimate == pytest.approx(expected)


def test_pilots_foretell_the_other_topics_of_normal_systems():
    scores = made_up(260, 12, 3)
    by_number = [str(topic) for topic in sorted(range(1, 261), key=str)]
    shuffled = {
        k: table.set_axis(map(str, table.index)).loc[by_number] for k, table in scores.items()
    }
    assert [list(row) for row in leads.pilots(scores["AP"].index)] == [
        [int(by_number[place]) - 1 for place in row] for row in leads.pilots(by_number)
    ]
    found = leads.forecasts(shuffled)
    assert len(found) == 10 and found["held"].sum() >= 8
    pilot = [by_number[place] for place in leads.pilots(by_number)[1]]
    rest = {k: table.drop(index=pilot) for k, table in shuffled.items()}
    seen = phis(rest, 100, number=2000, rng=np.random.default_rng(2108)).value
    own = found.query("pilot == 1 and target == 'RR'")
    assert own["seen"].item() == pytest.approx(seen[0, 2] - seen[2, 2])
    assert (own["low"] <= own["seen"]).item() == own["held"].item() or own["held"].item() is False


@pytest.mark.frozen("python data/law/make.py estimates")
def test_what_a_collection_says_is_what_is_kept_of_it(monkeypatch):
    """Md's rows are made again with few splits: close, and of as many runs and topics."""
    monkeypatch.setattr(leads, "number_of_splits", lambda *_, **__: 4000)
    monkeypatch.setattr(leads, "fewer_splits", lambda *_: 2000)
    then = read("law", "estimates").query("collection == 'Md'").reset_index(drop=True)
    now = leads.estimates_of("Md")
    pd.testing.assert_frame_equal(now, then, check_dtype=False, rtol=0, atol=0.01)
    assert now["estimate"].to_numpy() == pytest.approx(then["estimate"].to_numpy(), abs=0.003)


# How it is decided.


def rows(**given):
    """Estimates of the claims: a number for all collections, or one for each."""
    on = {claim: CLAIMS.get(claim, CLAIMS["L1"])[1] for claim in given}
    return estimates(given, on, error=0.009)


CLEAR = {"L1": 0.0, "L2": 0.05, "L3": -0.05, "R1": 0.05, CHANGES[0]: 0.01, CHANGES[1]: 0.01}


def words(**changed):
    return {k: str(one) for k, one in leads.decided(rows(**CLEAR | changed)).items()}


def test_what_is_clear_is_a_finding():
    assert set(words().values()) == {"supported (finding)"}
    turned = words(L1=0.05, L2=-0.05, L3=0.05, R1=-0.05)
    assert set(turned.values()) == {"contradicted (finding)"}


def test_holm_counts_four_claims():
    near = 2.2 * 0.009 / 3  # p is near .03 on nine collections
    assert words(L2=near)["L2"] == "supported (finding)"
    both = words(L2=near, L3=-near)
    assert both["L2"] == both["L3"] == "supported (hint)"


def test_a_law_that_is_right_on_average_alone_is_open():
    sides = [0.04, -0.04, 0.04, -0.04, 0, 0, 0, 0, 0]
    open_ = words(**{CHANGES[0]: sides, CHANGES[1]: sides})
    assert open_["L1"] == "inconclusive" and open_["L2"] == "supported (finding)"
    assert words(L1=[0.06, -0.06, 0, 0, 0, 0, 0, 0, 0])["L1"] == "inconclusive"
    assert words(L1=[0.03, -0.03, 0, 0, 0, 0, 0, 0, 0])["L1"] == "supported (finding)"


def test_collections_on_opposite_sides_leave_a_claim_open():
    assert words(R1=[0.2, 0.2, 0.2, 0.2, 0.2, -0.1])["R1"] == "inconclusive"
    table = rows(L3=[-0.1, 0.1, 0, 0, 0, 0, 0, 0, 0])
    assert leads.on_both_sides(table, "L3") == ["A2", "A3"]


def test_where_both_hold_the_word_is_supports():
    assert words(R1=-0.01)["R1"] == "supported (finding)"
    both = {rival: Interval.of(-0.005, 0.001, 200) for rival in leads.RIVALS}
    assert str(leads.decided_single(both)) == "supported (finding)"


def test_the_single_measure_must_hold_beside_each_rival():
    level = {rival: Interval.of(0.0, 0.004, 200) for rival in leads.RIVALS}
    assert str(leads.decided_single(level)) == "supported (finding)"
    wide = level | {"AP": Interval.of(0.0, 0.01, 200)}
    assert str(leads.decided_single(wide)) == "inconclusive"
    # One-sided p of .007 is under .05 / 6, of .01 is not.
    clear, near = (Interval.of(-0.03, 0.03 / z, 1e6) for z in (2.45, 2.33))
    assert str(leads.decided_single(level | {"AP": clear})) == "contradicted (finding)"
    assert str(leads.decided_single(level | {"AP": near})) == "inconclusive"


def test_the_order_of_seven_is_asked_by_all_their_orders():
    falling = leads.rank_correlation(range(7), range(7, 0, -1))
    assert falling == pytest.approx((-1, 1 / math.factorial(7)))
    assert str(leads.decided_spread(falling[1])) == "supported (hint)"
    assert leads.rank_correlation([1, 2, 3], [1, 2, 3])[1] == 1
    assert str(leads.decided_spread(0.06)) == "inconclusive"


def test_all_seven_are_decided_from_what_the_collections_say():
    table = rows(**CLEAR)
    more = [[f"S1 {r}", name, 0.0, 0.004] for r in leads.RIVALS for name in leads.SIX]
    more += [["D1", name, place, 0.0] for place, name in enumerate(leads.SEVEN)]
    more += [["R1", name, 0.05, 0.004] for name in ("D22", "G22")]
    more = pd.DataFrame(more, columns=["claim", "collection", "estimate", "error"])
    table = pd.concat([table, more.assign(freedom=49.0, low=0.0, high=0.1)], ignore_index=True)
    falling = (table["claim"] == "R1") & table["collection"].isin(leads.SEVEN)
    for place, name in enumerate(leads.SEVEN):
        table.loc[falling & (table["collection"] == name), "estimate"] -= 0.001 * place
    found = leads.words(table, pd.DataFrame({"held": [True] * 31 + [False] * 9}))
    assert {k: str(word) for k, word in found.items()} == {
        **dict.fromkeys(("L1", "L2", "L3", "R1", "S1"), "supported (finding)"),
        "L4": "contradicted (finding)",
        "D1": "supported (hint)",
    }
    # R1 is of six: what other collections say of AP for P@10 does not enter its mean.
    others = table["claim"].eq("R1") & ~table["collection"].isin(leads.SIX)
    table.loc[others, ["estimate", "low", "high"]] = -9.0
    assert str(leads.decided(table)["R1"]) == "supported (finding)"


# The page.


def test_the_page_says_what_the_code_asks():
    lines = [[c.strip() for c in line.strip("|").split("|")] for line in PAGE.splitlines()]
    # From the last table to the first, which has the claims.
    said = {cells[0].rstrip("†"): cells[3:] for cells in reversed(lines) if len(cells) == 6}
    typical = f"typical miss at most {number(leads.TYPICAL_MISS)}"
    assert said["L1"] == [f"mean inside ±.02 and {typical}", "mean outside ±.02", "all nine"]
    assert CLAIMS["L1"][0].ends == [-0.02, 0.02]
    for claim, on in (("L2", "all nine"), ("L3", "all nine"), ("R1", "six")):
        bound = CLAIMS[claim][0]
        ends = (bound.least, bound.refuted_below) if claim != "L3" else (0, 0)
        way = ("below", "above") if claim == "L3" else ("above", "below")
        assert said[claim] == [*(f"{w} {number(e)}" for w, e in zip(way, ends)), on]
    assert said["L4"] == [f"{leads.HELD} or more", f"fewer than {leads.NOT_HELD}", "G22, G23"]
    costs = ", ".join(number(cost) for cost in leads.DOUBLING.values())
    assert f"the lead at {leads.FEW} plus {costs} a doubling" in PAGE


def number(value):
    """A number as the page writes it.

    >>> number(-0.02)
    '−.02'
    """
    return f"{value:g}".replace("0.", ".").replace("-", "−")


def test_the_page_names_the_collections_that_the_code_asks():
    cells = re.findall(r"^\| (\w+) \|(.*)\| (✓?) ?\| (✓?) ?\| (✓?) ?\| (✓?) ?\|$", PAGE, re.M)
    assert [name for name, *_ in cells] == [*NINE]
    law, pilots, six, seven = (
        tuple(name for name, _, *marks in cells if marks[i]) for i in range(4)
    )
    assert law == CLAIMS["L1"][1] == CLAIMS["L2"][1] == CLAIMS["L3"][1] == tuple(NINE)
    assert pilots == tuple(name for name, new in NINE.items() if not new.people)
    assert six == leads.SIX == CLAIMS["R1"][1]
    assert seven == leads.SEVEN
    for run in (run for new in NINE.values() for runs in new.out.values() for run in runs):
        assert run in PAGE or re.search(rf"{run.removeprefix('webis-dl-duot5')}\b", PAGE)


# The sixteen: what the page and the referee say of them comes out.


def test_the_lists_of_the_sixteen_are_those_that_were_frozen():
    text = (DATA / "law" / "lists.csv").read_bytes()
    assert hashlib.sha256(text).hexdigest() in PAGE
    pd.testing.assert_frame_equal(sixteen.lists(), read("law", "lists"))


@pytest.fixture(scope="module")
def older():
    """What the claims come to without copies, a column a claim."""
    table = read("law", "older").query("runs == 'without copies'")
    return table.pivot(index="collection", columns="claim", values="estimate")


def test_the_sixteen_say_what_the_page_says_of_them(older):
    """The registration's own numbers but R1's are within .005; what came out is on the page."""
    registered = {"L1": -0.006, "L2": 0.013, "L3": -0.035}
    assert older.mean()[[*registered]].to_dict() == pytest.approx(registered, abs=0.005)
    misses = np.sqrt((older[[*CHANGES[:2]]] ** 2).mean())
    assert misses.tolist() == pytest.approx([0.014, 0.021], abs=0.005)
    came_out = (
        f"L1 {number(round(older['L1'].mean(), 3))} ({(older['L1'].abs() < 0.02).sum()} of 16",
        f"L2 +{number(round(older['L2'].mean(), 3))} ({(older['L2'] > 0).sum()} of 16",
        f"L3 {number(round(older['L3'].mean(), 3))} ({(older['L3'] < 0).sum()} of 16",
        f"R1 {number(round(older['R1'].mean(), 3))}",
    )
    assert [text for text in came_out if text not in PAGE] == []


# The referee's table: fitted at 25 topics a set and asked elsewhere, on all columns.
REFEREE = """
T        P@10 10 .034 .028   40 -.041 -.038   50 -.056 -.055
B        P@10 10 .045 .036   50 -.038 -.033   75 -.062 -.060
T        RR   10 .050 .046   40 -.028 -.025   50 -.049 -.046
B        RR   10 .062 .063   50 -.040 -.043   75 -.076 -.084
robust04 P@10  5 .056 .058   50  .009  .013  100 -.019 -.013  124 -.028 -.021
"""


@pytest.mark.parametrize("line", REFEREE.strip().splitlines(), ids=str.split)
def test_the_referees_table_comes_out(line):
    name, target, *numbers = line.split()
    table = read("law", "foretold")
    of = {"collection": name, "target": target, "fitted": 25}
    of["runs"] = "all" if name == "robust04" else "without copies"  # the others have no copies
    own = table[(table[[*of]] == of).all(axis=1)]
    own = own.set_index("topics")[["law", "seen"]]
    for topics, law, seen in np.reshape(np.array(numbers, float), (-1, 3)):
        assert own.loc[topics].tolist() == pytest.approx([law, seen], abs=0.005)


def test_what_the_law_tells_follows_from_noise_and_validity():
    table = read("law", "foretold")
    r, r_ap = (table["topics"] / (table["topics"] + table[name]) for name in ("noise", "noise_ap"))
    reached = np.minimum(table["validity"] * np.sqrt(r * r_ap), 1)
    told = 2 / np.pi * (np.arcsin(reached) - np.arcsin(r))
    assert told.to_numpy() == pytest.approx(table["law"].to_numpy(), abs=2e-6)


@pytest.mark.frozen("python data/law/make.py older power foretold")
def test_the_numbers_of_the_sixteen_are_those_that_the_code_computes_now():
    own = read("law", "foretold").query("collection == 'dl19'").reset_index(drop=True)
    pd.testing.assert_frame_equal(sixteen.foretold("dl19").round(6), own, check_dtype=False)
    table = read("law", "older")
    own = table[table["collection"] == "dl19"].reset_index(drop=True)
    pd.testing.assert_frame_equal(sixteen.older("dl19").round(6), own, check_dtype=False)
    pd.testing.assert_frame_equal(sixteen.powers().round(6), read("law", "power"))


def test_the_rule_took_the_typical_miss():
    power = read("law", "power").set_index("limit")["power"]
    assert leads.TYPICAL_MISS == (0.02 if power[0.02] >= 0.8 else 0.025)
    said = [f"{number(round(p, 2))} with {number(limit)}" for limit, p in power.items()]
    assert [text for text in said if text not in PAGE] == []


# The nine: the order of the commits, and the numbers by numpy alone.


def added(path):
    """The first commit that has a path, or nothing where the history is not at hand."""
    words = ["git", "log", "--diff-filter=A", "--format=%H", "--", path]
    try:
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return (done.stdout.split() or [""])[-1]


@pytest.mark.parametrize("name", [n for n, new in NINE.items() if (DATA / new.folder).is_dir()])
def test_the_page_and_the_code_were_committed_before_the_data(name):
    page = added("book/registration-law.md")
    code, data = added("chapters/elsewhere/leads.py"), added(f"data/{NINE[name].folder}")
    if not (page and code and data):
        pytest.skip("the history is not at hand")
    for earlier in (page, code):
        assert earlier != data
        words = ["git", "merge-base", "--is-ancestor", earlier, data]
        assert subprocess.run(words, cwd=ROOT).returncode == 0


def scores_of_package(folder, out):
    """AP, P@10 and RR by topic and run, from a package and pandas alone."""
    package = json.loads((DATA / folder / "datapackage.json").read_text(encoding="utf-8"))
    runs = pd.read_csv(DATA / folder / "systems.tsv", sep="\t", dtype=str)["run"]
    kept = ~runs.isin(out).to_numpy()
    if not (DATA / folder / "scores.parquet").is_file():
        return {name: of[:, kept] for name, of in scores_of_hits(folder, len(runs)).items()}
    table = pd.read_parquet(DATA / folder / "scores.parquet")
    found = {}
    for name in OF_LAW:
        scores = (table[name] / package["score_of_1"][name]).to_numpy().reshape(-1, len(runs))
        found[name] = scores[:, kept]
    found["P@10"] = (10 * found["P@10"]).round()
    rr = found["RR"]
    found["RR"] = np.where(rr > 0, 1 / np.round(1 / np.where(rr > 0, rr, 1)), 0)
    return found


def scores_of_hits(folder, runs):
    """The same of a package that says at which ranks a run found what is relevant."""
    relevant = pd.read_csv(DATA / folder / "topics.tsv", sep="\t")["relevant"].to_numpy()
    hits = pd.read_parquet(DATA / folder / "hits.parquet").sort_values("rank")
    found = {name: np.zeros((len(relevant), runs)) for name in OF_LAW}
    for (topic, run), rank in hits.groupby(["topic", "system"])["rank"]:
        at = rank.to_numpy()
        found["AP"][topic, run] = (np.arange(1, len(at) + 1) / at).sum() / relevant[topic]
        found["P@10"][topic, run] = (at <= 10).sum()
        found["RR"][topic, run] = 1 / at[0]
    return found


def taus_b(one, other):
    """Kendall's tau-b of rankings (measures x systems) by the signs of all pairs."""
    signs = [np.sign(x[:, :, None] - x[:, None, :]).reshape(len(x), -1) for x in (one, other)]
    untied = [np.sqrt((of**2).sum(axis=1)) for of in signs]
    both = np.outer(*untied)  # 0 where all are level: no order is told
    return signs[0] @ signs[1].T / np.where(both, both, 1)


@cache
def by_own_splits(name):
    """The numbers of CHANGES of a collection's registered runs: 20,000 splits at each size."""
    out = {run for runs in NINE[name].out.values() for run in runs} | {"sab05rot2"}  # of R5 a copy
    scores = scores_of_package(NINE[name].folder, out)
    stacked, topics = np.stack([scores[k] for k in OF_LAW]), len(scores["AP"])
    rng, sizes, phi = np.random.default_rng(11), (10, min(25, (topics - 2) // 2)), []
    for size in sizes:
        taus = np.zeros((3, 3))
        for _ in range(20_000):
            parts = rng.permutation(topics)[: 2 * size].reshape(2, size)
            taus += taus_b(*(stacked[:, part].mean(axis=1).round(10) for part in parts))
        phi.append((taus + taus.T) / 40_000)
    return by_hand(*phi, sizes)


ASKED = ("A3", "W9", "R5", "Md", "G22", "G23")


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[] if n in ("R5", "G23") else pytest.mark.long) for n in ASKED]
)
def test_l1_and_l3_are_what_numpy_makes_of_its_own_splits(name):
    committed = read("law", "estimates").query("collection == @name").set_index("claim")["estimate"]
    expected = by_own_splits(name)
    assert committed["L1"] == pytest.approx(expected[2], abs=0.002)
    assert committed["L3"] == pytest.approx(expected[4], abs=0.002)


@pytest.mark.frozen("python data/law/make.py estimates")
def test_what_was_left_out_is_what_the_registration_says():
    """And what it left to the data: one copy among R5's runs, and means unlike NIST's."""
    kept = {name: leads.hold_out_scores(name, ["AP"])["AP"].shape[1] for name in leads.here()}
    said = {"A2": 6, "A3": 40, "W9": 104, "R5": 73, "Md": 120, "D22": 0, "G22": 96, "G23": 35}
    assert kept == said
    assert leads.those() == ["A3", "W9", "R5", "Md", "G22", "G23"]
    assert leads.those("means") == ["A2", "A3", "W9", "R5", "Md", "D22", "G22", "G23"]
    assert leads.hold_out_scores("A2", ["AP"], "means")["AP"].shape[1] == 36
    assert leads.hold_out_scores("D22", ["AP"], "means")["AP"].shape[1] == 96
