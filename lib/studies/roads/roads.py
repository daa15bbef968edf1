"""A road: one way through all the choices that a paper leaves open."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from lib.statistics.jackknife import Interval

SEED = 2013
SAMPLE = 500  # roads, at least, where not all can be drawn


@dataclass(frozen=True)
class Choice:
    """What a paper leaves open."""

    name: str
    argument: str
    values: Mapping[str, Any]

    @property
    def ours(self) -> str:
        """The label of the book's value."""
        return next(iter(self.values))


@dataclass(frozen=True)
class Place:
    """A place of a paper that prints numbers, and the choices that play a part in it."""

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

    Examples
    --------
    >>> tau = Choice("tau", "variant", {"tau-b": "b", "tau-a": "a"})
    >>> options([tau], {"tau": "tau-a"})
    {'variant': 'a'}
    """
    return {choice.argument: choice.values[road[choice.name]] for choice in choices}


def departures(roads: pd.DataFrame) -> pd.Series:
    """Count the choices that each road makes otherwise than the first.

    Examples
    --------
    >>> tau = Choice("tau", "variant", {"tau-b": "b", "tau-a": "a"})
    >>> departures(cross([tau])).tolist()
    [0, 1]
    """
    return (roads != roads.iloc[0]).sum(axis=1)


def sample(roads: pd.DataFrame, number: int = SAMPLE, *, seed: int = SEED) -> pd.Index:
    """Draw some roads at random; the first and all that depart from it once are among them.

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
