"""What the registered claims came to on new collections, beside what older collections say."""

import hashlib
from collections.abc import Sequence
from typing import Any

import pandas as pd

from chapters.data_tables import read
from chapters.elsewhere import summaries
from chapters.elsewhere.confirmation import (
    CONFIRMED,
    FIRST,
    NEW_COLLECTIONS,
    STOP_EARLY,
    all_scores,
    as_asked,
    committed_estimates,
    decided_claims,
    mean_by_claim,
)
from chapters.ledger import registry
from chapters.ledger.claims import MEMBERS, SETS, Row
from chapters.ledger.registry import OURS, registered
from lib.conventions import DASH
from lib.decisions import FINDING, WORDS, decide
from lib.display import figures
from lib.display.prose import enumeration
from lib.intervals import ENDS, Interval, between, minus_signs
from lib.paths import ROOT, short_title
from lib.statistics.power import detectable
from lib.statistics.random_effects import plain_mean, random_effects


def together(estimates: pd.DataFrame) -> pd.DataFrame:
    """Set what the new collections say beside the older ones, and beside all of them together.

    Intervals by claim: of the older collections, of the new, of all (plain means), and of other
    kinds of collections (random effects over the kinds' means); None where there is none.
    """
    older, rows = read("multiverse", "estimates.parquet"), {}
    kinds = pd.Series({name: new.kind for name, new in NEW_COLLECTIONS.items()})
    kind = pd.concat([summaries.kind_of(), kinds])
    for claim, new in mean_by_claim(estimates).items():
        rows[claim] = {"older": None, "new": new, "all": None, "other kinds": None}
        if CONFIRMED[claim].older:
            old = summaries.pooled(older, CONFIRMED[claim].older)
            both = pd.concat([old, as_asked(estimates, claim).assign(source=lambda t: t.index)])
            rows[claim] |= {"older": summaries.these(old), "all": summaries.these(both)}
            rows[claim]["other kinds"] = summaries.others(both, kind)
    return pd.DataFrame.from_dict(rows, orient="index")


_TITLES = {claim: asked.title for claim, asked in CONFIRMED.items()}
_THREE, _OLDER_ONES = "the three", "older ones"
# Hollow is what was there before; a larger mark stands for a mean.
_LOOKS: dict[str, dict[str, Any]] = {_THREE: {"marker": "D"}}
_LOOKS[_OLDER_ONES] = _LOOKS[_THREE] | {"markerfacecolor": "none"}


def rows(claim: str) -> pd.DataFrame:
    """Return a claim's number with its interval: on each new collection, and both plain means."""
    estimates = committed_estimates()
    table = as_asked(estimates, claim)[ENDS].rename(lambda name: all_scores(name).title)
    asked = together(estimates).loc[claim]
    for label, mean in ((_THREE, asked["new"]), (_OLDER_ONES, asked["older"])):
        if mean is not None:
            table.loc[label] = mean.estimate, mean.low, mean.high
    return table


def draw_predictions() -> figures.Figure:
    """Draw AP as a predictor of P@10 and of RR, where old and new collections part."""
    return _panels(
        ["P1", "P2"],
        "Three new collections do not repeat what older ones hinted about AP. Its lead for P@10 "
        "and for RR on each, in the mean of the three and, hollow, in that of the older ones. "
        "Dotted: the bound that an interval must clear.",
    )


