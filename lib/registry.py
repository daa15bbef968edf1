"""Every claim that the book decides beside the papers' own collections, a row each.

``data/claims/claims.csv`` is the registry: what is said, by whom (a paper, or ours), of which
populations, which quantity answers it, and the bound that its interval must clear.  A quantity is a
function of a population and of what stands in brackets, kept by the study that computes it.  A row
is checked before anything is computed; :func:`decided` makes ``data/claims/verdicts.csv``, which
:mod:`lib.verdicts` reads for chapters, pages and commands.  The claims that a paper's own data
answer are rows of ``data/published`` and of the ledger, and carry the same words.
"""

import csv
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from lib.collection import about
from lib.decisions import KINDS, Bound, decide
from lib.errors import InputError
from lib.intervals import Interval
from lib.paths import DATA, AnyPath
from lib.published import names
from lib.statistics.multiplicity import holm
from lib.studies import committed
from lib.studies.machines import questions
from lib.studies.spending import tables as spending
from lib.verdicts import FOLDER, NUMBERS

OURS = "ours"
QUANTITIES: Mapping[str, Callable[..., Interval]] = {**questions.QUANTITIES, **spending.QUANTITIES}
MARGINS = ("at least", "within")
CALL = re.compile(r"([\w ]+)\((.*)\)")


@dataclass(frozen=True)
class Claim:
    """A claim on one population.

    Attributes
    ----------
    id, population : str
        A name, and what it speaks of: a folder below ``data``, or a set of collections.
    source : str
        The paper that claims it, or ours.
    anchor : str
        The label of the heading in the book that speaks of it.
    says : str
        The sentence.
    quantity : str
        Name of the quantity, with what it takes in brackets.
    bound : Bound
    """

    id: str
    population: str
    source: str
    anchor: str
    says: str
    quantity: str
    bound: Bound

    @property
    def title(self) -> str:
        """What a reader calls the population."""
        return about(self.population)["short_title"]

    def found(self) -> Interval:
        """Compute the quantity on the population."""
        name, arguments = called(self.quantity)
        return QUANTITIES[name](self.population, *arguments)


def called(quantity: str) -> tuple[str, list[str]]:
    """Part a quantity into its name and what it takes.

    >>> called("order(UMBRELA, nDCG@10)")
    ('order', ['UMBRELA', 'nDCG@10'])
    """
    match = CALL.fullmatch(quantity)
    if match is None or match[1] not in QUANTITIES:
        raise InputError(f"no quantity {quantity!r}; there are {', '.join(QUANTITIES)}")
    return match[1], [part.strip() for part in match[2].split(",") if part]


def registered(path: AnyPath = FOLDER / "claims.csv") -> list[Claim]:
    """Read the registry, each claim once a population.

    Raises
    ------
    InputError
        A row with an unknown quantity, population, source or bound, or two of one id: the line
        names the row.
    """
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    claims: dict[tuple[str, str], Claim] = {}
    for number, row in enumerate(rows, start=2):
        try:
            for claim in _claims(row):
                if (claim.id, claim.population) in claims:
                    raise InputError(f"stands there twice for {claim.population}")
                claims[claim.id, claim.population] = claim
        except InputError as error:
            raise InputError(f"{path}, line {number}, {row.get('id')}: {error}") from None
    return list(claims.values())


def _claims(row):
    """Return a row of the registry as a claim a population; refuse what is unknown."""
    called(row["quantity"])
    if row["source"] not in (OURS, *names()):
        raise InputError(f"no source {row['source']!r}; there are {', '.join([OURS, *names()])}")
    if row["asked"] not in KINDS:
        raise InputError(f"no bound {row['asked']!r}; there are {', '.join(KINDS)}")
    try:
        number = float(row["bound"])
    except ValueError:
        raise InputError(f"the bound {row['bound']!r} is no number") from None
    if not np.isfinite(number) or (number < 0 and row["asked"] in MARGINS):
        raise InputError(f"no margin can be {number:g}")
    populations = row["populations"].split()
    for unknown in (name for name in populations if not (DATA / name).is_dir()):
        raise InputError(f"no population {unknown!r}: a folder below data")
    known = {name: row[name] for name in ("id", "source", "anchor", "says", "quantity")}
    return [
        Claim(population=name, bound=KINDS[row["asked"]](number), **known) for name in populations
    ]


def decided(claims: Iterable[Claim]) -> pd.DataFrame:
    """Compute claims and decide them: the rows of ``data/claims/verdicts.csv``.

    Those of one paper on one population are corrected together (Holm); ours, which nobody had
    registered before their data were seen, are a hint at most.
    """
    claims = list(claims)
    found = [claim.found() for claim in claims]
    table = pd.DataFrame(
        {
            "id": [claim.id for claim in claims],
            "population": [claim.title for claim in claims],
            "source": [claim.source for claim in claims],
            "anchor": [claim.anchor for claim in claims],
            "says": [claim.says for claim in claims],
            "estimate": [float(one.estimate) for one in found],
            "low": [float(one.low) for one in found],
            "high": [float(one.high) for one in found],
        }
    )
    p = pd.Series([claim.bound.p_value(one) for claim, one in zip(claims, found)])
    adjusted = p[table["source"] != OURS].groupby([table["source"], table["population"]])
    table["adjusted"] = adjusted.transform(holm)
    decisions = [
        decide(one, claim.bound, value)
        for claim, one, value in zip(claims, found, table["adjusted"])
    ]
    return table.assign(
        **{name: table[name].map(_digits) for name in NUMBERS},
        word=[decision.word for decision in decisions],
        side=[decision.side for decision in decisions],
    )


def _digits(number):
    return "" if np.isnan(number) else f"{round(number, 6) + 0.0:.6f}"


def write(claims: Iterable[Claim]) -> None:
    """Decide claims and write ``data/claims/verdicts.csv``."""
    committed.write("claims", "verdicts", decided(claims))
