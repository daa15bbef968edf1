"""One way to state what a paper says, and to check it.

A claim has a row in ``data/published``: what the paper says, a short name (column ``row``), and
what a verdict rests on, or why there can be none.  Here it is that name, and a function of the
paper's own data, or, where no data enter, the constant itself.  The function returns

- a number, which is compared with the printed one;
- True, or the reason why not: ``lambda data: gain(data) > 0 or "a loss"``;
- a :class:`lib.estimates.Estimate` of a difference, or of several, that is above zero where the
  paper is right, and is decided by its interval over topics;
- an :class:`chapters.ledger.published.Answer`, which can hold more: :func:`answer` takes a cause,
  other data, and other bounds (:func:`lib.decisions.at_least`, :func:`lib.decisions.level`).

Of claims that rest on TREC-8 alone :func:`of_trec8` makes functions of that collection, and
:func:`for_each` one claim on each of several measures or collections.

The claims of one paper on one population are corrected together (Holm): what its interval decides
is a finding where that survives, else a hint (:mod:`lib.decisions`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from chapters.ledger.published import Answer, cell_answers, keys, read_published, with_verdicts
from lib.decisions import INCONCLUSIVE, Bound, above, decide, worded
from lib.estimates import Estimate
from lib.intervals import ENDS, Interval
from lib.statistics.multiplicity import holm

Claim = Callable[[Any], Any] | Answer | float
_ABOVE = above()


def answer(
    difference: Estimate | Interval | float, bound: Bound = _ABOVE, cause: str = "", *, on: str = ""
) -> Answer:
    """Return what a difference answers, or several, all of which are meant: one within a bound.

    Of several, the answer shows the one that decides: the clearest that speaks against the claim,
    else the least clear.  A plain number has no error, and decides by itself.  The bound
    (:mod:`lib.decisions`) is where the claim says that it lies, ``cause`` what is named where it
    does not, ``on`` the population, where it is not the paper's own.
    """
    interval = difference if isinstance(difference, Interval) else _interval(difference)
    yes, no = bound.supported(interval), bound.contradicted(interval)
    clear = np.where(no, -np.inf, np.where(yes, np.inf, interval.estimate))
    i = int(np.argmin(interval.low if yes.all() else clear))
    numbers = {name: float(np.ravel(getattr(interval, name))[i]) for name in ENDS}
    numbers["p"] = bound.p_value(interval)
    holds = decide(interval, bound).holds
    return Answer(holds, cause=cause, unknown=INCONCLUSIVE, population=on, **numbers)


def _interval(difference: Estimate | float) -> Interval:
    return (difference if isinstance(difference, Estimate) else Estimate(difference)).interval()


def of_trec8(claims: Mapping[str, Claim]) -> dict[str, Claim]:
    """Return claims on TREC-8, functions of the collection, as claims on a paper's data."""

    def asked(claim: Callable[..., Any]) -> Claim:
        return lambda data: claim(data.trec8)

    return {name: asked(claim) if callable(claim) else claim for name, claim in claims.items()}


def for_each(name: str, claim: Callable[..., Any], of: Mapping[str, Any]) -> dict[str, Claim]:
    """Return a claim on each of several things, whose words stand in place of {} in its name.

    >>> rise = for_each("{}-rises", lambda data, measure: data[measure] > 0, {"ap": "AP"})
    >>> rise["ap-rises"]({"AP": 0.1})
    True
    """

    def asked(value: Any) -> Claim:
        return lambda data: claim(data, value)

    return {name.format(word): asked(value) for word, value in of.items()}


@dataclass(frozen=True)
class Claims:
    """Everything that a paper says.

    Where it prints a table of numbers, or a list of them, a function of the data returns cells
    (:func:`chapters.ledger.published.cells`), of which a column ``cause`` may name what would make
    one differ.
    """

    data: Callable[..., Any]  # loads the paper's own
    rows: Mapping[str, Claim]  # by their names
    population: str  # whose topics the intervals are of, where an answer does not say another
    cells: Mapping[str, Callable[[Any], pd.DataFrame]] = field(default_factory=dict)  # by place


def checked(name: str, claims: Claims, data: Any = None) -> pd.DataFrame:
    """Judge all numbers and claims of a paper, by default from its own data.

    One row a published row, in its order; see :func:`chapters.ledger.published.with_verdicts`.  Of
    claims with an interval ``adjusted``, the p value after Holm's correction, and ``word``.
    """
    data = claims.data() if data is None else data
    answered: dict[tuple[str, str, str], Answer] = {}
    for place, cells in claims.cells.items():
        answered |= cell_answers(cells(data), place)
    rows = read_published(name)
    claimed = rows[rows["column"].isin(["claim", "value"]) & rows["row"].isin(list(claims.rows))]
    for key in keys(claimed):
        claim = claims.rows[key[1]]
        ours = claim(data) if callable(claim) else claim
        answered[key] = answer(ours) if isinstance(ours, Estimate) else Answer.of(ours)
    unknown = {*answered} - {*keys(rows)} | {*claims.rows} - {*claimed["row"]}
    if unknown:
        raise ValueError(f"{name}: not in data/published: {', '.join(map(str, unknown))}")
    return with_words(with_verdicts(rows, answered), claims.population)


def with_words(table: pd.DataFrame, own: str) -> pd.DataFrame:
    """Add to claims with a p value their population, the adjusted p value and the word."""
    p = table["p"].astype(float)
    population = table["population"].replace("", own).where(p.notna(), "")
    adjusted = p.dropna().groupby(population).transform(holm).reindex(table.index)
    words = [
        "" if np.isnan(one) else worded(holds, one).word
        for holds, one in zip(table["reproduced"], adjusted)
    ]
    return table.assign(population=population, adjusted=adjusted, word=words)
