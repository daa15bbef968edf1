"""The headline claims of the papers, each a number of a collection, and what they leave open."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from chapters.elsewhere import quantities
from chapters.ledger.claims import ALL, BY_AP
from chapters.ledger.paper import TAU, OpenChoice
from chapters.ledger.published import printed
from chapters.ledger.registry import registered
from chapters.webber2008.tables import SEED, mirrored
from chapters.webber2010.depth import SIDES, TEST
from lib.conventions import SHARE
from lib.decisions import Bound
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

REGISTERED = {row.id: row for row in registered()}
# One for each sentence of an abstract or a conclusion that can be tested.
PRIMARY = tuple(row.id for row in registered() if row.primary and row.population == "these")
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
class Question:
    """One number that can be asked of a collection; what is said of it stands in the registry."""

    name: str  # begins with its section
    title: str
    needs: tuple[str, ...]  # labels of the measures
    of: Callable[..., Estimate]  # of a source and a path's options
    choices: tuple[OpenChoice, ...] = ()
    printed: float | None = None  # the number in print
    drawn: bool = False  # by random splits of the topics: of more of them the error is steadier

    @property
    def section(self) -> str:
        """The section that it belongs to."""
        return self.name.partition("-")[0]

    @property
    def bound(self) -> Bound:
        """Where its sentence puts the number."""
        return REGISTERED[self.name].bound

    @property
    def primary(self) -> bool:
        """Whether Holm's method counts it; the others are read beside these."""
        return self.name in PRIMARY


def _prediction(
    name: str, title: str, predictor: str, target: str, other: str, printed: float | None = None
) -> Question:
    """Return the claim that a measure predicts a target better than another does."""
    needs = tuple(dict.fromkeys((predictor, other, target, "AP")))
    of = partial(quantities.lead_over, predictor=predictor, other=other, target=target)
    made = _with_ndcg(_PREDICTION, needs)
    return Question(name, title, needs, of, made, printed, drawn=True)


def _with_ndcg(choices: tuple[OpenChoice, ...], needs: tuple[str, ...]) -> tuple[OpenChoice, ...]:
    """Return choices with that of nDCG where it plays a part."""
    return (*choices, _NDCG) if any(label.startswith("nDCG") for label in needs) else choices


def _leads(section: str, target: str, predictors: tuple[str, ...]) -> Iterator[Question]:
    """Return the claims that others predict a measure as well as, or better than, itself."""
    paper = mirrored(printed("webber2008", "Table 2"))[target].rename({"RBP(p=0.95)": "RBP"})
    gaps = (paper - paper[target]).round(2)
    for one in predictors:
        yield _prediction(f"{section}-{one}", one, one, target, target, gaps.get(one))


def _depths() -> Iterator[Question]:
    """Return the claims that nDCG@20 predicts better than deeper measures do."""
    for of in ("P@10", "RR"):
        for deep in ("AP", "nDCG"):
            yield _prediction(f"depth-{of}-{deep}", f"{of}: against {deep}", "nDCG@20", of, deep)


def _gaps() -> Iterator[Question]:
    """Return the claims on the two families."""
    paper = printed("thom2007", "Table 1").astype(float)
    across = paper.loc["P@1", "AP"], paper.loc["AP", "RR"]
    three = round(paper.loc["P@1", "RR"] - sum(across) / 2, 3)
    four = quantities.EARLY_AND_BROAD
    for number, labels, known in (("three", quantities.THREE, three), ("four", four, None)):
        name, title, sets = f"families-{number}", f"{number} measures", (*_AGREEMENT, _SETS)
        both = quantities.family_gap, quantities.corrected_gap
        raw, free = (partial(of, labels=labels) for of in both)
        yield Question(f"{name}-raw", f"{title}, same topics", labels, raw, sets, known)
        free_title = f"{title}, corrected for attenuation"
        yield Question(f"{name}-corrected", free_title, labels, free, _AGREEMENT, drawn=True)
    of = quantities.early_and_whole
    yield Question("apart-RR-AP", "RR and AP", ("RR", "AP"), of, _SEPARATE, drawn=True)


def _gain(one: str, other: str, known: float | None = None) -> Question:
    """Return the claim that a measure has more discriminative power than another."""
    needs, of = (one, other), partial(quantities.gain, measure=one, other=other)
    name, title = f"power-{one}-{other}", f"{one} minus {other}"
    return Question(name, title, needs, of, _with_ndcg(_POWER, needs), known)


def _feedback() -> Iterator[Question]:
    """Return the claims on pairs of runs without and with feedback."""
    paper = printed("tomlinson2006", "Table 2")["difference"].astype(float)
    for name, measure in {"MAP": "AP", "P10": "P@10", "MRR": "RR", "GS10": "GS10"}.items():
        of = partial(quantities.change, measure=measure)
        yield Question(f"feedback-{measure}", measure, (), of, (_GRADE, _SCALE), float(paper[name]))


def _claims() -> list[Question]:
    power = printed("webber2010", "Table 1")["TREC 2005 Terabyte"].astype(float)
    return [
        *_leads("p10", "P@10", ("RBP", "nDCG@20", "AP", "nDCG")),
        *_leads("rr", "RR", ("P@10", "RBP", "nDCG@20", "AP", "nDCG")),
        *_depths(),
        *_gaps(),
        _gain("AP", "P@10", round(power["AP@1000"] - power["P@10"], 3)),
        _gain("nDCG@20", "P@10"),
        _gain("nDCG", "nDCG@20"),
        _gain("P@100", "P@10"),
        *_feedback(),
    ]


CLAIM_OF = {claim.name: claim for claim in _claims()}


def claims_of(section: str) -> list[Question]:
    """Return the claims of a section, in their order.

    >>> [claim.title for claim in claims_of("p10")]
    ['RBP', 'nDCG@20', 'AP', 'nDCG']
    """
    return [claim for claim in CLAIM_OF.values() if claim.section == section]
