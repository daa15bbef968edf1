"""AP's leads by the number of topics: as they are seen, and as the law of leads has them.

``data/law/growth.csv`` has what is seen, of the sixteen collections that suggested the law and of
those that it was registered for.  The law is fitted at :data:`~chapters.elsewhere.leads.FEW` topics
a set, as it was registered: there it holds by arithmetic, and beyond it can fail.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from scipy.stats import binom

from chapters.data_tables import read
from chapters.elsewhere import confirmation, leads, sixteen
from chapters.elsewhere.leads import FEW, NINE, OF_LAW
from chapters.ledger.published import in_words
from lib.display import figures
from lib.display.prose import enumeration, intervals
from lib.intervals import Interval, between, minus_signs
from lib.paths import short_title
from lib.statistics.law import Law, fit, interval, lead
from lib.statistics.random_effects import plain_mean

_SIZES = (3, 5, FEW, 15, 20, 30, 40, 50, 60, 75, 100)  # topics a set, and n1
_MOST_SPLITS = 130_000  # of one size: sets that leave hardly a topic out would need more
LONG = ("robust04", "T", "B")  # the collections of the sixteen with 100 topics or more
_TARGETS = ("P@10", "RR")
# In the control of the page; a running notebook has all.
IN_CONTROL = ["trec8", "web2010", "web2014", "dl19", "trec-covid", *sixteen.NEW]
IN_CONTROL += ["W9", "R5", "G23"]


def scores_of(name: str) -> dict[str, pd.DataFrame]:
    """Return scores by AP, P@10 and, where it is known, RR, of one of the sixteen or the nine.

    Copies are out, and of the Web tracks of 2010 to 2012 all but ad hoc runs; of the nine stay the
    runs whose means are unlike those that NIST printed.
    """
    if name in NINE:
        return leads.hold_out_scores(name, OF_LAW, "means")
    return sixteen.older_scores_of(name, "ad hoc alone")


def asked_ones() -> list[str]:
    """Return the sixteen collections and those of the nine that could be asked, old ones first."""
    return [*sixteen.names(), *leads.those("means")]


def _of_ap(by: Mapping[int, np.ndarray]) -> np.ndarray:
    (phi,) = by.values()
    return lead(phi)[..., 0, :]


def growth(name: str) -> pd.DataFrame:
    """Return how AP's leads go with the topics a set, on all topics of a collection.

    Columns collection, systems, topics (of the collection), size (topics a set), target, and the
    phis own (AP with itself), itself (the target), by_ap; error: of the lead.
    """
    scores, rows = scores_of(name), []
    topics, systems = scores["AP"].shape
    most = leads.size_of(topics)
    for size in sorted({*_SIZES, most}):
        if size > (topics - 2) // 2:
            continue
        number = leads.fewer_splits(topics, size)
        if number > _MOST_SPLITS:
            continue
        found = leads.phis_at(scores, size, number)
        errors = interval(_of_ap, {size: found}).error
        for place, target in enumerate([*scores][1:], start=1):
            phi = found.value[[0, place, 0], [0, place, place]]
            rows.append([name, systems, topics, size, target, *phi, errors[place]])
    columns = ["collection", "systems", "topics", "size", "target", "own", "itself", "by_ap"]
    return pd.DataFrame(rows, columns=[*columns, "error"])


# What is committed, and its law


def title_of(name: str) -> str:
    """Return what a reader calls one of the sixteen or of the nine."""
    if name in NINE:
        return short_title(NINE[name].folder)
    if name in confirmation.NEW_COLLECTIONS:
        return short_title(confirmation.NEW_COLLECTIONS[name].folder)
    return short_title(name)


def leads_of(name: str, target: str) -> pd.DataFrame:
    """Return a collection's leads by topics a set, as committed, with their intervals.

    Columns own, itself, by_ap (phis), lead, low, high, law.

    >>> leads_of("robust04", "P@10").loc[10, ["lead", "law"]].round(3).tolist()
    [0.054, 0.054]
    """
    table = read("law", "growth")
    rows = table[(table["collection"] == name) & (table["target"] == target)].set_index("size")
    seen = rows["by_ap"] - rows["itself"]
    ends = Interval.of(seen, rows["error"], rows["topics"] - 1)
    found = rows[["own", "itself", "by_ap"]].assign(lead=seen, low=ends.low, high=ends.high)
    return found.assign(law=[law_of(found, FEW).lead(size)[0, 1] for size in found.index])


def law_of(rows: pd.DataFrame, size: int) -> Law:
    """Return the law of AP and a target from what :func:`leads_of` has at so many topics a set."""
    own, itself, by_ap = rows.loc[size, ["own", "itself", "by_ap"]]
    return fit(np.array([[own, by_ap], [by_ap, itself]]), size)


def asked_of(target: str) -> list[str]:
    """Return the collections on which AP's lead for a target is known, the sixteen first."""
    table = read("law", "growth")
    return [*table[table["target"] == target]["collection"].unique()]


