"""Titles of figures against what they show: numbers, counts and directions, in each setting.

What a title should say is made here of the table behind its figure and of the names of its marks.
"""

import re
from functools import partial
from html import unescape
from itertools import combinations
from statistics import mean, median
from typing import NamedTuple

import numpy as np
import pytest
from built import ROOT
from cells import code_cells
from scipy.stats import kendalltau

DRAWING = '<figure class="measures drawing">'
ELSE = "…"  # in a title: what its figure does not show
# Titles that say how to read their figure, and nothing of what came out.
READING = {
    "00-foundations#tau-figure",
    "02-audit#figures-trec8",
    "02-audit#tree",
    "04-audit#figure3",
}


class Shown(NamedTuple):
    """A drawing: its title, all of its caption, the names of its marks, the table behind it."""

    title: str
    caption: str
    marks: list[tuple[str, str]]
    heads: list[str]
    rows: list[list[str]]

    def column(self, head):
        """Return a column of the table as numbers; those that are missing are none of it."""
        place = self.heads.index(head) - len(self.heads)
        return [number(row[place]) for row in self.rows if row[place] != "–"]

    def table(self):
        """Return the last cell of each row by the first, as numbers."""
        return {row[0]: number(row[-1]) for row in self.rows}


def plain(markup):
    """Return the text of a piece of HTML."""
    return " ".join(unescape(re.sub("<[^>]+>", "", markup)).split())


def number(text):
    """Return the first number of a text."""
    return float(re.search(r"[+\-−]?\d[\d,]*(\.\d+)?", text)[0].replace("−", "-").replace(",", ""))


def numbers(text):
    """Return all numbers of a text."""
    return [number(one) for one in re.findall(r"[+\-−]?\d[\d,]*(?:\.\d+)?", text)]


def signed(value, decimals=3):
    """Return a number as a title has it."""
    return f"{value:+.{decimals}f}".replace("-", "−")


def listed(names):
    """Return names as a title lists them.

    >>> listed([1, 2, 3])
    '1, 2 and 3'
    """
    *first, last = map(str, names)
    return f"{', '.join(first)} and {last}" if first else last


def falls(values, strictly=True):
    return all(a > b or (a == b and not strictly) for a, b in zip(values, values[1:]))


def rises(values, strictly=True):
    return falls([-value for value in values], strictly)


def drawings(path):
    """Yield what each cell of a notebook shows, by the notebook and the cell."""
    for cell in code_cells(path):
        text = "".join(out["data"].get("text/html", "") for out in cell.outputs if "data" in out)
        for part in text.split(DRAWING)[1:]:
            caption = re.search("(?s)<figcaption><strong>(.*?)</strong>(.*?)</figcaption>", part)
            rows = [
                [plain(each) for each in re.findall("(?s)<t[hd][^>]*>(.*?)</t[hd]>", row)]
                for row in re.findall("(?s)<tr.*?</tr>", part.split("<table>")[-1])
            ] or [[]]
            top = part.count('scope="colgroup"') > 0
            marks = [plain(one).partition(": ")[::2] for one in re.findall("<title>(.*?)<", part)]
            heads = rows[top] if len(rows) > top else []
            title, rest = map(plain, caption.groups())
            shown = Shown(title, f"{title} {rest}".strip(), marks, heads, rows[1 + top :])
            yield f"{path.stem}#{cell.id}", shown


FOUND = [one for path in sorted((ROOT / "chapters").glob("*.ipynb")) for one in drawings(path)]
SAYS = {}


def says(place):
    """Register what the figures of a cell should say."""

    def register(function):
        SAYS[place] = function
        return function

    return register


@says("00-foundations#differences")
def _(shown):
    known = shown.table()
    low, high = known["low"], known["high"]
    gaps = [number(words) for _, words in shown.marks]
    assert abs(mean(gaps) - known["mean"]) < 0.001
    return (
        f"The 95% interval of the mean difference {'in' if low <= 0 <= high else 'ex'}cludes 0: "
        f"mean {signed(known['mean'])}, 95% interval {signed(low)} to {signed(high)}, "
        f"p = {known['p']:.3f}. Dots: topics, {sum(gap > 0 for gap in gaps)} of them above 0"
    )


