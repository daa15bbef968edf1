"""A claim can fail: for every paper, a changed number turns each row of the ledger.

The evidence of a paper is made once.  Then every number that a claim takes from it is changed, in
one way after another, and each row must come out otherwise at least once.
"""

import warnings
from dataclasses import fields, is_dataclass, replace

import numpy as np
import pandas as pd
import pytest

from lib.claims import Claims, NotPublic
from lib.collection import Collection
from lib.papers import paper, papers
from lib.published import NOT_PUBLIC, judge, read

# Rows that no change of a number turns today: paper, place, slug.  Nothing of a collection enters
# them, they compare one of our constants with the print, or they say what must always hold.
CANNOT_FAIL = set()

# Each takes the numbers that one piece of evidence holds, and returns others.
CHANGES = {
    "negated": lambda x: -x,
    "reversed": lambda x: x[::-1],
    "shuffled": lambda x: np.random.default_rng(1).permutation(x),
    "nothing": np.zeros_like,
    "tenfold and more": lambda x: 10 * x + 7,
    "a tenth": lambda x: x / 10,
    "far apart": lambda x: 3.0 ** np.arange(len(x)),
}


def changed(value, change):
    """Return a piece of evidence with its numbers changed, whatever it is."""
    if isinstance(value, bool | np.bool_):
        return not value
    if isinstance(value, int | float | np.number):
        return change(np.array([float(value)]))[0]
    if isinstance(value, np.ndarray) and value.dtype != object:
        return (
            ~value
            if value.dtype == bool
            else change(value.astype(float).ravel()).reshape(value.shape)
        )
    if isinstance(value, pd.Series):
        return (
            value.copy()
            if not numbers(value)
            else pd.Series(changed(value.to_numpy(), change), value.index, name=value.name)
        )
    if isinstance(value, pd.DataFrame):
        columns = [changed(value.iloc[:, i], change) for i in range(value.shape[1])]
        return pd.concat(columns, axis=1).set_axis(value.columns, axis=1) if columns else value
    if isinstance(value, Collection):
        return turned_around(value, change)
    if isinstance(value, dict):
        return dict(zip(value, changed(list(value.values()), change)))
    if isinstance(value, list | tuple) and value and all(map(is_number, value)):
        return type(value)(change(np.array(value, float)).tolist())
    if isinstance(value, list | tuple):
        return type(value)(changed(part, change) for part in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(
            value,
            **{f.name: changed(getattr(value, f.name), change) for f in fields(value) if f.init},
        )
    if callable(value):
        return lambda *arguments, **options: changed(value(*arguments, **options), change)
    return value


def numbers(series):
    return pd.api.types.is_numeric_dtype(series) or series.map(is_number).all()


def is_number(value):
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def turned_around(collection, change):
    """Change who found what where: lists upside down, or other systems' lists."""
    hits = collection.hits.copy()
    if change is CHANGES["shuffled"]:
        other = np.random.default_rng(2).permutation(len(collection.systems))
        hits["system"] = other[hits["system"]]
    else:
        length = collection.retrieved[hits["topic"], hits["system"]]
        hits["rank"] = length + 1 - hits["rank"]
    hits = hits.sort_values(["topic", "system", "rank"], ignore_index=True)
    return replace(collection, hits=hits, _relevance={})


class Changed:
    """Evidence whose every answer has other numbers."""

    def __init__(self, evidence, change):
        self.evidence, self.change = evidence, change

    def __getattr__(self, name):
        return changed(getattr(self.evidence, name), self.change)


def answers(name, claims, evidence):
    """Return what becomes of each row of the claims: (place, slug) to verdict or value."""
    printed = read(name)
    said = printed[printed["column"].isin(["claim", "value"])].set_index(["place", "row"])[
        "printed"
    ]
    found = {}
    for place, rows in claims.rows.items():
        for slug, claim in rows.items():
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    answer = claim(evidence)
            except Exception:  # whatever nonsense makes of it: it did not answer
                continue
            value = answer[0] if isinstance(answer, tuple) else answer
            if isinstance(value, NotPublic):
                found[place, slug] = NOT_PUBLIC
            else:
                value = False if isinstance(value, str) else value
                found[place, slug] = judge(said[place, slug], value)[2]
    return found


def unturned(name, claims, evidence):
    """Return the rows that come out the same whatever is changed."""
    true = answers(name, claims, evidence)
    left = {key for key, verdict in true.items() if verdict != NOT_PUBLIC}
    for change in CHANGES.values():
        other = answers(name, claims, Changed(evidence, change))
        left = {key for key in left if other.get(key, true[key]) == true[key]}
    return left


@pytest.mark.parametrize("name", papers())
def test_a_changed_number_turns_every_claim(name):
    claims = paper(name).claims
    left = unturned(name, claims, claims.evidence())
    assert {(name, *key) for key in left} == {row for row in CANNOT_FAIL if row[0] == name}


def test_a_claim_that_always_holds_is_found():
    """The test above bites: of two rows, one looks at the evidence and one does not."""

    class Evidence:
        phi = 0.6

    place, slug, other = "Abstract", "complex-at-least-as-good-as-simple", "p10-redundant"
    claims = Claims(
        evidence=Evidence,
        rows={place: {slug: lambda e: e.phi > 0.5}, "Conclusion": {other: lambda e: True}},
    )
    assert unturned("webber2008", claims, Evidence()) == {("Conclusion", other)}
