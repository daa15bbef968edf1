"""One language for claims: what a row asks, read from its table, and what its answer decides.

A claim of a paper is a row of ``data/published``, one on other collections of ``data/claims``.
Its check is one call, ``name(argument, argument)``, of a *quantity*: a public function of the paper
or the study, whose first parameter is the data, and whose annotations say what the arguments are.
An argument is a number, a text, or a list whose parts stand with blanks between them.  A quantity
returns

- a number, or several, or an :class:`lib.estimates.Estimate` of such, which the row's bound decides
  (``asked`` and ``bound``: above .9, at least .02), or which is compared with the printed number;
- True, or in words why not;
- one of these and, beside it, what is named where the claim does not hold.

One with a parameter called ``bound``, ``topics`` or ``systems`` is told what the row says: how many
topics a set has, and which systems are in.  Constants and definitions need no check.

The claims of one paper on one population are corrected together (Holm): what its interval decides
is a finding where that survives, else a hint (:mod:`lib.decisions`).
"""

import csv
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from inspect import Parameter, isfunction, signature
from pkgutil import iter_modules
from typing import Any

import numpy as np
import pandas as pd

from chapters.ledger.published import NOT_PUBLIC, NOT_TESTABLE, Answer, with_verdicts
from lib.decisions import BOUNDS, INCONCLUSIVE, Bound, above, decide, worded
from lib.errors import InputError
from lib.estimates import Estimate
from lib.intervals import ENDS, Interval
from lib.paths import DATA, AnyPath, short_title
from lib.statistics.multiplicity import holm

Quantities = Mapping[str, Callable[..., Any]]
_CALL = re.compile(r"(\w+)\((.*)\)")
_COMMA = re.compile(r",(?![^(]*\))")  # outside the brackets of a measure's options
_READ: dict[Any, Callable[[str], Any]] = {int: int, float: float, list[str]: str.split}
_READ |= {int | None: int, list[str] | None: str.split}
_NAMED = {int: "a whole number", int | None: "a whole number", float: "a number"}
_ABOVE = above()
_TOLD = ("bound", "topics", "systems")
# Which systems a claim is about.
ALL, BY_AP = "all", "best 75% by AP"
SYSTEMS = (ALL, BY_AP, "as registered")
HALF = "half"  # in place of the number of topics a set
_MARGINS = ("at least", "within")
# Populations that are no folder below data: sets of collections, as chapter 5 makes them.
NEW, NEW_TWO = "new", "new-two"  # the collections of chapters.elsewhere.confirmation
# What a set is made of, where each of its claims speaks of the same collections.
MEMBERS = {NEW: ("terabyte06-by-topic", "blog08", "dl20"), NEW_TWO: ("blog08", "dl20")}
SETS = {
    "these": "these collections",
    NEW: "three new collections",
    NEW_TWO: "two new collections",
    "others": "other kinds",
    "shallow": "collections with shallow pools",
    "deep": "collections with deep pools",
    "web": "the Web tracks",
    "feedback": "our four text collections",
    "years": "three years of Deep Learning",
    "newer": "newer runs of 2019 and 2020",
    "feedback-six": "our six text collections",
    "topic-sets": "sets of topics",
}


def quantities_of(*packages: str) -> Quantities:
    """Collect the public functions of packages of chapters by their names.

    A name that two packages have is left out.
    """
    found: dict[str, Callable[..., Any]] = {}
    twice = set()
    for package in packages:
        folder = import_module(f"chapters.{package}")
        for module in iter_modules(folder.__path__, f"{folder.__name__}."):
            for name, of in vars(import_module(module.name)).items():
                if isfunction(of) and of.__module__ == module.name and not name.startswith("_"):
                    twice |= {name} & {*found}
                    found[name] = of
    return {name: of for name, of in found.items() if name not in twice}


