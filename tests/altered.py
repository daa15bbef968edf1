"""Strongly altered collections: other data, on which a claim that holds by its data must fall."""

from dataclasses import replace

import numpy as np


def _with_hits(collection, hits, **tables):
    hits = hits.drop_duplicates(["topic", "system", "rank"])
    hits = hits.sort_values(["topic", "system", "rank"], ignore_index=True)
    return replace(collection, hits=hits, **tables)


def ranks_shuffled(collection, seed):
    """Every relevant document stands at a random rank of its list."""
    rng, hits = np.random.default_rng(seed), collection.hits
    length = collection.retrieved[hits["topic"], hits["system"]]
    return _with_hits(
        collection, hits.assign(rank=1 + (rng.random(len(hits)) * length).astype(int))
    )


def reversed_lists(collection, seed):
    """Every list is upside down; an even seed leaves every second system as it is."""
    hits = collection.hits
    length = collection.retrieved[hits["topic"], hits["system"]]
    turned = (hits["system"] % 2 == 0) | (seed % 2 == 1)
    return _with_hits(
        collection, hits.assign(rank=hits["rank"].where(~turned, length + 1 - hits["rank"]))
    )


def systems_swapped(collection, seed):
    """On every topic the lists are other systems': no system is better than another."""
    rng, hits = np.random.default_rng(seed), collection.hits
    order = np.array([rng.permutation(len(collection.systems)) for _ in collection.topics.index])
    lists = collection.lists.assign(
        system=order[collection.lists["topic"], collection.lists["system"]]
    )
    lists = lists.sort_values(["topic", "system"], ignore_index=True)
    return _with_hits(
        collection, hits.assign(system=order[hits["topic"], hits["system"]]), lists=lists
    )


def judgements_drawn(collection, seed):
    """Only one relevant document in ten keeps its judgement, at random."""
    kept = np.random.default_rng(seed).random(len(collection.relevant)) < 0.1
    relevant, key = collection.relevant[kept], ["topic", "document"]
    count = np.bincount(relevant["topic"], minlength=len(collection.topics))
    topics = collection.topics.assign(relevant=count).astype({"relevant": "Int32"})
    hits = collection.hits.merge(relevant[key], on=key)
    return _with_hits(collection, hits, relevant=relevant, topics=topics)


def tops_cut(collection, seed):
    """Nothing above a rank is relevant: 10, 20, ..."""
    hits = collection.hits
    return _with_hits(collection, hits[hits["rank"] > 10 * seed])


def tails_cut(collection, seed):
    """Nothing below a rank is relevant: 10, 20, ..."""
    hits = collection.hits
    return _with_hits(collection, hits[hits["rank"] <= 10 * seed])


def facts_swapped(collection, seed):
    """The systems' groups, types and marks are other systems'."""
    order = np.random.default_rng(seed).permutation(len(collection.systems))
    systems = collection.systems.iloc[order].set_index(collection.systems.index)
    return replace(collection, systems=systems)


def few(collection, seed):
    """Some of the systems and topics are left."""
    rng = np.random.default_rng(seed)
    systems = sorted(rng.choice(collection.systems.index, len(collection.systems) // 2, False))
    topics = collection.topics.index[:: 1 + seed % 2]
    return collection.select(systems=systems, topics=list(topics))


def grouped_by_measure(collection, seed):
    """A third of the systems keep only the first relevant document of each list."""
    hits = collection.hits
    first = ~hits.duplicated(["topic", "system"])
    return _with_hits(collection, hits[first | (hits["system"] % 3 != seed % 3)])


def tails_swapped(collection, seed):
    """Below rank 10 the lists are other systems', another on every topic."""
    rng, hits = np.random.default_rng(seed), collection.hits
    order = np.array([rng.permutation(len(collection.systems)) for _ in collection.topics.index])
    other = hits["system"].where(hits["rank"] <= 10, order[hits["topic"], hits["system"]])
    moved = hits.assign(system=other)
    return _with_hits(collection, moved[~moved.duplicated(["topic", "system", "document"])])


def one_topic_repeated(collection, seed):
    """Every topic is the same one again; what holds on some topics holds on all."""
    number, table = len(collection.topics), {}
    for name in ("hits", "lists", "relevant"):
        rows = getattr(collection, name)
        rows = rows[rows["topic"] == seed]
        again = rows.loc[rows.index.repeat(number)]
        copies = np.tile(np.arange(number), len(rows)).astype(rows["topic"].dtype)
        order = [c for c in ("topic", "system", "rank") if c in rows]
        table[name] = again.assign(topic=copies).sort_values(order, ignore_index=True)
    relevant = collection.topics["relevant"].iloc[seed]
    topics = collection.topics.assign(relevant=relevant).astype(collection.topics.dtypes)
    hits = table.pop("hits")
    return _with_hits(collection, hits, topics=topics, **table)


def weak_emptied(collection, seed):
    """The systems with the fewest hits, a third or half of them, find nothing."""
    hits = collection.hits
    found = np.bincount(hits["system"], minlength=len(collection.systems))
    weak = found <= np.quantile(found, seed / (seed + 2))
    return _with_hits(collection, hits[~weak[hits["system"]]])


def lists_short(collection, seed):
    """Lists end at rank 100, or 200."""
    lists = collection.lists
    lists = lists.assign(retrieved=lists["retrieved"].clip(upper=100 * seed))
    hits = collection.hits
    return _with_hits(collection, hits[hits["rank"] <= 100 * seed], lists=lists)


def facts_drawn(collection, seed):
    """The systems' facts are drawn from all systems; an even seed has the best ones manual."""
    rng, systems = np.random.default_rng(seed), collection.systems
    drawn = systems.iloc[rng.integers(len(systems), size=len(systems))].set_index(systems.index)
    if seed % 2 == 0:
        hits = collection.hits
        early = hits["system"][hits["rank"] <= 10]
        found = np.bincount(early, minlength=len(systems))
        drawn = drawn.assign(
            type=np.where(found >= np.quantile(found, 0.75), "manual", "automatic")
        )
    return replace(collection, systems=drawn.astype(systems.dtypes))


ALTERATIONS = {
    f"{change.__name__.replace('_', ' ')}, {seed}": (change, seed)
    for change, seeds in (
        (ranks_shuffled, (1, 2, 3)),
        (reversed_lists, (1, 2)),
        (systems_swapped, (1, 2, 3)),
        (judgements_drawn, (1, 2)),
        (tops_cut, (1, 2)),
        (tails_cut, (1, 5)),
        (facts_swapped, (1, 2)),
        (few, (1, 2)),
        (grouped_by_measure, (1, 2)),
        (tails_swapped, (1, 2)),
        (one_topic_repeated, (0, 7)),
        (weak_emptied, (1, 2)),
        (lists_short, (1,)),
        (facts_drawn, (1, 2)),
    )
    for seed in seeds
}
