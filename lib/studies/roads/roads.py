"""A road: one way through all the choices that a paper leaves open.

A choice has several values, the first of which is the book's own.  The *cross* of some choices has
a road for every combination of their values; its first road is the book's.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from lib.statistics.jackknife import Interval

__all__ = ["SEED", "Choice", "Place", "cross", "departures", "options", "sample"]

SEED = 2013
SAMPLE = 500  # roads, at least, where not all can be drawn


@dataclass(frozen=True)
class Choice:
    """What a paper leaves open.

    Attributes
    ----------
    name : str
        As tables and figures write it; a column of the cross.
    argument : str
        Of the function that computes what is asked.
    values : dict of str to object
        Label to the value of the argument; the first is the book's, which is taken for the paper's.
    """

    name: str
    argument: str
    values: Mapping[str, Any]

    @property
    def ours(self) -> str:
        """The label of the book's value."""
        return next(iter(self.values))


@dataclass(frozen=True)
class Place:
    """A place of a paper that prints numbers, and the choices that play a part in it.

    Attributes
    ----------
    paper, name : str
        As in ``data/published``: "webber2008", "Table 1".
    choices : sequence of Choice
    cells : callable
        From the values of all choices, as keywords, to cells (:func:`lib.published.cells`).
    quantity : str
        What is estimated on every road besides, in words; empty where nothing is.
    estimate : callable
        From the same keywords to that quantity with its interval over topics, None without one.
    """

    paper: str
    name: str
    choices: Sequence[Choice]
    cells: Callable[..., pd.DataFrame]
    quantity: str = ""
    estimate: Callable[..., Interval] | None = None

    @property
    def file(self) -> str:
        """Its file below ``data/roads``."""
        return f"{self.paper}-{self.name.lower().replace(' ', '-')}.parquet"


def cross(choices: Sequence[Choice]) -> pd.DataFrame:
    """Return every combination of the values of some choices.

    Parameters
    ----------
    choices : sequence of Choice

    Returns
    -------
    DataFrame
        One row a road, the book's first; a column a choice, with labels.

    Examples
    --------
    >>> tau = Choice("tau", "variant", {"tau-b": "b", "tau-a": "a"})
    >>> means = Choice("means", "decimals", {"10 decimals": 10, "not rounded": None})
    >>> cross([tau, means])
         tau        means
    0  tau-b  10 decimals
    1  tau-b  not rounded
    2  tau-a  10 decimals
    3  tau-a  not rounded
    """
    labels = product(*(choice.values for choice in choices))
    return pd.DataFrame(labels, columns=[choice.name for choice in choices])


def options(choices: Sequence[Choice], road: Mapping[str, str]) -> dict[str, Any]:
    """Return what a road means as keywords.

    Parameters
    ----------
    choices : sequence of Choice
    road : mapping of str to str
        Name of each choice to the label of a value, such as a row of :func:`cross`.

    Examples
    --------
    >>> tau = Choice("tau", "variant", {"tau-b": "b", "tau-a": "a"})
    >>> options([tau], {"tau": "tau-a"})
    {'variant': 'a'}
    """
    return {choice.argument: choice.values[road[choice.name]] for choice in choices}


def departures(roads: pd.DataFrame) -> pd.Series:
    """Count the choices that each road makes otherwise than the first.

    Parameters
    ----------
    roads : DataFrame
        Of :func:`cross`: the columns of the choices alone.

    Examples
    --------
    >>> tau = Choice("tau", "variant", {"tau-b": "b", "tau-a": "a"})
    >>> departures(cross([tau])).tolist()
    [0, 1]
    """
    return (roads != roads.iloc[0]).sum(axis=1)


def sample(roads: pd.DataFrame, number: int = SAMPLE, *, seed: int = SEED) -> pd.Index:
    """Draw some roads at random; the first and all that depart from it once are among them.

    Parameters
    ----------
    roads : DataFrame
        Of :func:`cross`: the columns of the choices alone.
    number : int
        All roads where there are fewer, and more where there are more single departures.
    seed : int

    Returns
    -------
    Index
        Labels of the rows, in their order.

    Examples
    --------
    >>> tau = Choice("tau", "variant", {"tau-b": "b", "tau-a": "a"})
    >>> means = Choice("means", "decimals", {"10 decimals": 10, "not rounded": None})
    >>> sample(cross([tau, means]), 3).tolist()
    [0, 1, 2]
    """
    near = (departures(roads) <= 1).to_numpy()
    far = np.flatnonzero(~near)
    drawn = np.random.default_rng(seed).permutation(far)[: max(0, number - near.sum())]
    return roads.index[np.union1d(np.flatnonzero(near), drawn)]