@dataclass(frozen=True)
class Row:
    """A claim on one population."""

    id: str
    source: str  # the paper that claims it, or ours
    says: str  # the sentence
    quantity: str  # the call that answers it
    asked: str = ""  # where its number must lie: above or below the bound, at least, within
    number: float = np.nan  # the bound, or the margin
    population: str = ""  # a folder below data, or one of SETS; empty: the paper's printed tables
    topics: int | str | None = None  # in a set, where rankings on sets are compared; or HALF
    systems: str = ""  # one of SYSTEMS, where a quantity is told them
    blind: bool = True  # registered before any of what answers it was seen
    primary: bool = False  # counted among the tests of its population
    anchor: str = ""  # the label of the heading in the book that speaks of it
    place: str = ""  # where it stands: file, line and name

    @property
    def title(self) -> str:
        """What a reader calls the population."""
        if not self.population:
            return ""
        return SETS.get(self.population) or short_title(self.population)

    @property
    def sets(self) -> str:
        """The number of topics in a set, in words, where rankings on sets are compared."""
        topics = "half of the topics" if self.topics == HALF else f"{self.topics} topics"
        return f"{topics} a set" if self.topics else ""

    @property
    def told(self) -> str:
        """The topics a set and the systems, in words, and whether the claim was not blind."""
        parts = [self.sets]
        parts += [f"{self.systems} systems" if self.systems == ALL else self.systems]
        return ", ".join(filter(None, [*parts, "" if self.blind else "not blind"]))

    @property
    def whom(self) -> str:
        """Of what the claim speaks, in words: the collections, and what it is told."""
        members = ", ".join(map(short_title, MEMBERS.get(self.population, ())))
        where = f"{self.title} ({members})" if members else self.title
        return ", ".join(filter(None, [where, self.told]))

    @property
    def bound(self) -> Bound:
        """Where the claim puts its number."""
        return BOUNDS[self.asked](self.number)

    def call(self) -> tuple[str, list[str]]:
        """Part the call into its name and what it takes."""
        match = _CALL.fullmatch(self.quantity)
        if match is None:
            raise InputError(f"no quantity {self.quantity!r}: a name, and brackets")
        return match[1], [part.strip() for part in _COMMA.split(match[2]) if part.strip()]

    def prepared(self, quantities: Quantities) -> tuple[Callable[..., Any], list[Any]]:
        """Return the quantity and its arguments, as what they are; refuse what does not fit."""
        name, given = self.call()
        if name not in quantities:
            raise InputError(f"no quantity {name!r}")
        parameters = signature(quantities[name]).parameters
        takes = [p for p in list(parameters.values())[1:] if p.name not in _TOLD]
        for told in ("topics", "systems"):
            known, of = bool(getattr(self, told)), parameters.get(told)
            if known and of is None or not known and of and of.default is Parameter.empty:
                raise InputError(f"{name} {'takes no' if known else 'needs'} {told}")
            half = of is not None and of.annotation is str
            if known and told == "topics" and half != (self.topics == HALF):
                raise InputError(f"{name} takes no sets of {self.topics} topics")
        last = takes[-1] if takes and takes[-1].kind is Parameter.VAR_POSITIONAL else None
        least = [p for p in takes if p is not last and p.default is Parameter.empty]
        if len(given) < len(least) or (len(given) > len(takes) and last is None):
            raise InputError(f"{name} takes ({', '.join(p.name for p in takes)}), not {given}")
        places = takes + [takes[-1]] * (len(given) - len(takes)) if takes else []
        return quantities[name], [_argument(text, p) for text, p in zip(given, places)]

    def ask(self, quantities: Quantities, subject: Any) -> Any:
        """Return what its quantity says of some data."""
        quantity, given = self.prepared(quantities)
        known = {"bound": self.number, "topics": self.topics, "systems": self.systems}
        takes = signature(quantity).parameters
        told = {name: value for name, value in known.items() if name in takes and value}
        return quantity(subject, *given, **told)


def _argument(text: str, takes: Parameter) -> Any:
    try:
        return _READ.get(takes.annotation, str)(text)
    except ValueError:
        raise InputError(f"{takes.name} is {_NAMED[takes.annotation]}, not {text!r}") from None