def _panels(claims: Sequence[str], caption: str) -> figures.Figure:
    """Draw claims, a panel each: new collections, their mean, and that of the older ones."""
    names = [*(all_scores(name).title for name in NEW_COLLECTIONS), _THREE, _OLDER_ONES]
    tables = {_TITLES[claim]: rows(claim) for claim in claims}
    words = decided_claims(committed_estimates())
    height = 0.4 + 1.45 * -(-len(claims) // 2)
    with figures.panels(list(tables), columns=2, width="column", height=height) as (drawing, axes):
        for ax, claim in zip(axes, claims):
            ax.set_title(_TITLES[claim], fontsize=9.5)
            for end in CONFIRMED[claim].bound.ends:
                ax.axvline(end, **figures.REFERENCE)
            for name, *ends in tables[_TITLES[claim]].itertuples():
                figures.draw_row(ax, names.index(name), name, ends, **_LOOKS.get(name, {}))
            figures.label_rows(ax, names)
    sentence = "; ".join(f"{_TITLES[claim]} {words[claim]}" for claim in claims)
    return figures.Figure(
        drawing,
        data=pd.concat(tables, names=["claim", "on"]),
        formats="+.3f",
        alt=f"Dots with intervals, a panel a claim. {sentence}.",
        caption=caption,
    )


def beside_older() -> pd.DataFrame:
    """Return the claims in a table: what the older and the new say, both together, other kinds."""
    estimates = committed_estimates()
    texts = together(estimates).map(lambda one: str(one or DASH))
    texts.insert(2, "word", pd.Series(decided_claims(estimates)).map(str))
    return texts.rename(index=_TITLES).rename_axis("claim")


def single() -> pd.DataFrame:
    """Return how much better RBP tells of other measures than each rival: numbers without a word.

    The first row alone was registered with a word (O2).  Index rival and what is predicted;
    columns on, and the mean difference with its interval.
    """
    table = read("confirmation", "beside").groupby(["rival", "targets"], sort=False)
    texts = [("P@10", "seven measures", _THREE, mean_by_claim(committed_estimates())["O2"])]
    for (rival, targets), own in table:
        of = ", ".join(STOP_EARLY) if targets == len(STOP_EARLY) else "seven measures"
        on = _THREE if len(own) > 1 else all_scores(own["collection"].iloc[0]).title
        texts.append((rival, of, on, plain_mean(own["estimate"], own["error"], own["freedom"])))
    columns = ["rival", "predicted", "on", "difference [95%]"]
    return pd.DataFrame(texts, columns=columns).astype(str).set_index(["rival", "predicted"])


def each_of_new(claim: str) -> str:
    """Return what each new collection says of a registered claim, and how much they differ.

    Empty for a claim that was not registered on them.

    >>> each_of_new("new-rr-AP").rpartition("; ")[2]
    'Q 0.8 on 2 df'
    """
    known = {row.id: row.call()[1][0] for row in registered() if row.population in MEMBERS}
    if claim not in known:
        return ""
    table = as_asked(committed_estimates(), known[claim])
    form = "+.3f" if CONFIRMED[known[claim]].bound.ends[-1] == 0 else ".3f"
    each = [f"{all_scores(name).title} {row.estimate:{form}}" for name, row in table.iterrows()]
    return minus_signs("; ".join([", ".join(each), differing(known[claim])]))


def on_one_of_new(claim: str, title: str) -> Interval:
    """Return what one new collection says of a registered claim.

    >>> print(on_one_of_new("new-apart-RR-AP", "DL 2020"))
    +0.869 [+0.712, +1.026]
    """
    (name,) = {row.call()[1][0] for row in registered() if row.id == claim}
    table = as_asked(committed_estimates(), name)
    (row,) = (row for one, row in table.iterrows() if all_scores(one).title == title)
    return Interval.of(row["estimate"], row["error"], row["freedom"])


def differing(claim: str) -> str:
    """Return Cochran's Q of a claim's collections, with its degrees of freedom."""
    table = as_asked(committed_estimates(), claim)
    q = random_effects(table["estimate"], table["error"]).q
    return f"Q {q:.1f} on {len(table) - 1} df"


def feedback_otherwise() -> dict[str, str]:
    """Return the fall of GS10 without Terabyte 2006, and by ranks within topics, new and older."""
    rows = as_asked(committed_estimates(), "P5").drop(index="T")
    paths = summaries.curve(read("multiverse", "estimates.parquet"), CONFIRMED["P5"].older)
    older = paths.set_index("scores").loc["ranks within topics", ["mean", "low", "high"]]
    means = {
        "bf-ranks-older": between(*older),
        "bf-without-terabyte": plain_mean(rows["estimate"], rows["error"], rows["freedom"]),
        "bf-ranks-new": mean_by_claim(committed_estimates(), "ranks within topics")["P5"],
    }
    return {name: str(mean) for name, mean in means.items()}


def fragile() -> dict[str, list[str]]:
    """Return the groups of runs without which a claim's word is another, by claim."""
    estimates, parts = committed_estimates(), read("confirmation", "groups")
    words = decided_claims(estimates)
    changed: dict[str, list[str]] = {}
    for row in parts.itertuples():
        here = (estimates["claim"] == row.claim) & (estimates["collection"] == row.collection)
        other = estimates.copy()
        one = Interval.of(row.estimate, row.error, row.freedom)
        other.loc[here & (estimates["path"] == FIRST), [*vars(one)]] = [*vars(one).values()]
        if decided_claims(other, [row.claim])[row.claim] != words[row.claim]:
            title = short_title(NEW_COLLECTIONS[row.collection].folder)
            changed.setdefault(row.claim, []).append(f"{row.group} ({title})")
    return changed


def means_by_path() -> pd.DataFrame:
    """Return the mean of each claim on each path, with s or c where that path alone decides.

    An s stands for support of the claim, a c for its contrary.  Sets of 50 topics are of those
    collections alone that have as many.
    """
    estimates, texts = committed_estimates(), {}
    few = (estimates["path"] == "sets of 50 topics") & (estimates["topics"] < 100)
    estimates = estimates[~few]
    every = list(estimates["path"].unique())
    for path in every:
        for claim, mean in mean_by_claim(estimates, path).items():
            holds = decide(mean, CONFIRMED[claim].bound).holds
            mark = {True: "\u202fs", False: "\u202fc", None: ""}[holds]
            texts[path, _TITLES[claim]] = minus_signs(f"{mean.estimate:+.3f}{mark}")
    table = pd.Series(texts).unstack(fill_value=DASH)
    return table.loc[every, [*_TITLES.values()]].rename_axis("path")


def steady() -> list[str]:
    """Return the claims that every path decides alike."""
    table = means_by_path()
    sides = {title: {text[-1] for text in table[title] if text != DASH} for title in table}
    return [title for title, ends in sides.items() if ends in ({"s"}, {"c"})]


def _corrected(row: Row) -> bool:
    """Return whether a claim is corrected with others; with new collections the papers' are."""
    if row.population in MEMBERS:
        return row.source != OURS
    return row.population == "these" and row.primary


def counted() -> pd.DataFrame:
    """Count the collections and claims of chapter 5, and what they came to, by population."""
    table, asked = registry.known_words(), {}
    known = registry.registered()
    kind = summaries.kind_of()
    numbers = {name: len(of) for name, of in MEMBERS.items()}
    numbers |= {"these": len(kind), "others": kind.nunique()}
    for population, number in numbers.items():
        rows = [row for row in known if row.population == population]
        words = table.loc[[(row.id, row.title) for row in rows]]["word"].value_counts()
        asked[SETS[population]] = {word: words.get(word, 0) for word in WORDS} | {
            "collections": number,
            "claims": len(rows),
            "corrected": sum(map(_corrected, rows)),
        }
    return pd.DataFrame.from_dict(asked, orient="index").rename_axis("speaks of")


# What the text of chapter 5 names.
CLAIMED = [row.id for row in registered() if row.population in MEMBERS]


def page_hash(page: str) -> str:
    """Return the SHA-256 of a registered page."""
    return hashlib.sha256((ROOT / "book" / f"{page}.md").read_bytes()).hexdigest()


def quoted_hash(name: str, page: str) -> dict[str, str]:
    """Return the first digits of a registered page's hash; nothing where the pages are not."""
    return {name: page_hash(page)[:8]} if (ROOT / "book").is_dir() else {}


def quoted() -> dict[str, str]:
    """Return the numbers that the text of chapter 5 shows."""
    decided, changed = decided_claims(committed_estimates()), fragile()
    findings = [
        f"{_TITLES[claim]} would have another word without the runs of {enumeration(groups, 'or')}"
        for claim, groups in changed.items()
        if decided[claim].word == FINDING
    ]
    ap = mean_by_claim(committed_estimates())["P1"]
    topics = round(ap.freedom + 1)
    return {
        "new-seen": f"{detectable(ap.error * topics**0.5, topics):.2f}",
        **quoted_hash("new-sha", "registration"),
        "new-fragile-findings": "; ".join(findings) or "no group of runs makes a finding",
    }
