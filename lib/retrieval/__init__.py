"""A small search engine for study: text in, ranked lists out, each step on a screen.

Data flow in one direction::

    texts --text--> terms --index--> counts --models--> weights --systems--> ranked lists
                                                 ^                   |
                                                 +---- feedback <----+  (once, when asked)

Seven base models, each paired with a blind feedback of its own, stand in
:data:`lib.retrieval.systems.SYSTEMS`.
"""

from lib.retrieval.corpus import Corpus, docstrings, read_corpus
from lib.retrieval.index import Index
from lib.retrieval.systems import FACTORS, SYSTEMS, expansion, experiment, moved, run
