"""Makes the table of the page "Which measure?": in which situation the evidence supports what.

``python book/make_which_measure.py`` writes it; what stands around it is kept.
A verdict names the measure that a difference favours, "either" where it lies within the margin, or
says that it is inconclusive.  It is a hint where the row's own 95% interval says so, and Holm's
method, which allows for the tests of chapter 5 and of all rows, does not.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lib.conventions import ALPHA, MARGIN
from lib.decisions import INCONCLUSIVE, above, level
from lib.intervals import between
from lib.statistics.multiplicity import holm
from lib.studies.machines.judging import TRACKS
from lib.studies.machines.questions import halves
from lib.studies.multiverse.claims import CLAIMS, SECTIONS
from lib.studies.multiverse.engine import committed
from lib.studies.multiverse.summaries import summary
from lib.studies.sources import facts

PAGE = Path(__file__).with_name("which-measure.md")
START, END = "<!-- situations -->", "<!-- end of situations -->"
HEAD = """| situation | choose between | in order to | supported | difference [95%] | collections |
|---|---|---|---|---:|---|"""
PREDICT, FIND = "predict {}", "find differences"
SHALLOW, DEEP = "25 or fewer", "100 or more"  # ranks of each list that were judged


@dataclass(frozen=True)
class Situation:
    """A choice between two measures, and the claim of chapter 5 that speaks of it.

    With ``pools`` only collections of this pool depth count, with ``graded`` only those whose
    nDCG@20 is graded.
    """

    name: str
    one: str
    other: str
    purpose: str
    claim: str
    evidence: str
    pools: str = ""
    graded: bool = False

    @property
    def key(self) -> tuple:
        """What names the test: that of a claim on all collections is chapter 5's own."""
        return (self.claim, self.pools, self.graded)[: 3 if self.pools or self.graded else 1]

    def sources(self) -> list[str]:
        """Return the collections that the situation is about."""
        known = facts()
        if self.pools:
            known = known[known["pool"] == self.pools]
        if self.graded:
            known = known[known["source"].str.startswith("web")]
        return list(known["source"])


def _predictors(name, target, measures, section, **kind):
    purpose = PREDICT.format(target)
    claims = [f"{section}-{measure}" for measure in measures]
    return [
        Situation(name, measure, target, purpose, claim, f"elsewhere-{section}", **kind)
        for measure, claim in zip(measures, claims)
    ]


SITUATIONS = [
    Situation("few topics", "AP", "P@10", FIND, "power-AP-P@10", "elsewhere-power"),
    Situation("few topics", "nDCG@20", "P@10", FIND, "power-nDCG@20-P@10", "elsewhere-power"),
    *_predictors("shallow pools", "P@10", ["AP", "nDCG@20"], "p10", pools=SHALLOW),
    *_predictors("deep pools", "P@10", ["AP", "nDCG@20"], "p10", pools=DEEP),
    *_predictors("graded labels", "P@10", ["nDCG@20"], "p10", graded=True),
    *_predictors("one right answer", "RR", ["P@10", "nDCG@20", "AP"], "rr"),
    *_predictors("the top only", "P@10", ["RBP", "nDCG@20", "AP"], "p10"),
]


def verdict(found: Any, one: str, other: str, margin: float, *, after_holm: bool = False) -> str:
    """Say which of two measures an interval of their difference supports.

    >>> from lib.intervals import Interval
    >>> [verdict(Interval.of(x, e, 9), "AP", "RR", 3) for x, e in ((4, 1), (1, 6), (0, 1))]
    ['AP (a hint)', 'inconclusive', 'either (a hint)']
    >>> verdict(Interval.of(4, 1, 9), "AP", "RR", 3, after_holm=True)
    '**AP**'
    """
    name = INCONCLUSIVE
    if found.low > 0 or found.high < 0:
        name = one if found.low > 0 else other
    elif -margin < found.low and found.high < margin:
        name = "either"
    if name == INCONCLUSIVE:
        return name
    return f"**{name}**" if after_holm else f"{name} (a hint)"


def tests() -> dict[tuple, Any]:
    """Return the differences over collections: of each claim of chapter 5, and of each row."""
    estimates = committed()
    claims = [name for name, claim in CLAIMS.items() if not SECTIONS[claim.section].pairs]
    asked = {(name,): None for name in claims} | {row.key: row.sources() for row in SITUATIONS}
    found = {key: summary(estimates, key[0], only=sources) for key, sources in asked.items()}
    return {key: one for key, one in found.items() if one is not None}


def rows() -> list[str]:
    """Return the rows of the table, in Markdown."""
    found = tests()
    p = {key: above().p_value(one) for key, one in found.items()}
    margins = {key for key in found if key[0].startswith("p10-")}
    p |= {(*key, "within"): level(MARGIN).p_value(found[key]) for key in margins}
    after = dict(zip(p, holm([*p.values()])))
    lines = []
    for row in SITUATIONS:
        one = found[row.key]
        differs = after[row.key] < ALPHA
        within = after.get((*row.key, "within"), 1) < ALPHA
        margin = MARGIN if row.key in margins else 0
        cells = [
            row.name,
            f"{row.one} or {row.other}",
            row.purpose,
            verdict(one, row.one, row.other, margin, after_holm=differs or within),
            between(one.estimate, one.low, one.high),
            f"{{ref}}`{one.number} <{row.evidence}>`",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return [*lines, *machine_labels()]


def machine_labels() -> list[str]:
    """Return the rows on labels by machines: does their order go with the people's?"""
    lines = []
    for judge in ("UMBRELA", "Llama 3.2"):
        for track, title in TRACKS.items():
            found = halves(track).loc[(judge, "nDCG@10")]
            cells = [
                "machine labels",
                f"{judge} or people",
                "predict people's nDCG@10",
                verdict(found, judge, "people", MARGIN),
                between(found["estimate"], found["low"], found["high"]),
                f"{{ref}}`{title} <machines-orders>`",
            ]
            lines.append(f"| {' | '.join(cells)} |")
    return lines


def page() -> str:
    """Return the page, with its table made anew."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    after = rest.partition(END)[2]
    return "\n\n".join([f"{before}{START}", "\n".join([HEAD, *rows()]), f"{END}{after}"])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