# Figures and tables


def _curve(ax: Axes, law: Law, low: float, high: float, **look: Any) -> None:
    """Draw the lead that the law foretells, over a range of topics a set."""
    topics = np.geomspace(low, high, 25)
    ax.plot(topics, [law.lead(n)[0, 1] for n in topics], color=figures.INK, linewidth=1, **look)


def _seen(ax: Axes, rows: pd.DataFrame, name: str, *, shift: float = 1, **look: Any) -> None:
    """Draw the leads that are seen with their intervals, shifted by a share of their place."""
    places = rows.index * shift
    ends = np.stack([places] * 2, axis=1), rows[["low", "high"]]
    figures.draw_pieces(ax, *ends, color=figures.PALE, linewidth=0.7)
    words = [
        f"{size} topics: AP {by:.3f}, {itself:.3f} of itself; lead {between(*ends)}"
        for size, itself, by, *ends in rows[["itself", "by_ap", "lead", "low", "high"]].itertuples()
    ]
    figures.draw_line(ax, places, rows["lead"], name, tell="", words=words, **look)


def draw_growth() -> figures.Figure:
    """Draw AP's lead for P@10 on the collections with most topics, and the law's curves."""
    tables = {title_of(name): leads_of(name, "P@10") for name in LONG}
    with figures.subplots(height=3.6) as (drawing, ax):
        ax.axhline(0, color=figures.INK, linewidth=1)
        ax.axvline(FEW, **figures.REFERENCE)
        figures.log_axis(ax, (3, 5, 10, 25, 50, 100))
        for marker, shift, (name, rows) in zip("os^", (0.97, 1, 1.03), tables.items()):
            _curve(ax, law_of(rows, FEW), rows.index[0], rows.index[-1])
            look = {"color": figures.colour("AP"), "marker": marker, "linestyle": "none"}
            _seen(ax, rows, name, shift=shift, **look)
        ax.set(xlabel="topics in each set", ylabel="lead of AP for P@10 (tau)")
        drawing.legend(loc="outside upper center", ncols=3)
    ends = [
        f"{name} from {minus_signs(f'{own.iloc[0]:+.3f}')} to {minus_signs(f'{own.iloc[-1]:+.3f}')}"
        for name, own in ((name, rows["lead"]) for name, rows in tables.items())
    ]
    return figures.Figure(
        drawing,
        data=pd.concat(tables, names=["collection", "topics a set"]),
        formats="+.3f",
        alt=f"Dots along falling curves, a row of dots a collection: {enumeration(ends)}.",
        caption="With few topics AP predicts the P@10 ranking better than P@10 does, with many "
        "worse. AP's lead for P@10 (dots, 95% intervals) and the law's curves, which are fitted "
        f"at {FEW} topics (dotted) and foretell the rest.",
    )


