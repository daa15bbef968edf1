"""The registry of claims, a row each, and the words that were decided for them.

``data/claims/claims.csv`` has what is said, by whom (a paper, or ours), of which populations, which
quantity answers it, and the bound that its interval must clear; ``data/claims/verdicts.csv`` what
came out, made by :mod:`chapters.ledger.deciding`.  The claims that a paper's own data answer are
rows of ``data/published``; ``data/ledger.csv`` has their words.  Whoever shows a word reads it
here.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import pandas as pd
from scipy.stats import false_discovery_control

from chapters.ledger import paper_names
from chapters.ledger import rows as ledger
from chapters.ledger.claims import Row, bounded, known_population, of_whom, read_rows
from lib.conventions import ALPHA
from lib.decisions import CONTRADICTS, FINDING, HINT, INCONCLUSIVE, SUPPORTS, as_text
from lib.display.prose import slug
from lib.errors import InputError
from lib.intervals import between
from lib.paths import DATA, AnyPath
from lib.statistics.multiplicity import holm

FOLDER = DATA / "claims"
OURS = "ours"
_KEYS = ["id", "population"]
COPIES = "exact copies"  # what a claim is asked without, beside the runs of a group
_SAID = ("source", "anchor", "says", "whom", "sets", "told", "blind")
NUMBERS = ["estimate", "low", "high", "p", "adjusted"]


def registered(path: AnyPath = FOLDER / "claims.csv") -> list[Row]:
    """Read the registry, each claim once a population; an InputError names a row of no sense."""
    rows: dict[tuple[str, str], Row] = {}
    known: dict[str, dict[str, str]] = {}  # entries by their names
    for place, entry in read_rows(path):
        try:
            known[entry["id"]] = entry = _as_said(entry | {"place": place}, known)
            for row in _rows(entry):
                if (row.id, row.population) in rows:
                    raise InputError(f"stands there twice for {row.population}")
                rows[row.id, row.population] = row
        except InputError as error:
            raise InputError(f"{place}: {error}") from None
    return list(rows.values())


def _as_said(entry: dict[str, str], known: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Return an entry that repeats another's sentence, "= ID", with that and its bound."""
    if not entry["says"].startswith("= "):
        return entry
    other = known.get(entry["says"][2:])
    if other is None or entry["asked"] or entry["bound"]:
        raise InputError(f"{entry['says']!r} takes sentence and bound of a row above")
    return entry | {name: other[name] for name in ("says", "asked", "bound")}


def _rows(entry: dict[str, str]) -> Iterator[Row]:
    """Return an entry as a row a population; refuse what is unknown."""
    if entry["source"] not in (OURS, *paper_names()):
        raise InputError(
            f"no source {entry['source']!r}; there are {', '.join([OURS, *paper_names()])}"
        )
    asked, number = bounded(entry)
    topics, systems = of_whom(entry)
    known = {name: entry[name] for name in ("id", "source", "quantity", "anchor", "says", "place")}
    for name in entry["populations"].split():
        yield Row(
            population=known_population(name),
            asked=asked,
            number=number,
            topics=topics,
            systems=systems,
            primary=entry["primary"] == "yes",
            blind=entry["blind"] != "no",
            **known,
        )


@cache
def known_words() -> pd.DataFrame:
    """Return what was decided of every claim on every population that it was asked of.

    Index id, population; columns source, anchor, says; estimate, low, high, p; adjusted, the p
    value after Holm's correction, missing if no one had asked the question before; word; side:
    what the data do to the claim; level: whether all of the interval of an "as well as" lies within
    the margin; systems: whether the word is another one without the runs of some group; copies:
    without exact copies of other runs; near: whether the interval ends close to the bound that it
    has cleared; whom: the collections, the topics a set and the systems that it speaks of; sets:
    the topics a set, in words; told: these and the systems; blind: whether it was.

    Examples
    --------
    >>> known_words().loc[("webber2008/p10-redundant", "TREC-8"), "word"]
    'inconclusive'
    """
    own = ledger.committed()
    own = own[own["word"] != ""].assign(blind=True)
    own = own.assign(**dict.fromkeys(["says", "p", "level", "systems", "sets", "told"], ""))
    own = own.assign(
        id=own["paper"] + "/" + own["row"], source=own["paper"], whom=own["population"]
    )
    other = pd.read_csv(FOLDER / "otherwise.csv")
    alike = own["id"].isin(other["id"][other["without"] == COPIES])
    own["copies"] = alike.map({True: "yes", False: ""})
    sides = {"reproduced": SUPPORTS, "differs": CONTRADICTS}
    own["side"] = [sides.get(verdict, verdict) for verdict in own["verdict"]]
    others = pd.read_csv(FOLDER / "verdicts.csv", dtype=str, keep_default_na=False)
    rows = {(row.id, row.title): row for row in registered()}
    asked = [rows[key] for key in zip(others["id"], others["population"])]
    said = {name: [getattr(row, name) for row in asked] for name in _SAID}
    others = others.assign(**said)
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
    table, texts = known_words(), {}
    for claim in claims:
        if claim not in table.index:
            raise InputError(f"no claim {claim!r} is registered")
        for population, row in table.loc[claim].iterrows():
            name = f"claim-{slug(claim.rpartition('/')[2])}-{slug(population)}"
            texts[f"{name}-is"] = is_word(row)
            texts[f"{name}-at"] = between(row["estimate"], row["low"], row["high"])
    return texts