@says("00-foundations#weights")
def _(shown):
    precision = shown.column("P@10")
    assert len(set(precision[:10])) == 1 and set(precision[10:]) == {0}
    assert all(falls(shown.column(h), False) for h in shown.heads if re.match("nDCG|RBP", h))
    return "P@10 counts ten ranks alike; nDCG and RBP count each rank less than the one before."


@says("00-foundations#list-explore")
def _(shown):
    relevant = [one.isupper() for one in re.findall(r"\b\w\b", shown.title.partition("(")[0])]
    now = shown.table()
    assert [sum(relevant[:k]) / k for k in (5, 10)] == [now["P@5"], now["P@10"]]
    assert now["RR"] == pytest.approx(1 / (1 + relevant.index(True)), abs=0.0006)
    return f"The list is now {ELSE} (capitals are relevant)."


@says("00-foundations#top-figure")
def _(shown):
    assert shown.column("AP") == sorted(shown.column("AP")) != shown.column("nDCG")
    return "The best systems change places with the measure."


@says("01-precision-at-ten#won")
def _(shown):
    count = np.cumsum(shown.column("halvings"))
    ends = [100 * shown.column("to")[np.searchsorted(count, q * count[-1])] for q in (0.025, 0.975)]
    told = numbers(shown.title)[:2]
    assert all(end - 4 <= value <= end for end, value in zip(ends, told)), (ends, told)
    return (
        f"AP was right in {ELSE} of its conflicts with P@10: it depends on the half that you saw."
    )


@says("01-precision-at-ten#topic-error")
def _(shown):
    words = {"as good": [], "worse": [], "inconclusive": []}
    for name, _, _, low, high in shown.rows:
        good, bad = number(low) > -0.02, number(high) <= 0
        words["as good" if good else "worse" if bad else "inconclusive"].append(name)
    parts = "; ".join(f"{listed(names)}: {word}" for word, names in words.items() if names)
    return f"On TREC-8, as predictors of P@10, {parts}."


@says("01-precision-at-ten#explore")
def _(shown):
    ((target,),) = {tuple(re.findall("power for (.*) on other", told)) for _, told in shown.marks}
    best = max(shown.rows, key=lambda row: number(row[1]))[0]
    return f"On these topics {best} predicts {target} best."


@says("01-precision-at-ten#conflicts")
def _(shown):
    by = {judge: [] for judge, *_ in shown.rows}
    for judge, _, _, right, *_ in shown.rows:
        by[judge].append(number(right))
    simple, own = (f"{min(values):.0f}% to {max(values):.0f}%" for values in by.values())
    return (
        f"As its own judge the complex measure was right in {own} of conflicts; "
        f"by the simple one's judgement, in {simple}."
    )


@says("01-precision-at-ten#figure1")
def _(shown):
    (first, start), *_, (last, end) = (
        (row[2], number(row[3])) for row in shown.rows if row[:2] == ["nDCG", "P@10"]
    )
    return f"nDCG predicts P@10 at {start:.2f} with {first} topics and at {end:.2f} with {last}."


@says("01-precision-at-ten#depth")
def _(shown):
    by = {}
    for collection, depth, _, power, *_ in shown.rows:
        by.setdefault(collection, {})[depth] = number(power)
    parts = [f"by {signed(of['1000'] - of['10'], 2)} on {name}" for name, of in by.items()]
    return (
        "Looking at 1,000 ranks in place of 10 changes nDCG's predictive power for P@10 "
        f"{', '.join(parts)}."
    )


@says("02-measure-correlations#finding-shown")
def _(shown):
    starts = [i for i, row in enumerate(shown.rows) if row[1] == "P@1"] + [len(shown.rows)]
    for start, end in zip(starts, starts[1:]):
        assert falls(shown.column("RR")[start:end]) and rises(shown.column("AP")[start:end])
    return "The further down a measure reads, the less it agrees with RR and the more with AP."


@says("02-measure-correlations#explore")
def _(shown):
    known = shown.table()
    assert known["systems"] == len(shown.marks)
    return f"{ELSE}: tau-b of {shown.heads[0]} is {known['tau-b']:.3f}."


@says("02-audit#figures-terabyte")
def _(shown):
    ap, rr = shown.column("AP"), shown.column("RR")
    slope, start = np.polyfit(ap, rr, 1)
    manual = [y - slope * x for x, y, row in zip(ap, rr, shown.rows) if row[-1] == "manual"]
    assert median(manual) > start
    return "Most manual runs (colour) lie above the line of AP and RR."