def of_one(collection: str, target: str) -> figures.Figure | str:
    """Draw AP's lead for a target on one collection: as seen, and as the law foretells it."""
    if collection not in asked_of(target):
        return f"<p>The scores by {target} on {title_of(collection)} are not public.</p>"
    rows, title = leads_of(collection, target), title_of(collection)
    law, last = law_of(rows, FEW), rows.index[-1]
    with figures.subplots(height=2.9) as (drawing, ax):
        ax.axhline(0, color=figures.INK, linewidth=1)
        ax.axvline(FEW, **figures.REFERENCE)
        figures.log_axis(ax, (3, 5, 10, 25, 50, 100, 200))
        _curve(ax, law, rows.index[0], last)
        _curve(ax, law, last, 200, linestyle="--")
        _seen(ax, rows, "AP", linestyle="none", **figures.measure_style("AP"))
        ax.set(xlabel="topics in each set", ylabel=f"lead of AP for {target} (tau)")
        ax.set_ylim(*_range_of(target))
    seen, foretold = (minus_signs(f"{rows[part][last]:+.3f}") for part in ("lead", "law"))
    reach, reached = at_size(rows, last)
    sentence = (
        f"{title}: with {last} topics AP's lead for {target} is {seen}, and the law foretells "
        f"{foretold}."
    )
    return figures.Figure(
        drawing,
        data=rows[["lead", "low", "high", "law"]],
        formats="+.3f",
        alt=f"Dots and a curve. {sentence}",
        caption=f"{sentence} AP has to reach {reach:.2f} and reaches {reached:.2f} there.",
    )


@cache
def _range_of(target: str) -> tuple[float, float]:
    """Return between which leads all collections lie, as seen and as foretold, with some room."""
    each = [leads_of(name, target) for name in asked_of(target)]
    ends = [law_of(rows, FEW).lead(200)[0, 1] for rows in each]
    seen = [rows[["low", "high", "law"]].to_numpy().ravel() for rows in each]
    every = np.concatenate([*seen, ends])
    return float(np.nanmin(every)) - 0.02, float(np.nanmax(every)) + 0.02


def at_size(rows: pd.DataFrame, size: int) -> tuple[float, float]:
    """Return the validity that AP has to reach to lead, and the one that it has, at a size."""
    law = law_of(rows, size)
    r_ap, r_target = law.reliability(size)
    return float(np.sqrt(r_target / r_ap)), float(law.validity[0, 1])


def reached() -> pd.DataFrame:
    """Return what AP has to reach and what it reaches, in the mean of old and new collections."""
    web = [name for name in sixteen.names() if name.startswith("web")]
    others = [name for name in sixteen.names() if name not in (*web, *sixteen.NEW)]
    groups = {"older, Web": web, "older, others": others, "new": [*sixteen.NEW]}
    table: dict[str, dict[tuple[str, str], float]] = {}
    for title, names in groups.items():
        for target in _TARGETS:
            own = [leads_of(name, target) for name in names if name in asked_of(target)]
            numbers = [(*at_size(rows, _n1(rows)), rows["lead"][_n1(rows)]) for rows in own]
            means = [len(own), *np.mean(numbers, axis=0)]
            for head, value in zip(("of", "has to reach", "reaches", "lead"), means):
                table.setdefault(title, {})[target, head] = value
    return pd.DataFrame.from_dict(table, orient="index").rename_axis("mean of")


def _n1(rows: pd.DataFrame) -> int:
    """Return the size nearest to 25 topics a set that a collection was asked at."""
    return max(size for size in rows.index if size <= leads.MANY)


def laws() -> pd.DataFrame:
    """Return the law of each collection, fitted at 10 topics, and leads as seen and as forecast."""
    rows = {}
    for target in _TARGETS:
        for name in asked_of(target):
            own = leads_of(name, target)
            law, n1 = law_of(own, FEW), _n1(own)
            rows[title_of(name), target] = {
                "a of the target": law.noise[1],
                "a of AP": law.noise[0],
                "validity": law.validity[0, 1],
                "lead at 10": own["lead"][FEW],
                "topics": n1,
                "seen": own["lead"][n1],
                "forecast": own["law"][n1],
                "forecast at 100": law.lead(100)[0, 1],
            }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(["collection", "target"])


