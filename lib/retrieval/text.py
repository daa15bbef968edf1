"""From text to terms: words, a stop list, Porter's stems."""

import re
from collections.abc import Collection

import Stemmer

# The stop list of Lucene's English analyser (EnglishAnalyzer.ENGLISH_STOP_WORDS_SET, 33 words): the
# shortest one in wide use.  It was chosen before any result was seen, and kept.
_STOPPED = (
    "a an and are as at be but by for if in into is it no not of on or such that the their then"
    " there these they this to was will with"
)
STOP_WORDS = frozenset(_STOPPED.split())

# A word is a run of letters and digits; whatever stands between, the underscore too, separates.
_WORD = re.compile(r"[^\W_]+")
_porter = Stemmer.Stemmer("porter")


def tokenize(
    text: str, *, stop_words: Collection[str] = STOP_WORDS, stem: bool = True
) -> list[str]:
    """Return the terms of a text, in order.

    References
    ----------
    M. F. Porter, An algorithm for suffix stripping, Program 14(3), 1980.
    Stop list: Apache Lucene, ``EnglishAnalyzer``.

    Examples
    --------
    >>> tokenize("The effects of Vitamin B-12 on pancreatic patients")
    ['effect', 'vitamin', 'b', '12', 'pancreat', 'patient']
    >>> tokenize("to be or not", stop_words=(), stem=False)
    ['to', 'be', 'or', 'not']
    """
    words = [word for word in _WORD.findall(text.lower()) if word not in stop_words]
    return _porter.stemWords(words) if stem else words
