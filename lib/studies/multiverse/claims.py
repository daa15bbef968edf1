"""The headline claims of the papers, each a number of a collection, and what they leave open."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from lib.measures import SHARE
from lib.paper import TAU, Choice
from lib.papers.webber2008.tables import MARGIN, SEED, mirrored
from lib.papers.webber2010.choices import SIDES, TEST
from lib.published import printed
from lib.statistics.jackknife import Interval
from lib.studies.multiverse import quantities
from lib.studies.multiverse.quantities import GDEVAL, HALF, TARGET, TOPICS

BY_AP = "best 75% by AP"
KEPT = Choice(
    "systems",
    "kept",
    {
        "all": None,
        BY_AP: (SHARE, "AP"),
        "best 75% by the predicted measure": (SHARE, TARGET),
        "best 50% by AP": (0.5, "AP"),
    },
)
ALL = Choice("systems", "kept", {"all": None, BY_AP: (SHARE, "AP")})
SIZE = Choice("topics in a set", "size", {"25": HALF, "10": 10})
MEANS = Choice(
    "means", "decimals", {"10 decimals": 10, "4 decimals": 4, "not rounded": None}, crossed=False
)
SPLITS = Choice("splits", "seed", {"drawn once": SEED, "drawn again": SEED + 1}, crossed=False)
GRADE = Choice("relevant from", "rel", {"the track's grade": None, "grade 1": 1}, crossed=False)
SETS = Choice("topics", "most", {"at most 50 at a time": TOPICS, "all": None}, crossed=False)
NDCG = Choice(
    "nDCG",
    "ndcg",
    {
        "as at hand": None,  # of the Web tracks gdeval's, else binary with the discount of 2002
        "binary, discount of 2002": "2002",
        "binary, log2(1 + rank)": "trec_eval",
        "graded, as gdeval": GDEVAL,
    },
    crossed=False,
)
ALPHA = Choice("alpha", "alpha", {"0.05": 0.05, "0.01": 0.01})
IDENTICAL = Choice(
    "identical pairs", "identical", {"left out": "left out", "kept": "kept"}, crossed=False
)

PREDICTION = (KEPT, SIZE, TAU, MEANS, SPLITS, GRADE)
AGREEMENT = (ALL, TAU, MEANS, GRADE)
POWER = (TEST, ALL, SIDES, ALPHA, IDENTICAL, SETS, GRADE)


@dataclass(frozen=True)
class Section:
    """Claims of one kind, shown beside each other."""

    title: str
    axis: str  # what its number is, at the axis of a figure
    says: str  # the same in the caption
    own: str  # source that the paper used; empty: none of these
    printed: str = ""  # collection of which the paper prints the number
    pairs: bool = False  # of pairs of runs


SECTIONS = {
    "p10": Section(
        "Who predicts P@10",
        "predicts P@10 better than P@10 does itself (tau)",
        "How much better each measure predicts how systems rank by P@10 on other topics than P@10 "
        "itself does",
        own="trec8",
        printed="Terabyte 2004",
    ),
    "rr": Section(
        "Who predicts RR",
        "predicts RR better than RR does itself (tau)",
        "How much better each measure predicts how systems rank by RR on other topics than RR "
        "itself does",
        own="trec8",
        printed="Terabyte 2004",
    ),
    "depth": Section(
        "Shallow or deep predictors",
        "nDCG@20 predicts better than the deeper measure (tau)",
        "How much better nDCG@20 predicts how systems rank by P@10 and by RR on other topics "
        "than a deeper measure does",
        own="trec8",
    ),
    "families": Section(
        "Two families of measures",
        "tau within the families minus tau across",
        "How much higher tau is within the two families of measures than across them",
        own="",
        printed="Terabyte 2006",
    ),
    "power": Section(
        "Discriminative power",
        "more pairs of systems differ significantly (share of all)",
        "How many more pairs of systems differ significantly by one measure than by another, as a "
        "share of all",
        own="trec8",
        printed="Terabyte 2005",
    ),
    "feedback": Section(
        "What feedback changes",
        "change by blind feedback (mean score)",
        "How blind feedback changes the mean score; small dots are single pairs of runs",
        own="",
        printed="RIA 2003",
        pairs=True,
    ),
}


@dataclass(frozen=True)
class Claim:
    """One number that can be asked of a collection."""

    name: str
    section: str
    title: str
    needs: tuple[str, ...]  # labels of the measures
    of: Callable[..., Interval] | None  # of a source and a path's options; None: pairs of runs
    choices: tuple[Choice, ...] = ()
    margin: float = 0.0  # above 0: the paper says that the number lies within it, on both sides
    printed: float | None = None  # the number in print


def _choices(choices, needs):
    """Return some choices, with that of nDCG where it plays a part."""
    return (*choices, NDCG) if any(label.startswith("nDCG") for label in needs) else choices


def _leads(target, predictors):
    """Return the claims that others predict a measure as well as, or better than, itself."""
    paper = mirrored(printed("webber2008", "Table 2")).rename(
        index={"RBP(p=0.95)": "RBP"}, columns={"RBP(p=0.95)": "RBP"}
    )
    section = {"P@10": "p10", "RR": "rr"}[target]
    own = (target, target)
    return [
        Claim(
            f"{section}-{predictor}",
            section,
            predictor,
            (predictor, target, "AP"),
            partial(quantities.less, pair=(predictor, target), other=own),
            _choices(PREDICTION, (predictor,)),
            MARGIN if target == "P@10" else 0.0,
            round(paper.loc[predictor, target] - paper.loc[target, target], 2)
            if predictor in paper
            else None,
        )
        for predictor in predictors
    ]


def _shallower():
    """Return the claims that a shallow measure predicts better than a deep one."""
    return [
        Claim(
            f"depth-{target}-{deep}",
            "depth",
            f"{target}: against {deep}",
            ("nDCG@20", deep, target, "AP"),
            partial(quantities.less, pair=("nDCG@20", target), other=(deep, target)),
            (*PREDICTION, NDCG),
        )
        for target in ("P@10", "RR")
        for deep in ("AP", "nDCG")
    ]


def _gaps():
    """Return the claims on the two families."""
    paper = printed("thom2007", "Table 1").astype(float)
    across = paper.loc["P@1", "AP"], paper.loc["AP", "RR"]
    three = round(paper.loc["P@1", "RR"] - sum(across) / 2, 3)
    found = []
    for labels, what in ((quantities.THREE, "three"), (quantities.FOUR, "four")):
        for how, of, more in (
            ("raw", quantities.family_gap, (SETS,)),
            ("corrected", quantities.corrected_gap, ()),
        ):
            said = {"raw": "same topics", "corrected": "corrected for attenuation"}[how]
            found.append(
                Claim(
                    f"families-{what}-{how}",
                    "families",
                    f"{what} measures, {said}",
                    labels,
                    partial(of, labels=labels),
                    (*AGREEMENT, *more),
                    printed=three if (what, how) == ("three", "raw") else None,
                )
            )
    return found


def _gains():
    """Return the claims on discriminative power."""
    paper = printed("webber2010", "Table 1")["TREC 2005 Terabyte"].astype(float)
    known = round(paper["AP@1000"] - paper["P@10"], 3)
    rows = (("AP", "P@10", known), ("nDCG@20", "P@10", None), ("nDCG", "nDCG@20", None))
    return [
        Claim(
            f"power-{one}-{other}",
            "power",
            f"{one} minus {other}",
            (one, other),
            partial(quantities.gain, measure=one, other=other),
            _choices(POWER, (one, other)),
            printed=paper_says,
        )
        for one, other, paper_says in rows
    ]


def _changes():
    """Return the claims on blind feedback."""
    table = printed("tomlinson2006", "Table 2")["difference"].astype(float)
    names = {"AP": "MAP", "P@10": "P10", "RR": "MRR", "GS10": "GS10"}
    return [
        Claim(f"feedback-{m}", "feedback", m, (m,), None, printed=float(table[names[m]]))
        for m in quantities.FEEDBACK
    ]


CLAIMS = {
    claim.name: claim
    for claim in (
        *_leads("P@10", ("RBP", "nDCG@20", "AP", "nDCG")),
        *_leads("RR", ("P@10", "RBP", "nDCG@20", "AP", "nDCG")),
        *_shallower(),
        *_gaps(),
        *_gains(),
        *_changes(),
    )
}


def claims_of(section: str) -> list[Claim]:
    """Return the claims of a section, in their order.

    >>> [claim.title for claim in claims_of("p10")]
    ['RBP', 'nDCG@20', 'AP', 'nDCG']
    """
    return [claim for claim in CLAIMS.values() if claim.section == section]
