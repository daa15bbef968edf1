"""Makes the table of the page "Which measure?": in which situation the evidence speaks for what.

``python book/make_which_measure.py`` writes it; what stands around it is kept.  A row shows a claim
of the registry on one population, with its word.
"""

from dataclasses import dataclass
from pathlib import Path

from lib.decisions import CONTRADICTS, INCONCLUSIVE, SUPPORTS
from lib.display import markdown
from lib.intervals import between
from lib.registry import SETS, committed, with_systems
from lib.studies.committed import claims_everywhere
from lib.studies.machines.judging import TRACKS
from lib.studies.multiverse.summaries import POPULATIONS, of_population

PAGE = Path(__file__).with_name("which-measure.md")
HEAD = (
    "| situation | choose between | in order to | evidence speaks for "
    "| difference [95%]; tinted: within .02 | on |\n|---|---|---|---|---:|---|"
)
PREDICT, FIND, TELL = "predict {}", "find differences", "tell of seven measures"
SHALLOW, DEEP, WEB, THESE, NEW = "shallow", "deep", "web", "these", "new"


@dataclass(frozen=True)
class Situation:
    """A choice between two measures, and the claim that speaks of it, on a population."""

    name: str
    one: str
    other: str
    purpose: str
    claim: str
    population: str

    def row(self) -> str:
        """Return the row of the table, in Markdown."""
        title = SETS.get(self.population, self.population)
        found = committed().loc[(self.claim, title)]
        if self.population in POPULATIONS:
            rows = of_population(claims_everywhere(), self.claim, self.population)
            # Pools of their depth alone do not make what is found on these: they have their names.
            name = ", ".join(rows["title"]) if self.population in (SHALLOW, DEEP) else title
            title = f"{name} ({len(rows)})"
        where = f"{{ref}}`{title} <{found['anchor']}>`"
        cells = [self.name, f"{self.one} or {self.other}", self.purpose, self.word(found)]
        cells += [between(found["estimate"], found["low"], found["high"]), where]
        return markdown.row(cells)

    def word(self, found) -> str:
        """Say which of the two a claim's row speaks for, with its word.

        "As well" says that the first may stand for the second: its number is not lower by more than
        the margin.
        """
        as_well = (
            f"{self.one}, as well as {self.other}" if self.purpose not in (FIND, TELL) else self.one
        )
        sides = {SUPPORTS: as_well, CONTRADICTS: self.other, INCONCLUSIVE: INCONCLUSIVE}
        word = "" if found["word"] == INCONCLUSIVE else f" ({found['word']})"
        same = ", the same within .02" * (found["level"] == "yes")
        return f"{sides[found['side']]}{same}{word}{with_systems(found)}"


def predictors(name: str, target: str, measures: list[str], population: str) -> list[Situation]:
    """Return the situations in which others may predict a measure in its own place."""
    section = {"P@10": "p10", "RR": "rr"}[target]
    return [
        Situation(name, one, target, PREDICT.format(target), f"{section}-{one}", population)
        for one in measures
    ]


RBP = "RBP(p=0.9)"
PAGE_ONE, ANSWER, ONE = (
    "my users open one page",
    "my users want one answer",
    "I may report one number",
)
FEW, GRADED, MACHINES = "I have up to 50 topics", "my labels have grades", "a machine judged"
NEWS, WEB_ON = "my collection is news, judged deep", "mine is of the Web, passages or papers"
SITUATIONS = [
    Situation(ONE, RBP, "P@10", TELL, "new-single-RBP", NEW),
    Situation(PAGE_ONE, RBP, "P@10", PREDICT.format("P@10"), "new-p10-RBP", NEW),
    Situation(PAGE_ONE, "AP", "P@10", PREDICT.format("P@10"), "new-p10-AP", NEW),
    *predictors(PAGE_ONE, "P@10", ["RBP", "nDCG@20", "AP"], THESE),
    Situation(ANSWER, "AP", "RR", PREDICT.format("RR"), "new-rr-AP", NEW),
    *predictors(ANSWER, "RR", ["P@10", "nDCG@20", "AP"], THESE),
    Situation(FEW, "P@100", "P@10", FIND, "new-power-P@100-P@10", NEW),
    Situation(FEW, "AP", "P@10", FIND, "power-AP-P@10", THESE),
    Situation(FEW, "nDCG@20", "P@10", FIND, "power-nDCG@20-P@10", THESE),
    *predictors(GRADED, "P@10", ["nDCG@20"], WEB),
    *predictors(NEWS, "P@10", ["AP", "nDCG@20"], DEEP),
    *predictors(WEB_ON, "P@10", ["AP", "nDCG@20"], SHALLOW),
    *(
        Situation(MACHINES, judge, "people", "predict people's nDCG@10", claim, track)
        for judge, name in (("UMBRELA", "umbrela-order"), ("Llama 3.2", "llama-order-ndcg10"))
        for claim, track in zip((name, f"new-{name}", name), TRACKS.values())
    ),
]


def page() -> str:
    """Return the page, with its table made anew."""
    rows = [HEAD, *(situation.row() for situation in SITUATIONS)]
    return markdown.with_part(PAGE.read_text(encoding="utf-8"), "situations", "\n".join(rows))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
