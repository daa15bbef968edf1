"""What a paper offers: its tables, its drawings, its claims, and the collection that is its own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any

import pandas as pd

from chapters.ledger.claims import Quantities, Row, checked, checks, quantities_of
from chapters.ledger.published import (
    DIFFERS,
    PUBLISHED,
    REPRODUCED,
    Answer,
    beside_printed,
    cell_answers,
    cells,
    keys,
    read_published,
    statements,
)
from chapters.ledger.registry import is_word
from chapters.ledger.rows import COLUMNS, committed, in_digits
from lib.collection import Collection, Pairs, load
from lib.decisions import CONTRADICTS, INCONCLUSIVE, SUPPORTS
from lib.display import tables as display
from lib.display.figures import Figure
from lib.display.tables import Folded
from lib.errors import InputError, reason
from lib.intervals import minus_signs


@dataclass(frozen=True)
class OpenChoice:
    """What a paper leaves open.

    The first value is what the book takes, on the leading analysis path.  A choice that is not
    crossed with the others takes each other value once, with these as on the leading path.
    """

    name: str
    argument: str  # of the functions that compute the numbers
    values: Mapping[str, Any]  # by their labels
    crossed: bool = True


# What more than one paper leaves open.
TAU = OpenChoice("Kendall's tau", "variant", {"tau-b": "b", "tau-a": "a"})
SCORES = OpenChoice("document scores", "scores", {"double": "double", "single": "single"})
DISCOUNT = OpenChoice(
    "DCG, discount", "discount", {"log2(max(2, i))": "2002", "log2(i + 1)": "trec_eval"}
)


def paths(choices: Sequence[OpenChoice]) -> pd.DataFrame:
    """Return the analysis paths through some choices, a row each, by labels; the first leads.

    Examples
    --------
    >>> means = OpenChoice("means", "decimals", {"10 decimals": 10, "exact": None}, crossed=False)
    >>> paths([TAU, means])
      Kendall's tau        means
    0         tau-b  10 decimals
    1         tau-a  10 decimals
    2         tau-b        exact
    """
    leading = {choice.name: next(iter(choice.values)) for choice in choices}
    crossed = [choice for choice in choices if choice.crossed]
    rows = [
        leading | {choice.name: label for choice, label in zip(crossed, labels)}
        for labels in product(*(choice.values for choice in crossed))
    ]
    for choice in choices:
        if not choice.crossed:
            rows += [leading | {choice.name: label} for label in list(choice.values)[1:]]
    return pd.DataFrame(rows, columns=list(leading))


def options(choices: Sequence[OpenChoice], path: Mapping[str, str]) -> dict[str, Any]:
    """Return what a path means, as keywords.

    Examples
    --------
    >>> options([TAU], {"Kendall's tau": "tau-a"})
    {'variant': 'a'}
    """
    return {choice.argument: choice.values[path[choice.name]] for choice in choices}


@dataclass(frozen=True)
class PaperTable:
    """A table of a paper: from any collection to :func:`chapters.ledger.published.cells`."""

    compute: Callable
    caption: str
    own: tuple[str, ...] = ()  # collections that it was printed for, and whose runs are public
    scored: Callable[[], pd.DataFrame] | None = None  # cells of public scores without runs
    pairs: bool = False  # whether it asks which runs are one system without and with feedback

    def __call__(
        self, collection: Collection | None = None, pairs: Pairs | None = None
    ) -> pd.DataFrame:
        """Compute the cells, by default those of its own data that are public, if any are.

        An InputError says that pairs are needed, or that it is not defined on the collection.
        """
        if collection is None:
            parts = [self.compute(load(name)) for name in self.own]
            if self.scored is not None:
                parts.append(self.scored())
            return pd.concat(parts, ignore_index=True) if parts else cells([])
        if self.pairs and pairs is None:
            raise InputError(
                "no pairs given: a file must say which run is which system's with feedback, and "
                "which without (--pairs FILE)"
            )
        try:
            return self.compute(collection, **({"pairs": pairs} if self.pairs else {}))
        except ValueError as error:
            raise InputError(reason(error)) from error


@dataclass(frozen=True, eq=False)
class Paper:
    """A paper that the book re-runs.

    Where it prints a table of numbers, or a list of them, a function of the data returns cells
    (:func:`chapters.ledger.published.cells`), of which a column ``cause`` may name what would make
    one differ.

    Headings are by place the ends of the labels of those that compute it.  Unless named there a
    table or figure stands under itself, such as ``webber2008-table-1``, and what is said elsewhere
    under ``webber2008-claims``.
    """

    name: str
    title: str
    tables: Mapping[str, PaperTable]
    data: Callable[..., Any]  # loads what its claims rest on
    cells: Mapping[str, Callable[[Any], pd.DataFrame]] = field(default_factory=dict)  # by place
    drawings: Mapping[str, Callable[[Collection], Figure]] = field(default_factory=dict)
    headings: Mapping[str, str] = field(default_factory=dict)

    def anchor(self, place: str) -> str:
        """Return the label of the heading in the book that computes a place.

        >>> from chapters.ledger.papers import paper
        >>> paper("webber2008").anchor("Table 1"), paper("webber2008").anchor("Abstract")
        ('webber2008-table-1', 'webber2008-claims')
        """
        own = place.lower().replace(" ", "-")
        usual = own if place.startswith(("Table", "Figure")) else "claims"
        return f"{self.name}-{self.headings.get(place, usual)}"

    def compared(self, number: str) -> pd.DataFrame:
        """Compute a table from its own data, beside the printed one (`beside_printed`)."""
        ours = self.tables[number]()
        return beside_printed(self.name, f"Table {number}", ours, missing=True)

    @cached_property
    def quantities(self) -> Quantities:
        """The functions that its rows may ask."""
        return quantities_of(self.name)

    @cached_property
    def checks(self) -> dict[tuple[str, str, str], Row]:
        """What its rows ask, by place, row and column."""
        return checks(PUBLISHED / f"{self.name}.csv", self.quantities)

    def yardstick(self, row: str) -> float:
        """Return what a claim is measured by: its bound, or where that is 0 the number it takes.

        >>> from chapters.ledger.papers import paper
        >>> paper("webber2010").yardstick("extended-reliable")
        0.9
        >>> paper("thom2007").yardstick("between-families-lower-than-other-pairs")
        0.1
        """
        (asked,) = {one for one in self.checks.values() if one.id == row}
        _, given = asked.prepared(self.quantities)
        numbers = [asked.number, *(one for one in given if isinstance(one, float))]
        return next(number for number in numbers if abs(number) > 0)

    @cached_property
    def checked(self) -> pd.DataFrame:
        """All of its numbers and claims, judged; see :meth:`check`."""
        return self.check(self.data())

    def check(self, data: Any) -> pd.DataFrame:
        """Judge its numbers and claims from some data; see :func:`chapters.ledger.claims.checked`.

        One row a published row, in its order.
        """
        rows, asked = read_published(self.name), self.checks
        answered: dict[tuple[str, str, str], Answer] = {}
        for place, compute in self.cells.items():
            answered |= cell_answers(compute(data), place)
        unknown = {*answered} - {*keys(rows)}
        if unknown:
            raise ValueError(f"{self.name}: not in data/published: {', '.join(map(str, unknown))}")
        return checked(rows, asked, self.quantities, data, answered)

    def ledger(self) -> pd.DataFrame:
        """Compute the rows of the ledger; see :func:`chapters.ledger.rows.committed`."""
        anchors = self.checked["place"].map(self.anchor)
        return in_digits(self.checked).assign(paper=self.name, anchor=anchors)[COLUMNS]

    def claimed(self, *places: str, of: str) -> Folded:
        """Show what the paper says at some places: first what does not hold or is inconclusive.

        Places are named as in ``data/published``, such as "Figure 3", and for readers by *of*, as
        in "claims about Figure 3".  A row is a claim, as the committed ledger has it.  What holds,
        and what cannot be checked, is folded beneath.
        """
        rows = committed(self.name)
        rows = rows[(rows["column"] == "claim") & rows["place"].isin(places)]
        decided = (DIFFERS, INCONCLUSIVE, REPRODUCED)
        no, open_, yes = (rows[rows["verdict"] == verdict] for verdict in decided)
        left = rows[~rows["verdict"].isin(decided)]
        against = pd.concat([no, open_])
        counted = how_many_hold(of, len(yes), len(no), len(open_), len(left))
        folded = [
            (f"{len(part)} {word}", _shown(part, caption=""))
            for word, part in (("supported", yes), ("untestable", left))
            if len(part)
        ]
        in_view = _shown(against, caption=counted) if len(against) else counted
        return Folded(in_view, folded)


def how_many_hold(of: str, yes: int, no: int, undecided: int, untestable: int) -> str:
    """Say how many claims hold, how many do not, and what is true of the others.

    Examples
    --------
    >>> how_many_hold("about Figure 3", 4, 1, 9, 2)
    '4 of 16 claims about Figure 3 hold, and 1 does not. The others stay open or cannot be tested.'
    >>> how_many_hold("about Figure 3", 0, 0, 11, 0)
    'All 11 claims about Figure 3 stay open.'
    >>> how_many_hold("about Figure 3", 6, 0, 1, 0)
    '6 of 7 claims about Figure 3 hold. The other stays open.'
    """
    ends = {"hold": yes, "do not hold": no, "stay open": undecided, "cannot be tested": untestable}
    counts = {end: count for end, count in ends.items() if count}
    total = sum(counts.values())
    if len(counts) == 1:
        return f"All {total} claims {of} {next(iter(counts))}."
    says = f"{yes} of {total} claims {of} {'holds' if yes == 1 else 'hold'}"
    if no:
        says += f", and {no} {'does' if no == 1 else 'do'} not"
    if undecided + untestable == 1:
        return f"{says}. The other {'stays open' if undecided else 'cannot be tested'}."
    others = " or ".join(end for end in ("stay open", "cannot be tested") if ends[end])
    return f"{says}. The others {others}." if others else f"{says}."


def _holds(row: Any) -> str:
    """Say what is known of a claim: its word, or yes and no where there is no interval."""
    plain = {REPRODUCED: "yes", DIFFERS: "no"}.get(row.verdict, row.verdict)
    side = {REPRODUCED: SUPPORTS, DIFFERS: CONTRADICTS}.get(row.verdict, INCONCLUSIVE)
    return is_word({"word": row.word, "side": side}) if row.word else plain


def _shown(rows: pd.DataFrame, caption: str) -> display.Table:
    """Return claims as a table, without the columns that say nothing of any of them."""
    ends = rows[["estimate", "low", "high"]].replace("", "nan").astype(float)
    of = statements(rows["paper"].iloc[0])
    table = pd.DataFrame(
        {
            "claim": [of[row.place, row.row, row.column] for row in rows.itertuples()],
            "holds": [_holds(row) for row in rows.itertuples()],
            "over topics": [Answer(**row).over_topics for row in ends.to_dict("records")],
            "why": rows["cause"].to_numpy(),
        }
    )
    empty = [name for name in ("over topics", "why") if (table[name] == "").all()]
    return display.table(table.drop(columns=empty).map(minus_signs), caption=caption)
