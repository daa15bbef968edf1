"""A claim can fail: for every paper, a changed number turns each row of the ledger.

The evidence of a paper is made once.  Then every number that a claim takes from it is changed, in
one way after another, and each row must come out otherwise at least once.  And the evidence itself
is other on other data.
"""

import warnings
from dataclasses import fields, is_dataclass, replace
from functools import cached_property

import joblib
import numpy as np
import pandas as pd
import pytest

from lib.claims import Claims
from lib.collection import Collection, load
from lib.papers import paper, papers
from lib.published import CONSTANT, NOT_YET, Answer, judge, read

# Each takes the numbers that one piece of evidence holds, and returns others.
CHANGES = {
    "negated": lambda x: -x,
    "reversed": lambda x: x[::-1],
    "nothing": np.zeros_like,
    "tenfold and more": lambda x: 10 * x + 7,
    "a tenth": lambda x: x / 10,
    "one less": lambda x: x - 1,
    "by chance": lambda x: CHANCE.random(len(x)),
    "far apart": lambda x: 3.0 ** np.arange(len(x)),
    "now up, now down": lambda x: x * (-1.0) ** np.arange(len(x)),
    "rising": np.sort,
    "falling": lambda x: np.sort(x)[::-1],
    **{
        f"shuffled, {seed}": lambda x, seed=seed: np.random.default_rng(seed).permutation(x)
        for seed in range(8)
    },
}
CHANCE = np.random.default_rng(3)
# No number is another, but half of everything is gone.
HALVED = "halved"
# Of the labels of a table, such as its measures, one gets ten times its numbers.
FAVOURED = [("favoured", number) for number in range(15)]


def changed(value, change):
    """Return a piece of evidence with its numbers changed, whatever it is."""
    if change is HALVED:
        return halved(value)
    if change in FAVOURED:
        return favoured(value, change[1])
    if isinstance(value, bool | np.bool_):
        return not value
    if is_number(value):
        return change(np.array([value], float))[0]
    if isinstance(value, np.ndarray):
        return (
            ~value
            if value.dtype == bool
            else change(value.ravel().astype(float)).reshape(value.shape)
        )
    if isinstance(value, pd.Series) and not numbers(value):
        chosen, value = value.map(is_number), value.copy()
        value[chosen] = change(value[chosen].to_numpy(float))
        return value
    if isinstance(value, pd.Series):
        array = value.to_numpy() if value.dtype == bool else value.to_numpy(float, na_value=np.nan)
        return pd.Series(changed(array, change), value.index, name=value.name)
    if isinstance(value, pd.DataFrame):
        columns = [value.iloc[:, i] for i in range(value.shape[1])]
        columns = [changed(c, change) if numbers(c) else c for c in columns]
        return pd.concat(columns, axis=1).set_axis(value.columns, axis=1)
    if isinstance(value, Collection):
        return turned_around(value, change)
    if isinstance(value, dict):
        return dict(zip(value, changed(list(value.values()), change)))
    if isinstance(value, list | tuple):
        if all(map(is_number, value)):
            return type(value)(change(np.array(value, float)).tolist())
        return type(value)(changed(part, change) for part in value)
    if is_dataclass(value) and not isinstance(value, type):
        parts = {f.name: changed(getattr(value, f.name), change) for f in fields(value) if f.init}
        return replace(value, **parts)
    if callable(value):
        return lambda *arguments, **options: changed(value(*arguments, **options), change)
    return value


def numbers(series):
    return pd.api.types.is_numeric_dtype(series) or series.map(is_number).all()


