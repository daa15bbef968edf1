"""A quantity of a collection and its error: on all topics, without each, without each group.

The quantity of a claim is a function of a collection that returns an :class:`Estimate`
(:func:`quantity`).  Estimates add and subtract, functions of numbers become functions of estimates
(:func:`of_estimates`), and each gives an interval over topics, or over topics and groups of
systems.  The values without each topic are computed, or read where the book has stored them
(:func:`stored`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any

import numpy as np
import pandas as pd

from lib.collection import Collection, cached, without
from lib.conventions import ALPHA, DECIMALS
from lib.errors import InputError
from lib.intervals import Interval
from lib.measures import Scores
from lib.paths import DATA
from lib.statistics.correlation import tau_matrix
from lib.statistics.jackknife import jackknife
from lib.statistics.predictivity import stack
from lib.statistics.significance import discriminative_power, powers_without_each_topic
from lib.tasks import progress

REPLICATES = DATA / "replicates"


@dataclass(frozen=True, eq=False, repr=False)
class Estimate:
    """A number, an array or a table: its value, and how it moves.

    Attributes
    ----------
    value : object
        On all topics.
    topics : tuple
        The same without each topic; empty where topics are not known, as of printed numbers.
    groups : tuple
        The same without each group of systems; empty where groups are not known.
    names : tuple
        Of the topics, in their order; empty where they are not known.

    Raises
    ------
    InputError
        Two estimates of different topics: what they share is not known.  Each has its interval, and
        :func:`lib.statistics.random_effects.random_effects` takes several.

    Examples
    --------
    >>> one, other = Estimate(0.5, (0.4, 0.6)), Estimate(0.2, (0.2, 0.2))
    >>> print((one - other).interval())
    +0.300 [−0.971, +1.571]
    """

    value: Any
    topics: tuple = ()
    groups: tuple = ()
    names: tuple = ()

    def map(self, change: Callable[..., Any], *others: Any) -> "Estimate":
        """Return what a function makes of it and of others.

        Parameters
        ----------
        change : callable
            From the value, and those of the others, to a new value.
        *others : Estimate or object
            Further arguments; what is no estimate stays as it is.

        Returns
        -------
        Estimate
            With the function's value on all topics, and without each.

        Raises
        ------
        InputError
            Estimates of different topics.

        Examples
        --------
        >>> Estimate(2.0, (1.0, 3.0)).map(lambda value, times: times * value, 10).topics
        (10.0, 30.0)
        """
        return of_estimates(change)(self, *others)

    def __getitem__(self, key: Any) -> "Estimate":
        try:
            return self.map(lambda value: value[key])
        except (KeyError, TypeError):  # an IndexError ends a loop
            names = [*getattr(self.value, "keys", list)()]
            there = f"; there are {', '.join(map(str, names))}" if names else ""
            raise InputError(f"the estimate has no {key!r}{there}") from None

    def __add__(self, other: Any) -> "Estimate":
        return self.map(lambda one, two: one + two, other)

    def __sub__(self, other: Any) -> "Estimate":
        return self.map(lambda one, two: one - two, other)

    def __rsub__(self, other: Any) -> "Estimate":
        return self.map(lambda one, two: two - one, other)

    def __neg__(self) -> "Estimate":
        return self.map(lambda one: -one)

    def mean(self) -> "Estimate":
        """Return the mean of several numbers; of a table, of each column.

        Returns
        -------
        Estimate
            A number, or of a table a Series.

        Examples
        --------
        >>> one = np.array([1.0, 2.0])
        >>> Estimate(one, (one + 1, one - 1)).mean().value.item()
        1.5
        """
        return self.map(lambda value: value.mean())

    def interval(self, *, groups: bool = False) -> Interval:
        """Return the 95% interval over topics by the jackknife; of a table, of each of its cells.

        An estimate whose topics are not known is its own interval.

        Parameters
        ----------
        groups : bool
            Over topics and groups of systems: the two errors add up as independent ones do, with
            Satterthwaite's degrees of freedom.

        Returns
        -------
        Interval
            In the unit of the value.

        Raises
        ------
        InputError
            Only one topic or, where groups are asked for, fewer than two groups.

        Examples
        --------
        >>> Estimate(0.5, (0.4, 0.5, 0.6)).interval()
        +0.500 [+0.003, +0.997]
        >>> Estimate(0.5).interval()
        +0.500 [+0.500, +0.500]
        """
        middle, one = _numbers(self.value), [_numbers(part) for part in self.topics]
        over_topics = jackknife(middle, one or [middle, middle])
        if not groups:
            return over_topics
        over_groups = jackknife(middle, [_numbers(part) for part in self.groups])
        squares = over_topics.error**2, over_groups.error**2
        total = squares[0] + squares[1]
        of_each = squares[0] ** 2 / over_topics.freedom + squares[1] ** 2 / over_groups.freedom
        with np.errstate(invalid="ignore"):
            freedom = np.where(total > 0, total**2 / of_each, over_topics.freedom)
        return Interval.of(middle, np.sqrt(total), freedom)

    def to_frame(self) -> pd.DataFrame:
        """Return the value with its error and interval over topics: a row a number.

        Returns
        -------
        DataFrame
            Columns estimate, error, low, high, freedom; a table's rows are its cells.

        Examples
        --------
        >>> Estimate(0.5, (0.4, 0.5, 0.6)).to_frame().round(2)
           estimate  error  low  high  freedom
        0       0.5   0.12  0.0   1.0      2.0
        """
        value = self.value.stack() if isinstance(self.value, pd.DataFrame) else self.value
        table = self.interval().to_frame()
        return table.set_index(value.index) if isinstance(value, pd.Series) else table

    def _repr_html_(self) -> str:
        return str(self.to_frame()._repr_html_())  # type: ignore[operator]

    def __repr__(self) -> str:
        return repr(self.interval())


def _numbers(value: Any) -> np.ndarray:
    return np.asarray(value, float).ravel() if np.ndim(value) else np.asarray(value, float)


def of_estimates(compute: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function of values one of estimates too: it is asked again without each topic.

    With no estimate among its positional arguments it does what it did.

    >>> double = of_estimates(lambda value, times=2: times * value)
    >>> double(3), double(Estimate(3, (1, 2))).topics
    (6, (2, 4))
    """

    @wraps(compute)
    def asked(*given: Any, **how: Any) -> Any:
        estimates = [one for one in given if isinstance(one, Estimate)]
        if not estimates:
            return compute(*given, **how)
        values = [one.value if isinstance(one, Estimate) else one for one in given]
        names = {one.names for one in estimates if one.names}
        numbers = {len(one.topics) for one in estimates if one.topics}
        if len(names) > 1 or len(numbers) > 1:
            which = [f"{of[0]} to {of[-1]}" for of in names] or [str(number) for number in numbers]
            raise InputError(
                f"estimates of different topics ({' and '.join(sorted(which))}) have no common "
                "interval; each has its own, and lib.random_effects takes several"
            )

        def parts_of(name: str) -> tuple:
            """Compute without each part; an estimate that does not know its parts stays."""
            number = max(len(getattr(one, name)) for one in estimates)
            parts = [
                isinstance(one, Estimate) and getattr(one, name) or (value,) * number
                for one, value in zip(given, values)
            ]
            return tuple(compute(*each, **how) for each in zip(*parts))

        whole = compute(*values, **how)
        return Estimate(whole, parts_of("topics"), parts_of("groups"), *names)

    return asked


