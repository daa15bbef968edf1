"""The headline claims of the papers, each a number of a collection, and what they leave open."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from chapters.elsewhere import quantities
from chapters.elsewhere.sources import AD_HOC, EVERY, NO_COPIES, Source
from chapters.ledger.claims import ALL, BY_AP, Row
from chapters.ledger.paper import TAU, OpenChoice
from chapters.ledger.published import in_words, printed
from chapters.ledger.registry import registered
from chapters.webber2008.tables import SEED, mirrored
from chapters.webber2010.depth import SIDES, TEST
from lib.conventions import SHARE
from lib.decisions import Bound
from lib.errors import InputError
from lib.estimates import Estimate

once = partial(OpenChoice, crossed=False)  # otherwise with all else as on the leading path

KEPT_BY = OpenChoice(
    "systems",
    "kept",
    {
        ALL: None,
        BY_AP: (SHARE, "AP"),
        "best 75% by the predicted measure": (SHARE, quantities.TARGET),
        "best 50% by AP": (0.5, "AP"),
    },
)
_ALL = OpenChoice("systems", "kept", {ALL: None, BY_AP: (SHARE, "AP")})
SIZE = OpenChoice("topics in a set", "size", {"25": quantities.HALF, "10": 10})
_MEANS = once("means", "decimals", {"10 decimals": 10, "4 decimals": 4, "not rounded": None})
_SPLITS = once("splits", "seed", {"drawn once": SEED, "drawn again": SEED + 1})
_GRADE = once("relevant from", "rel", {"the track's grade": None, "grade 1": 1})
_LISTS = once("lists", "long", {"as submitted": False, "100 documents or more": True})
_SCALE = once("scores", "ranked", {"as they are": False, "ranks within topics": True})
ASKED_RUNS = once(
    "runs",
    "runs",
    {"ad hoc, each once": AD_HOC, "all columns": EVERY, "no exact copies": NO_COPIES},
)
_SETS = once("topics", "most", {"at most 50 at a time": quantities.TOPICS_A_SET, "all": None})
_NDCG = once(
    "nDCG",
    "ndcg",
    {
        "as at hand": None,  # of the Web tracks gdeval's, else binary with the discount of 2002
        "binary, discount of 2002": "2002",
        "binary, log2(1 + rank)": "trec_eval",
        "graded, as gdeval": quantities.GDEVAL,
    },
)
_ALPHA = OpenChoice("alpha", "alpha", {"0.05": 0.05, "0.01": 0.01})
_IDENTICAL = once("identical pairs", "identical", {"left out": "left out", "kept": "kept"})

_PREDICTION = (KEPT_BY, SIZE, TAU, _MEANS, _SPLITS, _GRADE, _LISTS, _SCALE)
_AGREEMENT = (_ALL, TAU, _MEANS, _GRADE, _LISTS, _SCALE)
# Agreement on separate topics.
_SEPARATE = (_ALL, SIZE, TAU, _MEANS, _SPLITS, _GRADE, _LISTS, _SCALE)
# One of its tests, Wilcoxon's, ranks scores already.
_POWER = (TEST, _ALL, SIDES, _ALPHA, _IDENTICAL, _SETS, _GRADE, _LISTS)


@dataclass(frozen=True)
class Section:
    """Claims of one kind, shown beside each other."""

    title: str
    axis: str  # what its number is
    own: str = ""  # source that the paper used; empty: none of these
    printed: str = ""  # collection of which the paper prints the number
    pairs: bool = False  # of pairs of runs
    target: str = ""  # what its claims predict


SECTIONS = {
    "p10": Section(
        "Predictors of P@10",
        "predicts P@10 better than P@10 does itself (tau)",
        "trec8",
        "Terabyte 2004",
        target="P@10",
    ),
    "rr": Section(
        "Predictors of RR",
        "predicts RR better than RR does itself (tau)",
        "trec8",
        "Terabyte 2004",
        target="RR",
    ),
    "depth": Section(
        "Shallow or deep predictors",
        "nDCG@20 predicts better than the deeper measure (tau)",
        "trec8",
    ),
    "families": Section(
        "Two families of measures",
        "tau within the families minus tau across",
        printed="Terabyte 2006",
    ),
    "apart": Section(
        "Early precision and the whole list", "tau of RR and AP, corrected for attenuation"
    ),
    "power": Section(
        "Discriminative power",
        "more pairs of systems differ significantly (share of all)",
        "trec8",
        "Terabyte 2005",
    ),
    "feedback": Section(
        "What feedback changes",
        "change by blind feedback (mean score)",
        printed="RIA 2003",
        pairs=True,
    ),
}


@dataclass(frozen=True)
class Kind:
    """What questions of one quantity share: their title, and how they are asked otherwise."""

    title: str  # with the labels in their places
    choices: tuple[OpenChoice, ...]
    drawn: bool = False  # by random splits of the topics: of more of them the error is steadier


# By the name of the quantity, a function of chapters.elsewhere.quantities.
KINDS = {
    "lead_over": Kind("{0}", _PREDICTION, drawn=True),
    "family_gap": Kind("{number} measures, same topics", (*_AGREEMENT, _SETS)),
    "corrected_gap": Kind("{number} measures, corrected for attenuation", _AGREEMENT, drawn=True),
    "early_and_whole": Kind("{0} and {1}", _SEPARATE, drawn=True),
    "gain": Kind("{0} minus {1}", _POWER),
    "change": Kind("{0}", (_GRADE, _SCALE)),
}


@dataclass(frozen=True)
class Question:
    """What a row of the registry asks of every collection, and how it can be asked otherwise."""

    row: Row
    section: str  # with which its name begins
    title: str
    quantity: str  # one of KINDS
    labels: tuple[str, ...]  # of the measures of which it is asked
    needs: tuple[str, ...]  # those that must be known; pairs of runs say what they lack
    choices: tuple[OpenChoice, ...]
    drawn: bool
    printed: float | None  # the number in print

    @property
    def name(self) -> str:
        """Its name in the registry."""
        return self.row.id

    @property
    def bound(self) -> Bound:
        """Where its sentence puts the number."""
        return self.row.bound

    @property
    def primary(self) -> bool:
        """Whether Holm's method counts it; the others are read beside these."""
        return self.row.primary

    def of(self, source: Source, **path: Any) -> Estimate:
        """Ask it of a source, with a path's options."""
        return getattr(quantities, self.quantity)(source, *self.labels, **path)