def is_number(value):
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def turned_around(collection, change):
    """Change who found what where, and what the systems are."""
    hits, systems, lists = collection.hits.copy(), collection.systems, collection.lists
    length = collection.retrieved[hits["topic"], hits["system"]]
    if change in SHUFFLED:  # every system has another's lists
        order = change(np.arange(len(systems)))
        hits["system"] = order[hits["system"]]
        systems = systems.iloc[order].set_index(systems.index)
    elif change is CHANGES["a tenth"]:  # of every list is left
        hits = hits[hits["rank"] <= length // 10]
        lists = lists.assign(retrieved=lists["retrieved"] // 10)
    elif change is CHANGES["by chance"]:  # some lists are upside down, the groups are one
        hits["rank"] = hits["rank"].where(hits["system"] % 3 == 0, length + 1 - hits["rank"])
        systems = systems.assign(group="all", pooled="yes")
    elif change is CHANGES["one less"]:  # the first five of each list are not relevant
        hits = hits[hits["rank"] > 5]
    else:  # all lists are upside down
        hits["rank"] = length + 1 - hits["rank"]
    hits = hits.sort_values(["topic", "system", "rank"], ignore_index=True)
    return replace(collection, hits=hits, systems=systems, lists=lists)


SHUFFLED = [change for name, change in CHANGES.items() if name.startswith("shuffled")]


def halved(value):
    """Return the first half of a piece of evidence, of its rows or of its systems and topics."""
    if isinstance(value, pd.Series | pd.DataFrame):
        return value.iloc[: len(value) // 2]
    if isinstance(value, Collection):
        return value.select(systems=value.systems.index[::2], topics=value.topics.index[::2])
    if isinstance(value, dict):
        return dict(list(value.items())[: len(value) // 2])
    if isinstance(value, list | tuple):
        return value[: len(value) // 2]
    if callable(value):
        return lambda *arguments, **options: halved(value(*arguments, **options))
    return value


def favoured(value, number):
    """Return a table in which one label of the rows has ten times its numbers."""
    if isinstance(value, dict):
        return {key: favoured(part, number) for key, part in value.items()}
    if callable(value):
        return lambda *arguments, **options: favoured(value(*arguments, **options), number)
    if not isinstance(value, pd.Series | pd.DataFrame):
        return value
    label = value.index.get_level_values(0)
    chosen = label == label.unique()[number % len(label.unique())]
    if isinstance(value, pd.Series):
        return value.where(~chosen, 10 * value) if numbers(value) else value
    return value.assign(**{c: favoured(value[c], number) for c in value if isinstance(c, str)})


class Changed:
    """Evidence whose every answer has other numbers."""

    def __init__(self, evidence, change):
        self.evidence, self.change = evidence, change

    def __getattr__(self, name):
        value = getattr(self.evidence, name)
        if isinstance(value, type(self.evidence)):  # of another collection
            return Changed(value, self.change)
        return changed(value, self.change)


def answers(name, claims, evidence, asked):
    """Return what becomes of claims: slug to verdict, or to a number."""
    rows = read(name).query("column in ['claim', 'value']")
    printed = dict(zip(rows["row"], rows["printed"]))
    found = {}
    for slug in asked:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                answer = Answer.of(claims.rows[slug](evidence))
        except Exception:  # nonsense may have no answer: then it has not turned
            continue
        is_claim = printed[slug] == "yes" or answer.value is None
        found[slug] = judge("yes", answer)[2] if is_claim else float(answer.value)
    return found


def unturned(name, claims, evidence):
    """Return the rows that come out the same whatever is changed."""
    true = answers(name, claims, evidence, claims.rows)
    left = {slug for slug, answer in true.items() if answer != NOT_YET}
    for change in (*CHANGES.values(), HALVED, *FAVOURED):
        other = answers(name, claims, Changed(evidence, change), sorted(left))
        left -= {key for key, answer in other.items() if answer != true[key]}
    return left


# True by definition of any data, and yet not of any numbers.
NOT_OF_ANY_NUMBERS = {"second-run-second-deep", "deeper-pool-leaves-raw-metrics"}


@pytest.mark.parametrize("name", papers())
def test_a_changed_number_turns_every_claim(name):
    claims = paper(name).claims
    rows = read(name)
    constant = set(rows.loc[rows["evidence"] == CONSTANT, "row"])
    evidence = claims.evidence()
    evidence.loo_replicates = ()  # the sign alone decides: no error, under which a claim could turn
    assert unturned(name, claims, evidence) == constant - NOT_OF_ANY_NUMBERS


def test_a_claim_that_always_holds_is_found():
    """The test above bites: of two rows, one looks at the evidence and one does not."""

    class Evidence:
        phi = 0.6

    slug, other = "complex-at-least-as-good-as-simple", "p10-redundant"
    claims = Claims(evidence=Evidence, rows={slug: lambda e: e.phi > 0.5, other: lambda e: True})
    assert unturned("webber2008", claims, Evidence()) == {other}


def shuffled(collection):
    """Return a collection in which every relevant document stands at a random rank of its list."""
    hits = collection.hits
    length = collection.retrieved[hits["topic"], hits["system"]]
    rank = 1 + (np.random.default_rng(1).random(len(hits)) * length).astype(int)
    hits = hits.assign(rank=rank).drop_duplicates(["topic", "system", "rank"])
    return replace(
        collection, hits=hits.sort_values(["topic", "system", "rank"], ignore_index=True)
    )


# They rest on other data than the collection.
OF_OTHERS = {"halving_of_topics", "robust", "trec5", "loo_replicates"}


@pytest.mark.parametrize("name", ["webber2008", "webber2010"])
def test_every_piece_of_evidence_comes_from_the_data(name):
    """With its ranks shuffled, or on fewer systems and topics, none is what it was."""
    trec8 = load("trec8")
    fewer = trec8.select(
        systems=list(trec8.systems.index[::6]), topics=list(trec8.topics.index[::8])
    )
    make = paper(name).claims.evidence
    own, *others = (make(collection) for collection in (trec8, shuffled(trec8), fewer))
    pieces = {
        name for name, value in vars(make).items() if isinstance(value, cached_property | property)
    }
    assert len(pieces) > 15
    for piece in sorted(pieces - OF_OTHERS):
        here = joblib.hash(getattr(own, piece))
        assert any(joblib.hash(getattr(other, piece)) != here for other in others), piece
