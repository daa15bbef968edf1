"""Unjudged documents: the judged share beside a score, and what the score could be.

A measure takes an unjudged document for one that is not relevant.  Of a list that did not feed the
pool many are unjudged, and its score is what is known of it, not what is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from lib import pandas_later as pd
from lib.collection import Collection, judged_of
from lib.measures.names import Measure, Scores, parse


def _depth(measure: Measure) -> int | float | None:
    """Return the depth of a measure that has a cutoff k, or None."""
    cutoff = measure.definition.cutoff
    return measure.cutoff if cutoff is not None and cutoff.name == "k" else None


def judged_share(collection: Collection, measure: str | Measure) -> Scores:
    """Return which share of the documents that a measure looks at is judged, in [0, 1].

    These are the first k for a measure with a cutoff k, and the whole list for any other.

    Examples
    --------
    >>> from lib.measures import example
    >>> [judged_share(example(), measure).loc["t", "A"].item() for measure in ("AP", "P@2")]
    [0.75, 1.0]
    """
    return Measure("Judged", cutoff=_depth(parse(measure)))(collection)


def judged_alone(collection: Collection) -> Collection:
    """Return a collection whose lists go without their unjudged documents (Sakai 2007).

    Raises
    ------
    ValueError
        The collection was derived, or loaded, without the judged non-relevant documents.

    Examples
    --------
    >>> from lib.measures import complete_scores
    >>> runs, qrels = {"A": {"t": ["u", "r"]}}, {"t": {"r": 1}}
    >>> toy = Collection.from_rankings(runs, qrels, judged=True)
    >>> complete_scores(judged_alone(toy), "RR").loc["t", "A"]
    np.float64(1.0)
    """
    judged = judged_of(collection, "lists of judged documents alone")
    hits, columns = collection.hits, ["topic", "system", "rank"]
    known = pd.concat([hits[columns], judged[columns]], ignore_index=True).sort_values(columns)
    rank = 1 + known.groupby(["topic", "system"]).cumcount().sort_index().to_numpy("int32")
    judged = judged.assign(rank=rank[len(hits) :])
    hits = hits.assign(rank=rank[: len(hits)])
    cells = [collection.lists[name].to_numpy(int) for name in ("topic", "system")]
    count = np.zeros(collection.retrieved.shape, int)
    np.add.at(count, (known["topic"].to_numpy(int), known["system"].to_numpy(int)), 1)
    lists = collection.lists.assign(retrieved=count[*cells].astype("int32"))
    return replace(collection, hits=hits, judged=judged, lists=lists, unsampled=None)


def all_relevant(collection: Collection, measure: str | Measure) -> Scores:
    """Score each list as if all unjudged documents that a measure looks at were relevant.

    They get the highest grade, of the scale or, up to grade 4, of the judgements.  For P@k, RR and
    Success@k it is the most that a score could be; a measure that divides by the relevant
    documents, as AP and nDCG do, may even fall.  RBP to no depth has what lies beyond the list's
    end besides: its residual.

    Raises
    ------
    ValueError
        The collection was derived, or loaded, without the judged non-relevant documents.

    Examples
    --------
    >>> from lib.measures import example
    >>> all_relevant(example(), "P@4").loc["t", "A"].item()
    0.75
    """
    measure = parse(measure)
    judged_of(collection, "scores with all unjudged documents relevant")
    tables = []
    for system in collection.systems.index:
        whole = _whole(collection.select(systems=[system]), _depth(measure))
        tables.append(measure(whole))
        if measure.name == "RBP" and measure.cutoff is None:
            p = tuple(one for one in measure.options if one[0] == "p")
            tables[-1] += Measure("RBPtail", p)(whole)
    return measure.definition.on_scale(pd.concat(tables, axis=1))


def beside(
    table: pd.DataFrame, collection: Collection, measures: Iterable[str | Measure]
) -> pd.DataFrame:
    """Return a table of scores, or of means, with the unjudged share beside each of them.

    Parameters
    ----------
    table : DataFrame
        Columns measure, system, and of scores topic too.
    collection : Collection
    measures : sequence of str or Measure

    Returns
    -------
    DataFrame
        The same with the columns judged (:func:`judged_share`; of means, over the topics that a
        system answered) and all relevant (:func:`all_relevant`).
    """
    keys = ["measure", "topic", "system"] if "topic" in table else ["measure", "system"]
    shares, most = {}, {}
    for measure in map(parse, measures):
        share, score = judged_share(collection, measure), all_relevant(collection, measure)
        definition = measure.definition
        score = score.fillna(definition.unanswered)
        if "topic" in table:
            shares[str(measure)] = share.stack()
            most[str(measure)] = definition.average(score, 1).stack()
        else:
            shares[str(measure)] = share.mean()
            most[str(measure)] = definition.mean(score)
    for name, columns in {"judged": shares, "all relevant": most}.items():
        table = table.join(pd.concat(columns, names=keys).rename(name), on=keys)
    return table


def _whole(collection: Collection, depth: int | float | None) -> Collection:
    """Return a collection of one system whose unjudged documents, to a depth, are relevant."""
    assert collection.judged is not None  # by judged_of
    length = collection.retrieved[:, 0].clip(0, depth)
    topic = np.repeat(np.arange(len(length)), length)
    rank = np.arange(len(topic)) - np.repeat(np.cumsum(length) - length, length) + 1
    known = pd.concat([collection.hits, collection.judged])[["topic", "rank"]].to_numpy(np.int64)
    free = ~np.isin(topic << 32 | rank, known[:, 0] << 32 | known[:, 1])
    topic, rank = topic[free], rank[free]
    relevant = collection.relevant
    highest = max(collection.highest_judged or 0, collection.relevant_from)
    grade = max(collection.top_of_scale(highest), collection.relevant_from)
    names = pd.concat([relevant["document"], collection.judged["document"]]).to_numpy(np.int64)
    first = names.max(initial=0) + 1
    fresh = {"topic": topic, "document": first + np.arange(len(topic)), "grade": grade}
    new = pd.DataFrame(fresh)
    relevant = pd.concat([relevant, new], ignore_index=True).sort_values(["topic", "document"])
    hits = collection.hits.drop(columns="nonrelevant", errors="ignore")
    hits = pd.concat([hits, new.assign(system=0, rank=rank)], ignore_index=True)
    hits = hits.sort_values(["topic", "system", "rank"], ignore_index=True)
    made = replace(collection, relevant=relevant.reset_index(drop=True), hits=hits)
    return made.rejudged(np.ones(len(relevant), bool), collection.judged)