@says("03-blind-feedback#answer-figure")
def _(shown):
    up = [name for name, _, low, _ in shown.rows if number(low) > 0]
    down = [name for name, _, _, high in shown.rows if number(high) < 0]
    return f"With blind feedback, {listed(up)} rise and {listed(down)} fall."


@says("03-blind-feedback#depths")
def _(shown):
    rows = {row[0]: row[1:] for row in shown.rows}
    for name, depths in re.findall(
        r"([\w ]+), at k = ([\d, ]+)", shown.title.replace("1,000", "1000")
    ):
        place = 2 * ["Cystic Fibrosis", "all four", "paper"].index(name.strip())
        for k in depths.strip(" ,").split(", "):
            precision, success = map(number, rows[k][place : place + 2])
            assert precision > 0 > success, (name, k)
    return f"P@k gains where Success@k loses: {ELSE}."


@says("03-blind-feedback#query-moves")
def _(shown):
    ((name, before, after, _),) = (row for row in shown.rows if row[-1])
    assert any(number(row[2]) < number(row[1]) for row in shown.rows if not row[-1])
    short = name.rpartition(".")[2]
    way = f"goes from rank {before} to rank {after}"
    return f"Other pages rise, and {short}, which is relevant, {way}."


@says("03-blind-feedback#explore")
def _(shown):
    ((_, helped, hurt, same, base, feedback, gap),) = shown.rows
    assert abs(number(feedback) - number(base) - number(gap)) < 0.0011
    low, high = numbers(shown.title)[-2:]
    word = "rises" if low > 0 else "falls" if high < 0 else "inconclusive"
    return (
        f"{helped} topics gain, {hurt} lose, {same} stay; mean change {signed(number(gap))} "
        f"[{ELSE}], {word}."
    )


@says("03-blind-feedback#table2")
def _(shown):
    agree = [row[-1] for row in shown.rows].count("agree")
    return (
        f"By {agree} of {len(shown.rows)} measures ours change in the paper's direction, "
        "with intervals that exclude 0."
    )


@says("03-blind-feedback#needed")
def _(shown):
    counts = {head: sum(n <= 50 for n in shown.column(head)) for head in shown.heads[1:]}
    parts = ", ".join(f"by {head} in {n or 'none'}" for head, n in counts.items())
    return f"Of {len(shown.rows)} systems 50 topics would show the change {parts}."


@says("04-audit#figure4")
def _(shown):
    by = {(measure, pool): row for measure, pool, *row in shown.rows}
    measures = dict.fromkeys(measure for measure, _ in by)
    ends = [(by[m, "5"][0], by[m, "100"][shown.heads.index("100") - 2]) for m in measures]
    rising = sum(number(last) > number(first) for first, last in ends)
    which = f"all {rising}" if rising == len(measures) else f"{rising} of {len(measures)}"
    return (
        "From full assessment at depth 5 to that at 100 the discriminative power of "
        f"{which} measures rises."
    )


@says("04-audit#explore")
def _(shown):
    depth, power, _ = shown.rows[-1]
    return (
        f"{ELSE}, pool depth {number(shown.heads[1]):.0f}, evaluation depth {depth}: the t test at "
        f"0.05 tells {number(power):.1%} of the pairs of systems apart."
    )


@says("04-pooling-depth#places")
def _(shown):
    *_, pool, deep, short, _ = shown.rows[-1]
    before = "as before" if short == deep else f"not {deep}"
    smaller = number(shown.heads[1]) < 100
    told = f"; with a pool of depth {number(shown.heads[1]):.0f}, in {pool}" if smaller else ""
    comma = " " if short == deep else ", "
    return f"Cut all lists to {ELSE}'s length, and it ends in place {short}{comma}{before}{told}."


@says("04-pooling-depth#answer-figure")
def _(shown):
    lines = {head: shown.column(head) for head in shown.heads[1:]}
    assert all(rises(line) for line in lines.values()) and len(lines) == 4
    least = min(line[-1] - line[0] for line in lines.values())
    most = max(max(at) - min(at) for at in zip(*lines.values()))
    told = numbers(shown.caption)
    assert min(abs(one - least) for one in told) < 0.0011, least
    assert min(abs(one - most) for one in told) < 0.0011, most
    return "On these topics four usual measures rise together."


