"""Runs and judgements reduced to relevance at rank: read, derived, kept on disk, loaded.

Data flow in one direction::

    runs + qrels --trec, facts--> lists --derivation--> tables --collection--> Collection
                                                          ^ |
                                                 package (on disk), load

``trec`` reads a file by one of two roads: ``swift`` takes whole blocks of bytes apart at once and
leaves what it doubts to ``strict``, which reads line by line and says what is wrong.
``matching`` is what a derivation asks of a run, alone, so that runs can be read side by side.
``seals`` tells whether a file is the one that was written, ``invariants`` whether tables can be
those of a collection at all; ``load`` believes nothing else.
``samples`` is asked what remains in a pool when judgements are taken away.
``matrices`` keeps the scores of systems whose runs are not at hand; the statistics take these too.
``relevance`` is what the measures see of a collection; ``pools`` says what a shallower pool would
have held, ``limits`` how deep a collection can be asked.  ``part`` leaves out a topic.
"""

from lib.collection.collection import Collection
from lib.collection.derivation import Derivation
from lib.collection.derive import derive
from lib.collection.facts import Pairs, read_pairs, read_systems
from lib.collection.limits import DEPTHS, POOLS, askable, limits
from lib.collection.load import load, seal
from lib.collection.matrices import load_scores, read_scores, save_scores
from lib.collection.package import about, made, save_tables
from lib.collection.part import once, remembered, topicwise, without
from lib.collection.relevance import Relevance
from lib.collection.samples import judged_of, left_unjudged
from lib.collection.seals import check_stated
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
    "check_stated",
    "derive",
    "judged_of",
    "left_unjudged",
    "limits",
    "lines",
    "load",
    "load_scores",
    "made",
    "once",
    "read_pairs",
    "read_qrels",
    "read_run",
    "read_scores",
    "read_systems",
    "remembered",
    "run_files",
    "save_scores",
    "save_tables",
    "seal",
    "system_name",
    "topicwise",
    "without",
]
