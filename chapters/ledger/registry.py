"""The registry of claims, a row each, and the words that were decided for them.

``data/claims/claims.csv`` has what is said, by whom (a paper, or ours), of which populations, which
quantity answers it, and the bound that its interval must clear; ``data/claims/verdicts.csv`` what
came out, made by :mod:`chapters.ledger.deciding`.  The claims that a paper's own data answer are
rows of ``data/published``; ``data/ledger.csv`` has their words.  Whoever shows a word reads it
here.
"""

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from chapters.ledger import paper_names
from chapters.ledger import rows as ledger
from lib.decisions import BOUNDS, CONTRADICTS, SUPPORTS, Bound, as_text
from lib.display.prose import slug
from lib.errors import InputError
from lib.intervals import between
from lib.paths import DATA, AnyPath, short_title

FOLDER = DATA / "claims"
OURS = "ours"
_MARGINS = ("at least", "within")
NEW = "new"  # the collections of chapters.elsewhere.confirmation
# Populations that are no folder below data: sets of collections, as chapter 5 makes them.
SETS = {
    "these": "these collections",
    NEW: "three new collections",
    "others": "other kinds",
    "shallow": "collections with shallow pools",
    "deep": "collections with deep pools",
    "web": "the Web tracks",
    "feedback": "our four text collections",
    "years": "three years of Deep Learning",
    "newer": "newer runs of 2019 and 2020",
    "feedback-six": "our six text collections",
}
_CALL = re.compile(r"([\w ]+)\((.*)\)")
_KEYS = ["id", "population"]
NUMBERS = ["estimate", "low", "high", "p", "adjusted"]


@dataclass(frozen=True)
class Row:
    """A claim on one population."""

    id: str
    population: str  # what it speaks of: a folder below data, or one of SETS
    source: str  # the paper that claims it, or ours
    quantity: str  # its name, with what it takes in brackets
    bound: Bound  # where the claim puts it
    primary: bool  # counted among the tests of its population
    anchor: str  # the label of the heading in the book that speaks of it
    says: str  # the sentence

    @property
    def title(self) -> str:
        """What a reader calls the population."""
        return SETS.get(self.population) or short_title(self.population)

    def call(self) -> tuple[str, list[str]]:
        """Part the quantity into its name and what it takes."""
        match = _CALL.fullmatch(self.quantity)
        if match is None:
            raise InputError(f"no quantity {self.quantity!r}: a name, and brackets")
        return match[1], [part.strip() for part in match[2].split(",") if part]


def registered(path: AnyPath = FOLDER / "claims.csv") -> list[Row]:
    """Read the registry, each claim once a population; an InputError names a row of no sense."""
    rows: dict[tuple[str, str], Row] = {}
    with open(path, encoding="utf-8", newline="") as file:
        for number, entry in enumerate(csv.DictReader(file), start=2):
            try:
                for row in _rows(entry):
                    if (row.id, row.population) in rows:
                        raise InputError(f"stands there twice for {row.population}")
                    rows[row.id, row.population] = row
            except InputError as error:
                raise InputError(f"{path}, line {number}, {entry.get('id')}: {error}") from None
    return list(rows.values())


def _rows(entry: dict[str, str]) -> Iterator[Row]:
    """Return an entry as a row a population; refuse what is unknown."""
    if entry["source"] not in (OURS, *paper_names()):
        raise InputError(
            f"no source {entry['source']!r}; there are {', '.join([OURS, *paper_names()])}"
        )
    if entry["asked"] not in BOUNDS:
        raise InputError(f"no bound {entry['asked']!r}; there are {', '.join(BOUNDS)}")
    try:
        number = float(entry["bound"])
    except ValueError:
        raise InputError(f"the bound {entry['bound']!r} is no number") from None
    if not np.isfinite(number) or (number < 0 and entry["asked"] in _MARGINS):
        raise InputError(f"no margin can be {number:g}")
    known = {name: entry[name] for name in ("id", "source", "quantity", "anchor", "says")}
    for name in entry["populations"].split():
        if name not in SETS and not (DATA / name / "datapackage.json").is_file():
            raise InputError(f"no population {name!r}: a folder below data, or {', '.join(SETS)}")
        bound, primary = BOUNDS[entry["asked"]](number), entry["primary"] == "yes"
        yield Row(population=name, bound=bound, primary=primary, **known)


@cache
def committed() -> pd.DataFrame:
    """Return what was decided of every claim on every population that it was asked of.

    Index id, population; columns source, anchor, says; estimate, low, high, p; adjusted, the p
    value after Holm's correction, missing where a claim's question was nobody's before; word; side:
    what the data do to the claim; level: whether all of the interval of an "as well as" lies within
    the margin; systems: whether the word is another one without the runs of some group.

    Examples
    --------
    >>> committed().loc[("webber2008/p10-redundant", "TREC-8"), "word"]
    'inconclusive'
    """
    own = ledger.committed()
    own = own[own["word"] != ""].assign(says="", p="", level="", systems="")
    own = own.assign(id=own["paper"] + "/" + own["row"], source=own["paper"])
    sides = {"reproduced": SUPPORTS, "differs": CONTRADICTS}
    own["side"] = [sides.get(verdict, verdict) for verdict in own["verdict"]]
    claims, others = (
        pd.read_csv(FOLDER / f"{name}.csv", dtype=str, keep_default_na=False)
        for name in ("claims", "verdicts")
    )
    others = others.merge(claims[["id", "source", "anchor", "says"]], validate="m:1")
    table = pd.concat([own[[*others.columns]], others]).set_index(_KEYS)
    return table.assign(**{name: pd.to_numeric(table[name]) for name in NUMBERS})


def claim_texts(*claims: str) -> dict[str, str]:
    """Return what the text of a chapter names: word and interval of claims on each population.

    Names are made of the last part of the id and of the population: ``claim-front-trec-8-is`` is
    the word as it stands after "is", ``claim-front-trec-8-at`` the estimate with its interval.

    Examples
    --------
    >>> claim_texts("manual-deep")
    {'claim-manual-deep-trec-8-is': 'inconclusive', 'claim-manual-deep-trec-8-at': \
'+0.040 [−0.019, +0.099]'}
    """
    table, texts = committed(), {}
    for claim in claims:
        if claim not in table.index:
            raise InputError(f"no claim {claim!r} is registered")
        for population, row in table.loc[claim].iterrows():
            name = f"claim-{slug(claim.rpartition('/')[2])}-{slug(population)}"
            texts[f"{name}-is"] = is_word(row)
            texts[f"{name}-at"] = between(row["estimate"], row["low"], row["high"])
    return texts


def is_word(row: Mapping[str, Any]) -> str:
    """Return the verdict of a row as it stands after "is".

    >>> is_word({"word": "hint", "side": "contradicts"})
    'contradicted (hint)'
    """
    return as_text(row["word"], row["side"]) + with_systems(row)


def with_systems(row: Mapping[str, Any]) -> str:
    """Return what a word adds that is another one without the runs of some group."""
    return ", with these systems" if row.get("systems") == "yes" else ""