@says("04-pooling-depth#table3")
def _(shown):
    by = {changed: [] for changed, *_ in shown.rows}
    for changed, *_, tau in shown.rows:
        by[changed].append(number(tau))
    most = min(by, key=lambda changed: mean(by[changed]))
    assert len(by) == 3
    return f"Of three changes, that of the {most} reorders the most."


@says("04-pooling-depth#figure2")
def _(shown):
    taus = {}
    for _, told in shown.marks:
        pair = tuple(re.findall("[a-z]+", told))
        taus.setdefault(pair, []).append(numbers(told))
    one, other = max(taus, key=lambda pair: kendalltau(*zip(*taus[pair])).statistic)
    return f"{one.capitalize()} and {other} rank most alike."


# What supports and what contradicts each claim of a forest plot, by the ends of its interval.
BOUNDS = {
    "RR and AP": lambda low, high: (high < 0.9, low >= 0.9),
    "RR": lambda low, high: (high < 0, low >= 0),
    "GS10": lambda low, high: (high < 0, low >= 0),
    "GS10 by feedback": lambda low, high: (high < 0, low >= 0),
}
AS_WELL = dict.fromkeys(
    ("p10-forest", "rr-forest", "RBP for P@10"), lambda low, high: (low > -0.02, high <= 0)
)
SIDES = {"supported": 1, "as good as": 1, "contradicted": -1, "worse": -1, "inconclusive": 0}


def sides(claim, low, high, cell=""):
    """Return 1 if an interval supports a claim, -1 if it contradicts it, 0 if neither.

    Its ends have three digits, so that there may be two of them.
    """
    bound = AS_WELL.get(cell) or AS_WELL.get(claim) or BOUNDS.get(claim)
    found = set()
    for shift in (-0.0005, 0.0005):
        ends = low + shift, high + shift
        yes, no = bound(*ends) if bound else (ends[0] > 0, ends[1] <= 0)
        found.add(1 if yes else -1 if no else 0)
    return found


def words(title):
    """Return which side a title takes of each claim that it names."""
    found = {}
    for clause in re.sub("^.*?(: |, )", "", title.rstrip("."), count=1).split("; "):
        ends = [word for word in SIDES if word in clause]
        if "as good or worse" in clause:
            ends = ["inconclusive"]
        names = re.split(" (?:may be|proved|supported|contradicted|inconclusive)", clause)[0]
        each = [names] if names == "RR and AP" else re.split(", | and ", names)
        found |= dict.fromkeys(each, SIDES[ends[0]])
    return found


def of_means(shown, cell, row_of):
    """Hold the words of a title against the intervals of the means in its table."""
    low, high = shown.heads.index("low"), shown.heads.index("high")
    means = {row[0]: (number(row[low]), number(row[high])) for row in shown.rows if row_of in row}
    told = words(shown.title)
    assert told.keys() == means.keys()
    assert all(told[claim] in sides(claim, *ends, cell) for claim, ends in means.items())
    return ELSE


for cell in ("p10-forest", "rr-forest", "apart-forest", "power-forest", "feedback-forest"):
    SAYS[f"05-audit#{cell}"] = partial(of_means, cell=cell, row_of="these collections")
SAYS["05-elsewhere#p10-forest"] = SAYS["05-audit#p10-forest"]
SAYS["05-elsewhere#new-picture"] = partial(of_means, cell="", row_of="the three")


@says("05-elsewhere#finding")
def _(shown):
    ends = {(claim, on): (number(low), number(high)) for claim, on, _, low, high in shown.rows}
    assert len(ends) == 10
    assert all(high < 0 for (_, on), (_, high) in ends.items() if on == "older ones")
    assert all(high > 0 for (_, on), (_, high) in ends.items() if on == "the three")
    return "Three new collections do not repeat what older ones hinted about AP."


@says("05-elsewhere#paths-explore")
def _(shown):
    (lead,) = {
        told.removeprefix("AP ") for name, told in shown.marks if name == "these collections"
    }
    paths = [numbers(told)[:3] for name, told in shown.marks if "adjusted p" in told]
    means = [middle for middle, *_ in paths[:-1]]  # the last is the ring
    yes, no = (
        sum(way in sides("", *one[1:], "p10-forest") for one in paths[:-1]) for way in (1, -1)
    )
    return (
        f"AP's lead is {lead}: {ELSE}. Over {len(means)} analysis paths it goes from "
        f"{signed(min(means))} to {signed(max(means))}; {yes} support the paper and {no} contradict"
    )