def question(row: Row, known: Mapping[tuple[str, ...], float]) -> Question:
    """Return what a row asks, with the number in print; refuse what is no question."""
    quantity, *labels = row.call()[1]
    section = row.id.partition("-")[0]
    for what, name, there in (("section", section, SECTIONS), ("quantity", quantity, KINDS)):
        if name not in there:
            raise InputError(f"{row.place}: no {what} {name!r}; there are {', '.join(there)}")
    kind, pairs = KINDS[quantity], SECTIONS[section].pairs
    title = kind.title if section != "depth" else "{2}: against {1}"
    ndcg = any(label.startswith("nDCG") for label in labels)
    return Question(
        row=row,
        section=section,
        title=title.format(*labels, number=in_words(len(labels))),
        quantity=quantity,
        labels=tuple(labels),
        needs=() if pairs else tuple(labels),
        choices=kind.choices if pairs else (*kind.choices, *[_NDCG] * ndcg, ASKED_RUNS),
        drawn=kind.drawn,
        printed=known.get((quantity, *labels)),
    )


def _printed() -> dict[tuple[str, ...], float]:
    """Return what the papers print of the numbers that are asked here."""
    leads = mirrored(printed("webber2008", "Table 2")).rename({"RBP(p=0.95)": "RBP"})
    taus = printed("thom2007", "Table 1").astype(float)
    power = printed("webber2010", "Table 1")["TREC 2005 Terabyte"].astype(float)
    change = printed("tomlinson2006", "Table 2")["difference"].astype(float)
    names = {"MAP": "AP", "P10": "P@10", "MRR": "RR", "GS10": "GS10"}
    known: dict[tuple[str, ...], float] = {}
    known |= {("change", measure): change[name] for name, measure in names.items()}
    for of in ("P@10", "RR"):
        gaps = (leads[of] - leads.at[of, of]).round(2)
        known |= {("lead_over", one, of, of): gap for one, gap in gaps.items()}
    across = (taus.loc["P@1", "AP"] + taus.loc["AP", "RR"]) / 2
    known["family_gap", *quantities.THREE] = round(taus.loc["P@1", "RR"] - across, 3)
    known["gain", "AP", "P@10"] = round(power["AP@1000"] - power["P@10"], 3)
    return known


_ASKED = [row for row in registered() if row.population == "these"]
CLAIM_OF = {row.id: question(row, _printed()) for row in _ASKED}
# One for each sentence of an abstract or a conclusion that can be tested.
PRIMARY = tuple(row.id for row in _ASKED if row.primary)


def claims_of(section: str) -> list[Question]:
    """Return the claims of a section, in their order.

    >>> [claim.title for claim in claims_of("p10")]
    ['RBP', 'nDCG@20', 'AP', 'nDCG']
    """
    return [claim for claim in CLAIM_OF.values() if claim.section == section]
