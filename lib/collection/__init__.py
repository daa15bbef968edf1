"""Runs and judgements reduced to relevance at rank: read, derived, kept on disk, loaded.

Data flow in one direction::

    runs + qrels --trec--> lists --derivation--> tables --collection--> Collection
                                                   ^ |
                                          package (on disk), load
"""

from lib.collection.collection import Collection
from lib.collection.derivation import Derivation
from lib.collection.derive import derive
from lib.collection.facts import read_pairs, read_systems
from lib.collection.limits import DEPTHS, POOLS, askable, limits
from lib.collection.load import load
from lib.collection.package import about, save_tables
from lib.collection.relevance import Relevance
from lib.collection.trec import lines, read_qrels, read_run, run_files, system_name

__all__ = [
    "DEPTHS",
    "POOLS",
    "askable",
    "Collection",
    "Derivation",
    "Relevance",
    "about",
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