@of_estimates
def joined(*parts: Any) -> np.ndarray:
    """Return numbers, arrays and tables as one array, so that one claim can mean all of them.

    >>> joined(Estimate(1.0, (2.0, 3.0)), 0.5).topics[1].tolist()
    [3.0, 0.5]
    """
    return np.concatenate([np.ravel(part) for part in parts])


def without_each_topic(data: Any, compute: Callable[[Any], Any]) -> Estimate:
    """Compute something of a collection, or of scores, with all topics and without each.

    Parameters
    ----------
    data : Collection, DataFrame (topics x systems), or dict of label to such a table
        All topics; two or more, for an interval.
    compute : callable
        From such data to a number, an array or a table.

    Returns
    -------
    Estimate
        What ``compute`` returned of all topics, and without each; it has the topics' names.

    Raises
    ------
    InputError
        Other data.

    Examples
    --------
    >>> scores = pd.DataFrame({"A": [0.2, 0.4, 0.9]})
    >>> without_each_topic(scores, lambda some: some["A"].mean())
    +0.500 [−0.396, +1.396]
    """
    whole = data
    if isinstance(data, Collection):
        whole = cached(data)  # what its parts need, they share
        topics = data.topics.index
        parts: Any = (without(data, topic) for topic in topics)
    elif isinstance(data, pd.DataFrame):
        topics = data.index
        parts = (data.drop(index=topic) for topic in topics)
    elif isinstance(data, Mapping) and data:
        topics = next(iter(data.values())).index
        parts = ({k: table.drop(index=t) for k, table in data.items()} for t in topics)
    else:
        raise InputError(f"{type(data).__name__} is no collection and no scores of topics")
    value, told = compute(whole), progress(parts, "topic", len(topics))
    return Estimate(value, tuple(map(compute, told)), names=tuple(topics))


