"""The words that the book's claims carry, as they are committed: who reads one, reads it here.

``data/ledger.csv`` has those of the papers' own collections, ``data/claims/verdicts.csv`` all
others; :mod:`lib.registry` decides both.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from lib import ledger
from lib.decisions import worded
from lib.display.prose import slug
from lib.errors import InputError
from lib.intervals import between
from lib.paths import DATA

FOLDER = DATA / "claims"
KEYS = ["id", "population"]
NUMBERS = ["estimate", "low", "high", "adjusted"]


def committed() -> pd.DataFrame:
    """Return every claim on every population that it was asked of.

    Returns
    -------
    DataFrame, index id, population
        Columns source, anchor, says; estimate, low, high; adjusted, the p value after Holm's
        correction, missing where a claim's question was nobody's before; word; side: what the data
        do to the claim.

    Examples
    --------
    >>> committed().loc[("webber2008/p10-redundant", "TREC-8"), "word"]
    'inconclusive'
    """
    own = ledger.committed()
    own = own[own["word"] != ""]
    own = own.assign(id=own["paper"] + "/" + own["row"], source=own["paper"], says="")
    own["side"] = [str(_decided(row).side) for row in own.itertuples()]
    others = pd.read_csv(FOLDER / "verdicts.csv", dtype=str, keep_default_na=False)
    names = [*KEYS, "source", "anchor", "says", *NUMBERS, "word", "side"]
    table = pd.concat([own[names], others[names]]).set_index(KEYS)
    numbers = {name: pd.to_numeric(table[name]) for name in NUMBERS}
    return table.assign(**numbers)


def _decided(row):
    holds = {"reproduced": True, "differs": False}.get(row.verdict)
    return worded(holds, float(row.adjusted or "nan"))


def told(*claims: str) -> dict[str, str]:
    """Return what the text of a chapter names: word and interval of claims on each population.

    Names are made of the last part of the id and of the population: ``claim-front-trec-8-is`` is
    the word as it stands after "is", ``claim-front-trec-8-at`` the estimate with its interval.

    Examples
    --------
    >>> told("manual-deep")
    {'claim-manual-deep-trec-8-is': 'inconclusive', 'claim-manual-deep-trec-8-at': \
'+0.040 [−0.019, +0.099]'}
    """
    table, names = committed(), {}
    for claim in claims:
        if claim not in table.index:
            raise InputError(f"no claim {claim!r} is registered")
        for population, row in table.loc[claim].iterrows():
            name = f"claim-{slug(claim.rpartition('/')[2])}-{slug(population)}"
            names[f"{name}-is"] = is_word(row)
            names[f"{name}-at"] = between(row["estimate"], row["low"], row["high"])
    return names


def is_word(row: Mapping[str, Any]) -> str:
    """Return a verdict as it stands after "is".

    >>> is_word({"word": "hint", "side": "contradicts"}), is_word({"word": "inconclusive"})
    ('contradicted (hint)', 'inconclusive')
    """
    passive = {"supports": "supported", "contradicts": "contradicted"}
    return f"{passive[row['side']]} ({row['word']})" if row.get("side") in passive else row["word"]