def read_rows(path: AnyPath) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the entries of a table of claims, each with its place in the file for a message."""
    with open(path, encoding="utf-8", newline="") as file:
        for number, entry in enumerate(csv.DictReader(file), start=2):
            yield f"{path}, line {number}, {entry.get('id') or entry.get('row')}", entry


def bounded(entry: Mapping[str, str]) -> tuple[str, float]:
    """Return what an entry asks, and its bound; refuse what makes no sense."""
    if entry["asked"] not in BOUNDS:
        raise InputError(f"no bound {entry['asked']!r}; there are {', '.join(BOUNDS)}")
    try:
        number = float(entry["bound"])
    except ValueError:
        raise InputError(f"the bound {entry['bound']!r} is no number") from None
    if not np.isfinite(number) or (number < 0 and entry["asked"] in _MARGINS):
        raise InputError(f"no margin can be {number:g}")
    return entry["asked"], number


def of_whom(entry: Mapping[str, str]) -> tuple[int | str | None, str]:
    """Return the topics a set and the systems of an entry; refuse what makes no sense."""
    topics, systems = entry["topics"], entry["systems"]
    if topics not in ("", HALF) and not (topics.isdecimal() and int(topics) > 1):
        raise InputError(f"no size of a set of topics {topics!r}")
    if systems and systems not in SYSTEMS:
        raise InputError(f"no systems {systems!r}; there are {', '.join(SYSTEMS)}")
    return (topics if topics == HALF else int(topics) if topics else None), systems


def known_population(name: str) -> str:
    """Return the name of a population; refuse one that there is not."""
    if name not in SETS and not (DATA / name / "datapackage.json").is_file():
        raise InputError(f"no population {name!r}: a folder below data, or {', '.join(SETS)}")
    return name


def checks(path: AnyPath, quantities: Quantities) -> dict[tuple[str, str, str], Row]:
    """Read the checks of a paper by place, row and column; an InputError names a wrong row."""
    rows = {}
    for place, entry in read_rows(path):
        try:
            row = _check(entry, quantities)
        except InputError as error:
            raise InputError(f"{place}: {error}") from None
        if row is not None:
            rows[entry["place"], entry["row"], entry["column"]] = row
    return rows


def _check(entry: dict[str, str], quantities: Quantities) -> Row | None:
    """Return the check of a published row, if it has one; refuse one that cannot be asked."""
    if not entry["check"]:
        if any(entry[name] for name in ("asked", "bound", "population", *_TOLD[1:])):
            raise InputError("a bound, a population, topics or systems, and no check")
        return None
    topics, systems = of_whom(entry)
    row = Row(
        id=entry["row"],
        source=entry["paper"],
        says=entry["statement"],
        quantity=entry["check"],
        population=entry["population"] and known_population(entry["population"]),
        topics=topics,
        systems=systems,
    )
    quantity, _ = row.prepared(quantities)
    yes_or_no = signature(quantity).return_annotation in (bool, bool | str)
    open_ = (
        yes_or_no or entry["column"] == "value" or entry["evidence"] in (NOT_TESTABLE, NOT_PUBLIC)
    )
    if open_ != (not entry["asked"] and not entry["bound"]):
        raise InputError(f"{entry['check']} needs {'no' if open_ else 'a'} bound")
    if not open_:
        asked, number = bounded(entry)
        row = replace(row, asked=asked, number=number)
    return row


def answer(
    difference: Estimate | Interval | float, bound: Bound = _ABOVE, cause: str = ""
) -> Answer:
    """Return what a difference answers, or several, all of which are meant: one within a bound.

    Of several, the answer shows the one that decides: the clearest that speaks against the claim,
    else the least clear.  A plain number has no error, and decides by itself.  The bound
    (:mod:`lib.decisions`) is where the claim says that it lies, ``cause`` what is named where it
    does not.
    """
    interval = difference if isinstance(difference, Interval) else _interval(difference)
    yes, no = bound.supported(interval), bound.contradicted(interval)
    clear = np.where(no, -np.inf, np.where(yes, np.inf, interval.estimate))
    i = int(np.argmin(interval.low if yes.all() else clear))
    ends = (np.ravel(getattr(interval, name))[i] for name in ENDS)
    middle, low, high = map(float, ends)
    return Answer(
        decide(interval, bound).holds,
        cause=cause,
        unknown=INCONCLUSIVE,
        estimate=middle,
        low=low,
        high=high,
        p=bound.p_value(interval),
        near="yes" if bound.near(low, high) else "",
    )


def _interval(difference: Estimate | float) -> Interval:
    return (difference if isinstance(difference, Estimate) else Estimate(difference)).interval()


def answered(row: Row, found: Any) -> Answer:
    """Return what a paper's claim is answered by what its quantity says.

    An estimate is shown by how far it lies on the claim's side of the bound; where the claim allows
    a margin, as it is.
    """
    value, cause = found if isinstance(found, tuple) else (found, "")
    sure = not isinstance(value, Estimate | Interval)
    if not row.asked:
        value = value if sure else value.value
        value = value.item() if isinstance(value, np.ndarray) else value
        return (
            Answer.of(value) if isinstance(value, str) else replace(Answer.of(value), cause=cause)
        )
    if sure:
        holds = row.bound.supported(Interval.of(np.asarray(value, float), 0.0, np.inf)).all()
        return Answer(bool(holds), cause=cause)
    bound = row.bound
    if row.asked in ("above", "below"):
        value = value - row.number if row.asked == "above" else row.number - value
        bound = above()
    return replace(answer(value, bound, cause), population=row.title)


def checked(
    rows: pd.DataFrame,
    asked: Mapping[tuple[str, str, str], Row],
    quantities: Quantities,
    data: Any,
    cells: Mapping[tuple[str, str, str], Answer],
) -> pd.DataFrame:
    """Judge the numbers and claims of a paper: answers to its cells, and to what its rows ask.

    A check is asked of the data that its population names, else of all.  See
    :func:`chapters.ledger.published.with_verdicts`; of claims with an interval there are
    ``adjusted``, the p value after Holm's correction, and ``word``.
    """
    said = {
        key: answered(row, row.ask(quantities, getattr(data, row.population, data)))
        for key, row in asked.items()
    }
    return _with_words(with_verdicts(rows, {**cells, **said}))


def _with_words(table: pd.DataFrame) -> pd.DataFrame:
    """Add to claims with a p value the adjusted p value, by their populations, and the word."""
    p = table["p"].astype(float)
    population = table["population"].where(p.notna(), "")
    adjusted = p.dropna().groupby(population).transform(holm).reindex(table.index)
    words = [
        "" if np.isnan(one) else worded(holds, one).word
        for holds, one in zip(table["reproduced"], adjusted)
    ]
    return table.assign(population=population, adjusted=adjusted, word=words)