def rulers(right: float = 0.6) -> pd.DataFrame:
    """Return how two rulers predict a shaky one, by the number of topics that vote on each pair.

    One is right about a pair with a chance; the other is sure, and wrong about one pair of three.
    """
    rows = {}
    for topics in (1, 3, 5, 25):
        pair = binom.sf(topics // 2, topics, right)
        itself, other = (2 * pair - 1) ** 2, (2 * pair - 1) / 3
        rows[topics] = [pair, itself, other, other - itself]
    columns = ["P@10 gets a pair right", "P@10 predicts itself", "AP predicts P@10", "AP's lead"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("topics a set")


# What was registered

_SAYS = {
    "L1": "From 10 topics the law foretells AP's leads at 25",
    "R1": "AP predicts the P@10 ranking as well as P@10 does, at 25 topics",
    "D1": "AP leads less for P@10 where runs differ more beyond the first page (rank correlation)",
    "L2": "The law foretells better than subtracting a fixed amount for each doubling of topics",
    "L3": "AP's lead for P@10 falls from 10 topics to 25",
    "S1": "No measure of six is a better single number than RBP, at 25 topics",
    "L4": "50 topics foretell other topics, with an honest interval",
}


def _outcome(runs: str, claim: str) -> pd.Series:
    """Return the row of a registered claim; of S1 that of the closest rival."""
    table = read("law", "verdicts")
    own = table[(table["runs"] == runs) & table["claim"].str.startswith(claim)]
    return own.loc[own["estimate"].idxmin()]


def _number(row: pd.Series) -> str:
    """Write the number of a claim: a mean, a count of intervals, or a correlation."""
    if row["claim"] == "L4":
        return f"{row['estimate']:.0f} of {len(read('law', 'pilots'))}"
    if np.isnan(row["low"]):
        return minus_signs(f"{row['estimate']:+.2f}")
    rival = row["claim"].partition(" ")[2]
    return between(*row[["estimate", "low", "high"]]) + f" ({rival})" * bool(rival)


def outcomes() -> pd.DataFrame:
    """Return the registered claims of the law with their words, what failed first."""
    rows = {}
    for claim, sentence in _SAYS.items():
        own, more = (_outcome(runs, claim) for runs in ("registered", "means"))
        numbers = {"number": _number(own), "word": own["word"]}
        numbers |= {"with all collections": _number(more), "its word": more["word"]}
        rows[claim, sentence] = numbers
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(["", "claim"])


def draw_misses() -> figures.Figure:
    """Draw by how much the law's forecast misses AP's lead on each registered collection."""
    table = read("law", "estimates").set_index("collection")
    names = sorted(leads.those("means"), key=lambda name: not NINE[name].people)
    limit, parts = leads.CLAIMS["L1"][0].ends[-1], {}
    for target in _TARGETS:
        own = table[table["claim"] == f"miss for {target}"].loc[names]
        parts[f"AP for {target}"] = own[["estimate", "low", "high"]].rename(title_of)
    with figures.panels([*parts], width="wide", height=2.9) as (drawing, axes):
        for ax, rows in zip(axes, parts.values()):
            ax.axvspan(-limit, limit, facecolor=(figures.PALE, 0.2), edgecolor="none")
            looks = [{} if NINE[name].people else {"markerfacecolor": "none"} for name in names]
            figures.draw_rows(ax, rows, looks, at=0)
            ax.set_xlabel("forecast minus seen (tau)")
    return figures.Figure(
        drawing,
        data=pd.concat(parts, names=["lead"]),
        formats="+.3f",
        alt="Dots with intervals around 0; far left where a machine judged, above all for RR.",
        caption="Where a machine judged (hollow) the law foretells too deep a fall, above all for "
        f"RR. AP's lead at 25 topics as forecast from {FEW}, minus the lead that is seen; the tint "
        "is what was registered, for the mean of all.",
    )


def quoted() -> dict[str, str]:
    """Return the numbers that the text of chapter 5 shows of the law and of what it foretells."""
    texts: dict[str, str] = {}
    for name, runs in (("law", "registered"), ("law-all", "means")):
        for claim in _SAYS:
            row = _outcome(runs, claim)
            texts[f"{name}-{claim.lower()}-at"] = _number(row)
    asked = {f"law-asked{end}": _outcome("registered", c) for c, end in (("L1", ""), ("R1", "-r1"))}
    texts |= {name: in_words(len(row["collections"].split())) for name, row in asked.items()}
    one = read("law", "estimates")
    misses = one[one["claim"].isin(leads.CHANGES[:2]) & one["collection"].isin(leads.those())]
    texts |= _digits({"law-miss": leads.typical_miss(misses), "law-limit": leads.TYPICAL_MISS})
    beside = read("law", "beside").query("claim == 'L1'").set_index("path")
    ends = intervals(beside, "estimate")
    texts |= {"law-people": ends["judged by people, as registered"]}
    texts |= {"law-machine": ends["judged by a machine"]}
    return texts | _seen_of_older() | _of_pilots() | _worked("robust04") | _of_fifty()


def _digits(numbers: dict[str, float], form: str = ".3f") -> dict[str, str]:
    return {name: minus_signs(format(value, form)) for name, value in numbers.items()}


def _seen_of_older() -> dict[str, str]:
    """Quote how AP's lead for P@10 goes on the sixteen, and on some of them."""
    table = read("law", "older").query("runs == 'without copies' and claim == 'L3'")
    fall = plain_mean(table["estimate"], table["error"], table["freedom"])
    at_few = pd.DataFrame([leads_of(name, "P@10").loc[FEW] for name in sixteen.names()])
    counts = {
        "law-older": len(table),
        "law-ahead": (at_few["lead"] > 0).sum(),
        "law-clearly": (at_few["low"] > 0).sum(),
    }
    texts = {name: in_words(int(number)) for name, number in counts.items()}
    texts["law-fall"] = str(fall)
    for name in ("robust04", "trec8"):
        own = leads_of(name, "P@10")["lead"]
        few, many = own[5], own.iloc[-1]
        texts |= _digits({f"{name}-few": few, f"{name}-many": many}, "+.3f")
    return texts


def _of_pilots() -> dict[str, str]:
    """Quote what stands beside the count of L4: the width, and the error."""
    table = read("law", "pilots")
    width = (table["high"] - table["low"]).mean() / 2
    far = {part: (table[part] - table["seen"]).abs().mean() for part in ("estimate", "before")}
    numbers = {"pilots-width": width, "pilots-law": far["estimate"], "pilots-same": far["before"]}
    return _digits(numbers)


def _worked(name: str) -> dict[str, str]:
    """Quote the law of AP for P@10 on one collection, step by step."""
    rows = leads_of(name, "P@10")
    law = law_of(rows, FEW)
    r_ap, r_target = law.reliability(FEW)
    later_ap, later = law.reliability(100)
    numbers = {
        "tau": rows["itself"][FEW],
        "r": r_target,
        "r-ap": r_ap,
        "rho": law.validity[0, 1],
        "reach-few": np.sqrt(r_target / r_ap),
        "reach-many": np.sqrt(later / later_ap),
    }
    noise = {"a": law.noise[1], "a-ap": law.noise[0]}
    ends = {"end": f"{law.end()[0, 1]:.0f}"}
    return {f"worked-{k}": v for k, v in (_digits(numbers) | _digits(noise, ".1f") | ends).items()}


def _of_fifty() -> dict[str, str]:
    """Quote AP's leads on sets of 50 topics, of the two new collections that have so many."""
    table = read("confirmation", "estimates").query("path == 'sets of 50 topics' and topics >= 100")
    texts: dict[str, str] = {}
    for claim, target in (("P1", "p10"), ("P2", "rr")):
        own = table[table["claim"] == claim]
        mean = plain_mean(own["estimate"], own["error"], own["freedom"])
        texts[f"fifty-{target}"] = str(mean)
    return texts
