"""Runs and judgements reduced to relevance at rank: read, derived, kept on disk, loaded.

Data flow in one direction::

    runs + qrels --trec, facts--> lists --derivation--> tables --collection--> Collection
                                                          ^ |
                                                 package (on disk), load

``relevance`` is what the measures see of a collection; ``pools`` says what a shallower pool would
have held, ``limits`` how deep a collection can be asked.
"""

from lib.collection.collection import Collection
from lib.collection.derivation import Derivation
from lib.collection.derive import derive
from lib.collection.facts import Pairs, read_pairs, read_systems
from lib.collection.limits import DEPTHS, POOLS, askable, limits
from lib.collection.load import load
from lib.collection.package import about, save_tables
from lib.collection.relevance import Relevance
from lib.collection.trec import lines, read_qrels, read_run, run_files, system_name

__all__ = [
    "Collection",
    "DEPTHS",
    "Derivation",
    "POOLS",
    "Pairs",
    "Relevance",
    "about",
    "askable",
    "derive",
    "limits",
    "lines",
    "load",
    "read_pairs",
    "read_qrels",
    "read_run",
    "read_systems",
    "run_files",
    "save_tables",
    "system_name",
]