def over_topics(compute: Callable[..., Any]) -> Callable[..., Estimate]:
    """Make a function of a collection one that is asked again without each topic.

    For what is computed quickly; what takes long is better :func:`stored`.
    """

    @wraps(compute)
    def asked(collection: Collection, *args: Any, **how: Any) -> Estimate:
        return without_each_topic(collection, lambda some: compute(some, *args, **how))

    return asked


def quantity(compute: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function of a collection one that the collection keeps the answers of.

    Further arguments must be hashable.
    """

    @wraps(compute)
    def asked(collection: Collection, *args: Any, **how: Any) -> Any:
        key = ("quantity", compute.__module__, compute.__qualname__, args, *sorted(how.items()))
        return collection.memoize(key, lambda of: compute(of, *args, **how))

    return asked


def stored(
    collection: Collection, what: str, whole: Any, compute: Callable[[Collection], Any]
) -> Estimate:
    """Return a value with its likes without each topic, stored ones where the book has them.

    ``what`` is the name under which ``data/replicates/make.py`` stores them, which says everything
    that the numbers depend on; ``whole`` is the value on all topics, and ``compute`` makes of the
    collection the values without each topic, as numbers.
    """
    parts = replicated(collection, what, compute)
    names = tuple(collection.topics.index)
    return Estimate(whole, tuple(_like(whole, part) for part in parts), names=names)


def replicated(
    collection: Collection, what: str, compute: Callable[[Collection], Any]
) -> np.ndarray:
    """Return what is computed of a collection again without each topic: (topics, ...), as numbers.

    Of the book's own collections ``data/replicates/make.py`` has computed it once for all, under
    the name ``what``.
    """

    def compute_or_read(collection: Collection) -> np.ndarray:
        known = collection.memoize("replicates", _read_replicates)
        shape = (len(collection.topics), -1)
        if what in known:
            return known[what].reshape(shape)
        return np.array([np.ravel(part) for part in compute(collection)], float).reshape(shape)

    return collection.memoize(("replicates", what), compute_or_read)


def discriminative_powers(
    collection: Collection,
    what: str,
    scores: "Mapping[Any, Scores | np.ndarray]",
    *,
    identical: str = "left out",
) -> Estimate:
    """Return the discriminative power by each of some scores of a collection, by the t test.

    ``what`` is the name under which it is :func:`stored`; for ``identical`` pairs of systems see
    :func:`lib.statistics.significance.discriminative_power`.
    """
    how: dict[str, Any] = {"alpha": ALPHA, "identical": identical}
    return stored(
        collection,
        what,
        pd.Series([discriminative_power(of, **how) for of in scores.values()], pd.Index(scores)),
        lambda _: np.transpose([powers_without_each_topic(of, **how) for of in scores.values()]),
    )


def ranking_taus(scores: Mapping[str, Scores]) -> Estimate:
    """Return tau-b of all measures' rankings of systems, measures x measures.

    >>> table = pd.DataFrame({"A": [.9, .8], "B": [.5, .9]})
    >>> [tau.loc["P", "R"].item() for tau in ranking_taus({"P": table, "R": 1 - table}).topics]
    [-1.0, -1.0]
    """
    values = stack(scores)
    topics = values.shape[1] if values.shape[1] > 1 else 0
    parts = (np.delete(values, topic, axis=1) for topic in ([], *range(topics)))
    means = (part.mean(axis=1).round(DECIMALS).T for part in parts)
    whole, *without = (tau_matrix(pd.DataFrame(x, columns=[*scores]), variant="b") for x in means)
    return Estimate(whole, tuple(without))


def _read_replicates(collection: Collection) -> dict[str, np.ndarray]:
    for file in sorted(REPLICATES.glob("*.parquet")):
        if collection.is_package(file.stem):
            table = pd.read_parquet(file)
            return {what: part.to_numpy() for what, part in table.groupby("what")["value"]}
    return {}


def _like(whole: Any, values: np.ndarray) -> Any:
    """Return numbers as a table with the labels of another, or as a number."""
    if isinstance(whole, pd.DataFrame):
        return pd.DataFrame(values.reshape(whole.shape), whole.index, whole.columns)
    return pd.Series(values, whole.index) if isinstance(whole, pd.Series) else values.item()