@says("05-elsewhere#restricted-picture")
def _(shown):
    judged = {row[0]: row for row in shown.rows if row[1:3] == ["pools", "10"]}
    for deep in ("TREC-5", "TREC-8"):
        assert number(judged[deep][-2]) < 0 < number(judged[deep][-1])
    return "Shallow pools do not make AP's deficit."


@says("05-elsewhere#line-picture")
def _(shown):
    by = {}
    for name, told in shown.marks:
        collection, _, measure = name.rpartition(", ")
        by.setdefault(collection, {})[measure] = number(told)
    assert all(falls([of[f"P@{k}"] for k in (10, 20, 30, 100)], False) for of in by.values())
    least = sum(min(of, key=of.get) == "AP" for of in by.values())
    return (
        "From P@10 on, the deeper a precision reads, the less it ranks systems as RR does. "
        f"AP is least like RR on {least} of {len(by)} collections."
    )


@says("05-audit#growth-figure")
def _(shown):
    (first, *_, start, low, high), *_, (last, *_, end, bottom, top) = shown.rows
    return (
        f"AP's lead for P@10 is {start} [{low}, {high}] with {first} topics in each set and "
        f"{end} [{bottom}, {top}] with {last}."
    )


@says("05-audit#years-figure")
def _(shown):
    tasks = [row for row in shown.rows if row[0] == "P@10"]
    taus = [number(row[shown.heads.index("tau")]) for row in tasks]
    runs = sum(number(row[shown.heads.index("runs")]) for row in tasks)
    assert abs(median(taus) - number(shown.title.partition(" is ")[2])) < 0.001
    return (
        f"The median of tau-b of P@10 and AP is {ELSE} over {len(tasks)} tasks and "
        f"{runs:,.0f} runs."
    )


@says("06-left-out#falls")
def _(shown):
    ((run, before), (_, after)) = shown.marks[-2:]
    inside, outside = number(before), number(after)
    how = "stays in" if inside == outside else "falls from" if outside > inside else "rises from"
    places = f"{inside:.0f}" if inside == outside else f"{inside:.0f} to {outside:.0f}"
    return f"{run} {how} place {places}; {ELSE} of the runs fall two places or fewer."


@says("06-left-out#by-hand")
def _(shown):
    inside, outside = ([number(row[place]) for row in shown.rows] for place in (1, 2))
    assert shown.rows[inside.index(max(inside))][0] == "C"
    assert shown.rows[outside.index(min(outside))][0] == "C"
    return "d3 leaves the pool, and C falls from first to last."


@says("06-left-out#five")
def _(shown):
    losing = sum(all(number(cell) > 0 for cell in row[1:]) for row in shown.rows)
    return f"On {losing} of {len(shown.rows)} collections left-out runs lose."


@says("06-left-out#depth")
def _(shown):
    assert rises(shown.column("depth"))
    assert all(falls(shown.column(head)) for head in shown.heads[1:])
    return "The deeper the pool, the smaller the loss."


@says("06-left-out#runs")
def _(shown):
    by = {}
    for collection, *_, lost, _, _, _ in shown.rows:
        by.setdefault(collection, []).append(number(lost))
    assert all(rises(losses) for losses in by.values())
    return "The more of its first ten documents are unjudged, the more the median run loses."


@says("07-judged-by-machines#finding-shown")
def _(shown):
    nearer = {}
    for panel, *_, low, _ in shown.rows:
        nearer.setdefault(panel, []).append(number(low) > 0)
    labels, order = sum(nearer["kappa"]), sum(nearer["nDCG@10: order"])
    return (
        f"A machine's labels are nearer the track's than another person's in {labels} of "
        f"{len(nearer['kappa'])} intervals, its order of runs in {order or 'none'}."
    )


@says("07-judged-by-machines#explore")
def _(shown):
    runs = [numbers(told.partition(", by")[2].partition(", ")[2]) for _, told in shown.marks]
    pairs = [(a - c) * (b - d) for (a, b), (c, d) in combinations([run[-2:] for run in runs], 2)]
    changed, pairs_told = map(
        int, re.search(r"(\d+) of ([\d,]+) pairs", shown.title.replace(",", "")).groups()
    )
    crossed, open_ = (
        sum(one < 0 for one in pairs),
        sum(one == 0 for one in pairs),
    )  # by three digits
    assert pairs_told == len(pairs) and crossed <= changed <= crossed + open_
    return f"{ELSE} pairs of runs change order, tau-b {ELSE}."


