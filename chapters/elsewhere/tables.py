"""The tables of the chapter, and the numbers that its text and the front pages show."""

from typing import Any

import numpy as np
import pandas as pd

from chapters.data_tables import read
from chapters.elsewhere import summaries
from chapters.elsewhere.claims import CLAIM_OF, PRIMARY, SECTIONS
from chapters.elsewhere.quantities import lead_over
from chapters.elsewhere.sources import copies, facts, share_judged, short_lists, sources
from chapters.elsewhere.summaries import OTHERS, THESE
from chapters.ledger import registry
from chapters.ledger.claims import MEMBERS, NEW, SETS
from chapters.ledger.published import in_words
from chapters.ledger.registry import is_word, with_marks
from lib.conventions import ALPHA, DASH, DECIMALS, MARGIN
from lib.decisions import WORDS, decide
from lib.display.prose import enumeration, intervals, named
from lib.intervals import ENDS, Interval, between, minus_signs
from lib.paths import short_title

_NEW = [SETS[name] for name in MEMBERS]
_SHORT_RUN = "ICT-BERT2"  # of DL 2019: first answers that are right, and lists that stop early
SHOWN = [*PRIMARY, "p10-nDCG@20"]  # and a question of our own


def source_table() -> pd.DataFrame:
    """Return what is known of each source of the book."""
    rows = {
        source.title: {
            "kind": source.kind,
            "year": str(source.year),
            "topics": source.topics,
            "systems": len(source.asked()),
            "columns": source.systems,
            "copies": len(copies(source.scores)),
            "ranks judged": source.pool,
            "judged": share_judged(source),
            "measures": "all" if source.collection is not None else ", ".join(source.scores),
        }
        for source in sources()
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("collection")


def titled(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table by name of the claims with their titles in the names' place."""
    titles = {k: f"{SECTIONS[one.section].title}: {one.title}" for k, one in CLAIM_OF.items()}
    return table.rename(titles)


def summarized(estimates: pd.DataFrame, decided: pd.DataFrame) -> pd.DataFrame:
    """Return what every claim comes to for these collections, on the leading path, by name."""
    rows = {}
    for name, test in decided.xs(THESE, level="population").iterrows():
        one = summaries.summary(estimates, name)
        assert one is not None
        bound, ends = CLAIM_OF[name].bound, Interval.read(summaries.pooled(estimates, name))
        counts = bound.supported(ends).sum(), bound.contradicted(ends).sum()
        rows[name] = {
            "word": is_word(test),
            "collections": one.number,
            "support, contradict": ", ".join(map(str, counts)),
            "mean [95%]": between(*test[ENDS]),
            "prediction interval": _ends(*summaries.predicted(one)) + " †" * (one.tau2 == 0),
            "I²": f"{one.i2:.0%}",
            "tau²": f"{one.tau2:.4f} [{one.tau2_low:.4f}, {one.tau2_high:.4f}]",
            "p": _p(test["p"]),
            "adjusted": _p(test["adjusted"]),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("claim")


def _p(value: float) -> str:
    return DASH if value != value else "< 0.0001" if value < 0.0001 else f"{value:.4f}"


def by_kind(estimates: pd.DataFrame) -> pd.DataFrame:
    """Return the claims shown first in each kind, over kinds, and without each kind in turn."""
    rows = {}
    for name in SHOWN:
        own, of = summaries.pooled(estimates, name), summaries.kind_of()
        every: dict[str, Any] = {"mean of the kinds": (len(own), summaries.others(own))}
        for kind in of.unique():
            rest = own[own["source"].map(of) != kind]
            every[f"without {kind}"] = len(rest), summaries.these(rest)
        means = summaries.means_of_kinds(own)["estimate"].map("{:+.3f}".format).map(minus_signs)
        rows[name] = means.to_dict() | intervals(summaries.mean_rows(every)).to_dict()
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("claim").fillna(DASH)


def by_path(estimates: pd.DataFrame) -> pd.DataFrame:
    """Say of each primary claim what Holm's method leaves of it on its paths."""
    rows = {}
    for name in PRIMARY:
        table = summaries.curve(estimates, name)
        p = table["adjusted"]
        rows[name] = {
            "paths": len(p),
            "below .05": (p < ALPHA).sum(),
            "leading path": _p(p[0]),
            "greatest": _p(p.max()),
            "on": summaries.described(table, p.idxmax()),
        }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("claim")


def too_large() -> dict[str, str]:
    """Say by kind of claim how many times the true error the jackknife's is, as measured."""
    table = read("coverage", "topic-error").query("method == 'one'")
    times = table["jackknife"] / table["deviation"]
    leads = table["quantity"] == "prediction"
    shallow = table["measure"].str.startswith("RBP")
    rows = {"ap": leads & (table["measure"] == "AP"), "shallow": leads & shallow}
    return {
        f"el-times-{k}": f"{times[own].min():.1f} to {times[own].max():.1f}"
        for k, own in rows.items()
    }


def over_groups(estimates: pd.DataFrame) -> pd.DataFrame:
    """Return primary claims where groups are known: two intervals, and what the wider decides."""
    rows = {}
    for name in PRIMARY:
        own = summaries.pooled(estimates, name).dropna(subset="both")
        plain, wide = summaries.these(own), summaries.these(own, groups=True)
        if plain and wide:
            rows[name] = (len(own), str(plain), str(wide), str(decide(wide, CLAIM_OF[name].bound)))
    columns = ["collections", "over topics", "over topics and groups", "so"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("claim")


def over_paths(estimates: pd.DataFrame) -> pd.DataFrame:
    """Say of each claim how far its mean runs over all analysis paths, and what they decide."""
    curves = {name: summaries.curve(estimates, name) for name in CLAIM_OF}
    rows = {k: summaries.spread(table, CLAIM_OF[k].bound) for k, table in curves.items()}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("claim")


def _ends(low: float, high: float) -> str:
    return DASH if low != low else " to ".join(minus_signs(f"{end:+.3f}") for end in (low, high))


def quoted(estimates: pd.DataFrame, decided: pd.DataFrame) -> dict[str, str]:
    """Return what the text says beside the tables."""
    known, ap = facts(), summaries.pooled(estimates, "p10-AP")
    at = intervals(summaries.answered(estimates, "p10-AP").set_index("source"), "estimate")
    numbers = {
        "sources": len(known),
        "first": known["year"].min(),
        "last": known["year"].max(),
        "p10-ap-negative": (ap["estimate"] < 0).sum(),
        "p10-ap-at-trec8": at["trec8"],
        "p10-ap-at-robust04": at["robust04"],
        "p10-ap-at-dl19": at["dl19"],
        "primary": in_words(len(PRIMARY)),
        "closely": _closely(decided.loc[("p10-nDCG@20", OTHERS)]),
    }
    return {f"el-{name}": str(value) for name, value in numbers.items()}


def without_short_lists() -> dict[str, str]:
    """Quote AP's lead for P@10 on DL 2019 without runs with short lists, and the places of one."""
    (source,) = (one for one in sources() if one.name == "dl19")
    runs = source.collection
    assert runs is not None
    lead = lead_over(source, "AP", "P@10", "P@10", long=True).interval()
    texts = {"runs": in_words(len(short_lists(runs))), "lead": str(lead)}
    length = np.median(runs.retrieved[:, runs.systems.index.get_loc(_SHORT_RUN)])
    texts |= {"length": f"{length:.0f}", "systems": str(source.systems)}
    for label in ("RR", "AP"):
        means = source.scores[label].mean().round(DECIMALS)
        texts[label] = str((means > means[_SHORT_RUN]).sum() + 1)
    return named("el-short", pd.Series(texts))


def pairs(estimates: pd.DataFrame) -> dict[str, str]:
    """Count the submitted pairs, and how many of them rise and fall with feedback."""
    parts = estimates[(estimates["part"] != "") & (estimates["path"] == 0)]
    change = parts["estimate"]
    counts = pd.DataFrame({"up": change > 0, "down": change < 0}).groupby(parts["claim"]).sum()
    return named("el", counts) | {"el-pairs": str(parts["part"].nunique())}


def what_came_out() -> str:
    """Return what came out, for the README and the landing page: each population, by word."""
    known, decided, kind = facts(), registry.known_words(), summaries.kind_of()
    asked = (_NEW, [THESE], [OTHERS])
    of = decided.index.get_level_values("population")
    parts = (decided[of.isin(one)].reset_index("population") for one in asked)
    new, here, kinds = map(_by_word, parts)
    members = ", ".join(map(short_title, MEMBERS[NEW]))
    return (
        f"On {SETS[NEW]} ({members}), of claims that were "
        f"registered before anything was computed:\n\n{new}\n\n"
        '("With these systems": leave out the runs of some one group, and the verdict changes. '
        '"Near its bound": the interval ends within a tenth of its half-width of it. '
        "\u2020 Not blind: some of what answers it had been seen before.)\n\n"
        f"On up to {len(kind)} collections of TREC from {known['year'].min()} to "
        f"{known['year'].max()}, which suggested some of the claims:\n\n{here}\n\nFor other "
        f"kinds of collections than these four ({', '.join(kind.unique())}), of which nothing "
        f"is more than a hint:\n\n{kinds}"
    )


def _closely(row: Any) -> str:
    """Add to "as well as" that it holds on both sides, where all of the interval says so."""
    return f" (its whole interval lies within \u00b1{MARGIN})" if row.level == "yes" else ""


def _with_sets(row: Any) -> str:
    """Add how many topics there are in a set, where a sentence compares rankings on such sets."""
    return f", {row.sets}" if row.sets else ""


def _of_fewer(row: Any) -> str:
    """Name the collections of a claim on fewer than all new ones; mark what was not blind."""
    of = {SETS[name]: [*map(short_title, folders)] for name, folders in MEMBERS.items()}
    fewer = row.population != SETS[NEW] and row.population in _NEW
    members = f", on {enumeration(of[row.population])}" if fewer else ""
    return "\u2020" * (not row.blind) + members


def _by_word(rows: pd.DataFrame) -> str:
    """List the sentences shown first by what their rows say of them."""
    new = [name for name in rows.index if name.startswith("new-")]
    rows = rows.loc[[name for name in [*SHOWN, *new] if name in rows.index]]
    lines = []
    for word in WORDS:
        for side, own in rows[rows["word"] == word].groupby("side", sort=False):
            each = [
                f"*{row.says}*{_with_sets(row)}{_closely(row)}{_of_fewer(row)}{with_marks(row)}"
                for _, row in own.iterrows()
            ]
            sentence = "; ".join(each)
            head = word if word == side else f"{word}, {side}"
            lines.append(f"- **{head}**: {sentence}")
    return "\n".join(lines)
