"""Average precision inferred from judgements of a sample.

The rules are those of :mod:`lib.measures.binary`.  A pool was made, and of its documents only some,
drawn at random, were judged: a document that the draw left out has a negative grade in the
judgements, by custom -1, and one outside the pool has no line.
"""

import pandas as pd

from lib.collection import Collection
from lib.measures.names import measure
from lib.measures.parts import (
    example,  # noqa: F401 (the examples use it)
    nonrelevant_above,
    ratio,
)

__all__ = ["inferred_average_precision"]

EPSILON = 0.00001  # trec_eval's: so that a rank above which nothing was judged has a precision


@measure("infAP", unanswered=0)
def inferred_average_precision(collection: Collection, *, rel: int = 1) -> pd.DataFrame:
    r"""AP as a sample of judgements infers it, :math:`\frac{1}{R} \sum_{i} r_i E[P@i]`; in [0, 1].

    :math:`E[P@i] = \frac1i + \frac{d_i}{i} \cdot \frac{r_{<i} + \epsilon}{r_{<i} + n_{<i} +
    2\epsilon}`: of the documents above rank i, :math:`d_i` are in the pool, :math:`r_{<i}` judged
    relevant and :math:`n_{<i}` judged non-relevant; :math:`\epsilon` is 0.00001.  R is the number
    of documents judged relevant.  Yilmaz and Aslam 2006, as trec_eval's ``infAP`` has it.  When
    the whole pool is judged it is AP to within :math:`\epsilon`.

    Raises
    ------
    ValueError
        The collection does not say how many judged non-relevant documents stand above its hits.

    Examples
    --------
    >>> inferred_average_precision(example()).round(3).loc["t", "A"]
    np.float64(0.556)
    """
    hits = collection.relevance(rel)
    relevant = hits.position - 1
    drawn = relevant + nonrelevant_above(collection, hits, "infAP")
    guess = (relevant + EPSILON) / (drawn + 2 * EPSILON)
    expected = (1 + (drawn + hits.unsampled) * guess) / hits.rank
    return collection.frame(ratio(hits.total(expected), hits.relevant))