@says("07-judged-by-machines#eight")
def _(shown):
    known = {name: value for _, name, value, *_ in shown.rows}
    (people,) = (value for name, value in known.items() if "track" in name or "people" in name)
    return (
        f"Two of the eight agree with a mean kappa of {known['the eight']} (dotted), UMBRELA and "
        f"one of them with {known['UMBRELA']}, the track's people and one of them with {people}."
    )


@says("07-judged-by-machines#favours")
def _(shown):
    gpt = [number(row[2]) > 0 for row in shown.rows if row[0] == "nDCG@10: GPT"]
    out = sum(number(low) > 0 or number(high) < 0 for *_, low, high in shown.rows)
    return (
        f"{sum(gpt)} of {len(gpt)} machines lean towards runs made by GPT; "
        f"{out} of {len(shown.rows)} intervals exclude 0."
    )


def depths(shown, worse):
    """Return the depths that are no worse and those that are."""
    parts = {False: [], True: []}
    for row in shown.rows:
        parts[worse(row)].append(re.search(r"depth (\d+)", row[0])[1])
    return listed(parts[False]), parts[True] and listed(parts[True])


@says("08-spending-judgements#depths")
def _(shown):
    near, worse = depths(shown, lambda row: number(row[-1]) < 0)
    return f"Depths {near} cannot be told apart; {worse} predict worse."


@says("08-spending-judgements#explore-plan")
def _(shown):
    near, worse = depths(shown, lambda row: row[-1] == "no")
    told = f"; expected to be worse: {worse}" if worse else ""
    return f"Cannot be told apart from the plan: depth {near}{told}."


@says("08-spending-judgements#placed")
def _(shown):
    own = {row[1]: number(row[2]) - number(row[3]) for row in shown.rows if row[0] == "TREC-8"}
    first, last = re.findall(r"depth (\d+)", shown.title)
    start, end = own[first], own[last]
    return (
        f"A shallow pool flatters the systems in it: at depth {first} TREC-8's are placed "
        f"{start:.2f} better than if they came later, at depth {last} {end:.2f}."
    )


@says("08-spending-judgements#back-test-figure")
def _(shown):
    told = dict(re.findall(r"over (\S+(?: of [\w ]+?)?) for (\d+)", shown.title))
    for head, count in told.items():
        gains = shown.column(head)
        clear, open_ = sum(gain > 0 for gain in gains), gains.count(0)  # by three digits
        assert clear <= int(count) <= clear + open_, head
    assert [*told] == shown.heads[1:]
    return f"At equal cost plans gain on average {ELSE} of {len(shown.rows)} budgets."


@says("08-spending-judgements#promises")
def _(shown):
    name, _, promised, seen, _, reach = max(
        shown.rows, key=lambda row: abs(number(row[2]) - number(row[3]))
    )
    return (
        f"Promises lean, and their intervals are wide: {name} was promised {promised} and showed "
        f"{seen}, where the interval reached {reach} to each side."
    )


@says("08-spending-judgements#ways-figure")
def _(shown):
    gains = [(number(cell), row[0]) for row in shown.rows for cell in row[1:]]
    (least, low), (most, high) = min(gains), max(gains)
    return (
        "Choosing documents cleverly helps on one collection and hurts on another: gains go from "
        f"{signed(least, 2)} ({low}) to {signed(most, 2)} ({high})."
    )


@says("08-spending-judgements#needs")
def _(shown):
    ap, precision = (
        median(number(row[place]) for row in shown.rows if row[place] != "–") for place in (1, 2)
    )
    return (
        f"To find a difference of one standard deviation AP needs {ap:.0f} topics and P@10 "
        f"{precision:.0f} (medians)."
    )


def test_each_title_is_held_against_its_figure():
    """A title that says how to read its figure is among those of READING."""
    assert {place for place, _ in FOUND} == {*SAYS, *READING}


@pytest.mark.parametrize("place", SAYS)
def test_a_title_says_what_its_figure_shows_in_each_setting(place):
    for shown in (shown for found, shown in FOUND if found == place):
        told = ".*".join(map(re.escape, SAYS[place](shown).split(ELSE)))
        match = re.match(told, shown.caption)
        assert match and match.end() >= len(shown.title), (shown.title, told)
