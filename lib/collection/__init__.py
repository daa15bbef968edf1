"""Runs and judgements reduced to relevance at rank: read, derived, kept on disk, loaded.

Data flow in one direction::

    runs + qrels --trec, metadata--> lists --derivation--> tables --collection--> Collection
                                                             ^ |
                                                    package (on disk), load

``trec`` reads runs and judgements by ``fast_reader``, which takes whole blocks of bytes apart at
once and leaves what it is not sure of to be read line by line, which says what is wrong;
``in_memory`` takes what other tools hold.
``package`` tells by its hash whether a file is the one that was written; ``load`` takes no other.
``relevance`` is what the measures see of a collection; ``judgements`` says how deep one can be
asked, and what remains in a pool when judgements are taken away; ``topic_subset`` leaves out one
topic.
"""

from lib.collection.collection import Collection, a_collection
from lib.collection.derive import derive
from lib.collection.judged_depth import DEPTHS, POOLS, askable, judged_of, left_unjudged, limits
from lib.collection.load import load, load_once, load_scores
from lib.collection.metadata import Pairs, read_pairs, read_systems
from lib.collection.relevance import Relevance
from lib.collection.topic_subset import cached, without
from lib.collection.trec import read_qrels, read_run
from lib.paths import about
