"""Makes the table of the page "Which measure?": in which situation the evidence supports what.

``python book/make_which_measure.py`` writes it; what stands around it is kept.
A verdict follows from the 95% interval of a difference over collections: it names the measure that
the interval favours, both where the whole interval lies within the margin, or "inconclusive".
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lib.display.prose import between
from lib.papers.webber2008.tables import MARGIN
from lib.published import INCONCLUSIVE
from lib.studies.elsewhere.estimates import committed
from lib.studies.elsewhere.summaries import summary
from lib.studies.machines.judging import TRACKS
from lib.studies.machines.questions import halves
from lib.studies.sources import facts

PAGE = Path(__file__).with_name("which-measure.md")
START, END = "<!-- situations -->", "<!-- end of situations -->"
HEAD = """| situation | choose between | in order to | evidence supports | difference [95%] | on |
|---|---|---|---|---:|---|"""
PREDICT, FIND = "predict the order by {} on other topics", "find more pairs significantly different"
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


def verdict(found: Any, one: str, other: str, margin: float) -> str:
    """Say which of two measures an interval of their difference supports.

    >>> from lib.statistics.random_effects import mean_of
    >>> [verdict(mean_of(values), "AP", "RR", 3) for values in ([1, 2, 1], [-9, 4, 9], [-1, 0, 1])]
    ['**AP**', 'inconclusive', '**either**']
    """
    if found.low > 0 or found.high < 0:
        return f"**{one if found.low > 0 else other}**"
    return "**either**" if -margin < found.low and found.high < margin else INCONCLUSIVE


def rows() -> list[str]:
    """Return the rows of the table, in Markdown."""
    estimates, lines = committed(), []
    for row in SITUATIONS:
        found = summary(estimates, row.claim, only=row.sources())
        if found is None:
            raise ValueError(f"{row.name}: fewer than two collections have {row.claim}")
        margin = MARGIN if row.claim.startswith("p10-") else 0
        cells = [
            row.name,
            f"{row.one} or {row.other}",
            row.purpose,
            verdict(found, row.one, row.other, margin),
            between(found.mean, found.low, found.high),
            f"{{ref}}`{found.number} collections <{row.evidence}>`",
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
                "predict the people's order by nDCG@10 on other topics",
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
