"""The headline claims, each one number that can be asked of any collection."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from lib.papers.webber2008.tables import mirrored
from lib.published import printed
from lib.statistics.jackknife import Interval
from lib.studies.elsewhere import numbers


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
        "tau within the families less tau across",
        "How much higher tau is within the two families of measures than across them",
        own="",
        printed="Terabyte 2006",
    ),
    "power": Section(
        "Who tells systems apart",
        "more pairs of systems told apart (share of all)",
        "How many more pairs of systems one measure tells apart than another, as a share of all",
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
    of: Callable[..., Interval] | None  # from a source to the number; None: of pairs of runs
    halves: bool = False  # rankings on separate halves of the topics are compared
    printed: float | None = None  # the number in print


def _leads(target, predictors):
    """Return the claims that others predict a measure better than it does itself."""
    paper = mirrored(printed("webber2008", "Table 2")).rename(
        index={"RBP(p=0.95)": "RBP"}, columns={"RBP(p=0.95)": "RBP"}
    )
    section = {"P@10": "p10", "RR": "rr"}[target]
    return [
        Claim(
            f"{section}-{predictor}",
            section,
            predictor,
            (predictor, target, "AP"),
            partial(numbers.lead, predictor=predictor, target=target),
            True,
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
            partial(numbers.less, pair=("nDCG@20", target), other=(deep, target)),
            True,
        )
        for target in ("P@10", "RR")
        for deep in ("AP", "nDCG")
    ]


def _gaps():
    """Return the claims on the two families."""
    paper = _taus(printed("thom2007", "Table 1").astype(float))
    three = paper["P@1", "RR"] - (paper["P@1", "AP"] + paper["AP", "RR"]) / 2
    found = []
    for labels, what in ((numbers.THREE, "three"), (numbers.FOUR, "four")):
        for how, of in (("raw", numbers.family_gap), ("corrected", numbers.corrected_gap)):
            title = f"{what} measures, {'same topics' if how == 'raw' else 'noise removed'}"
            known = round(three, 3) if (what, how) == ("three", "raw") else None
            of_labels = partial(of, labels=labels)
            found.append(
                Claim(
                    f"families-{what}-{how}",
                    "families",
                    title,
                    labels,
                    of_labels,
                    how == "corrected",
                    known,
                )
            )
    return found


def _taus(table):
    """Return a printed triangle of taus as a dict of pair to tau."""
    return {(a, b): table.loc[a, b] for a in table.index for b in table.columns}


def _gains():
    """Return the claims on discriminative power."""
    paper = printed("webber2010", "Table 1")["TREC 2005 Terabyte"].astype(float)
    known = round(paper["AP@1000"] - paper["P@10"], 3)
    rows = (("AP", "P@10", known), ("nDCG@20", "P@10", None), ("nDCG", "nDCG@20", None))
    return [
        Claim(
            f"power-{one}-{other}",
            "power",
            f"{one} less {other}",
            (one, other),
            partial(numbers.gain, measure=one, other=other),
            False,
            paper_says,
        )
        for one, other, paper_says in rows
    ]


def _changes():
    """Return the claims on blind feedback."""
    table = printed("tomlinson2006", "Table 2")["difference"].astype(float)
    names = {"AP": "MAP", "P@10": "P10", "RR": "MRR", "GS10": "GS10"}
    return [
        Claim(f"feedback-{m}", "feedback", m, (m,), None, False, float(table[names[m]]))
        for m in numbers.FEEDBACK
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