def is_word(row: Mapping[str, Any], marks: Callable[..., str] | None = None) -> str:
    """Return the verdict of a row as it stands after "is".

    >>> is_word({"word": "hint", "side": "contradicts"})
    'contradicted (hint)'
    """
    return as_text(row["word"], row["side"]) + (marks or with_systems)(row)


def with_systems(row: Mapping[str, Any]) -> str:
    """Return what a word adds that is another one without the runs of some group, or copies.

    >>> with_systems({"systems": "yes", "copies": "yes"})
    ', with these systems, with exact copies'
    """
    marks = {"systems": ", with these systems", "copies": f", with {COPIES}"}
    return "".join(says for mark, says in marks.items() if row.get(mark) == "yes")


def with_marks(row: Mapping[str, Any]) -> str:
    """Return what a row of a table adds to a word: :func:`with_systems`, and a near bound.

    >>> with_marks({"systems": "yes", "near": "yes"})
    ', with these systems, near its bound'
    """
    return with_systems(row) + ", near its bound" * (row.get("near") == "yes")


def corrected_as_one() -> dict[str, int]:
    """Count the findings that corrections of all p values of the registry together would leave."""
    table = known_words().dropna(subset="p")
    found, p = table["word"] == FINDING, table["p"].to_numpy()
    return {
        "tests": len(p),
        "findings": int(found.sum()),
        "holm": int((found & (holm(p) <= ALPHA)).sum()),
        "false": int((found & (false_discovery_control(p) <= ALPHA)).sum()),
    }


DAGGER = "\u2020"  # a claim that was registered when some of what answers it had been seen
SHAPES = {FINDING: "■", HINT: "◧", INCONCLUSIVE: "□"}  # of a mark where there is text alone


class Mark(NamedTuple):
    """What stands after a sentence: the word of its claims, as many as it rests on, and these."""

    word: str
    rows: tuple[tuple[str, str], ...]

    @property
    def says(self) -> str:
        """The visible word: of several findings or hints, in the plural; not blind, a dagger."""
        plural = "s" * (len(self.rows) > 1 and self.word != INCONCLUSIVE)
        return self.word + plural + DAGGER * self.seen

    @property
    def seen(self) -> bool:
        """Whether some of what answers a row had been seen before it was registered."""
        return bool(known_words()["blind"].reindex([*self.rows]).eq(False).any())

    @property
    def told(self) -> str:
        """The rows by name."""
        rows = "; ".join(f"{claim} on {population}" for claim, population in self.rows)
        return f"{rows} ({DAGGER} not blind)" if self.seen else rows

    def __str__(self) -> str:
        return f"{SHAPES[self.word]} {self.says}"


_LAW = {"registered": "the registered collections", "means": "all collections"}


@cache
def _words_of_the_law() -> pd.DataFrame:
    """Return word and side of what was registered of the law, as rows that a mark may name."""
    table = pd.read_csv(DATA / "law" / "verdicts.csv")
    decided = [*product((FINDING, HINT), (SUPPORTS, CONTRADICTS)), (INCONCLUSIVE, INCONCLUSIVE)]
    known = {as_text(*one): one for one in decided}
    law = pd.DataFrame([known[said] for said in table["word"]], columns=["word", "side"])
    law["id"], law["population"] = "law-" + table["claim"], table["runs"].map(_LAW)
    return law.set_index(_KEYS)


def mark_of(text: str) -> Mark:
    """Return the mark of a sentence: ``claim, population`` of each row that it rests on.

    Rows have a semicolon between them, and one word together.  Before them stands, with a colon,
    what the data do to the claim where the sentence does not say what the claim says:
    ``contradicts`` or ``inconclusive``.  An InputError refuses a mark whose rows say otherwise, so
    no sentence outlives its verdict.

    Examples
    --------
    >>> str(mark_of("inconclusive: manual-deep, TREC-8"))
    '□ inconclusive'
    >>> mark_of("law-L3, all collections").told
    'law-L3 on all collections'
    """
    table = pd.concat([known_words(), _words_of_the_law()])
    before, _, listed = text.rpartition(": ")
    parts = (one.partition(", ") for one in listed.split("; "))
    rows = tuple((claim.strip(), where.strip()) for claim, _, where in parts)
    if unknown := [one for one in rows if one not in table.index]:
        raise InputError(f"{text!r}: no row {', '.join(unknown[0])!r} is registered")
    sides, words = ({*table.loc[[*rows], kind]} for kind in ("side", "word"))
    if sides != {before or SUPPORTS} or len(words) > 1:
        found = (f"{', '.join(one)}: {is_word(table.loc[one])}" for one in rows)
        raise InputError(f"a sentence has the mark {text!r}, and its rows say {'; '.join(found)}")
    return Mark(words.pop(), rows)
