"""From text to terms (words, a stop list, Porter's stems), and from terms to the index: counts."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import Stemmer
from scipy.sparse import csr_array

from lib.errors import InputError

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


def tokenize(text: str) -> list[str]:
    """Return the terms of a text, in order.

    References
    ----------
    M. F. Porter, An algorithm for suffix stripping, Program 14(3), 1980.
    Stop list: Apache Lucene, ``EnglishAnalyzer``.

    Examples
    --------
    >>> tokenize("The effects of Vitamin B-12 on pancreatic patients")
    ['effect', 'vitamin', 'b', '12', 'pancreat', 'patient']
    """
    return _porter.stemWords(word for word in _WORD.findall(text.lower()) if word not in STOP_WORDS)


@dataclass(frozen=True, eq=False)
class Index:
    """Term counts of a collection, and the statistics that the models need.

    Documents and terms are sorted by name, so nothing depends on the order in which the documents
    came.  Build one with :meth:`build`.

    Attributes
    ----------
    docnos : list of str
        Names of the D documents, ascending.
    terms : list of str
        The V terms, ascending.
    tokens : ndarray of int, shape (total length,)
        Term numbers of all documents, one after the other, in the order of the text.
    starts : ndarray of int, shape (D + 1,)
        Document d holds ``tokens[starts[d]:starts[d + 1]]``.
    counts : scipy.sparse.csr_array of float, shape (D, V)
        Occurrences of each term in each document.
    tokenize : callable
        Text to terms; queries go through the same one.

    Examples
    --------
    >>> index = Index.build({"b": "red fish", "a": "one fish, two fish"})
    >>> index.docnos, index.terms
    (['a', 'b'], ['fish', 'on', 'red', 'two'])
    >>> index.counts.toarray()
    array([[2., 1., 0., 1.],
           [1., 0., 1., 0.]])
    >>> index.df, index.cf, index.lengths
    (array([2, 1, 1, 1]), array([3., 1., 1., 1.]), array([4., 2.]))
    """

    docnos: list[str]
    terms: list[str]
    tokens: np.ndarray
    starts: np.ndarray
    counts: csr_array
    tokenize: Callable[[str], list[str]]

    @classmethod
    def build(
        cls, documents: Mapping[str, str], *, tokenize: Callable[[str], list[str]] = tokenize
    ) -> Self:
        """Index documents, name to text; an InputError where none of them holds a term."""
        docnos = sorted(documents)
        words = [tokenize(documents[docno]) for docno in docnos]
        terms = sorted(set().union(*words))
        if not terms:
            raise InputError(f"no term to index in {len(docnos)} documents")
        number = {term: position for position, term in enumerate(terms)}
        tokens = np.array([number[word] for text in words for word in text], dtype=np.int32)
        starts = np.cumsum([0] + [len(text) for text in words])
        return cls(docnos, terms, tokens, starts, _counts(tokens, starts, len(terms)), tokenize)

    def vectors(self, texts: Iterable[str]) -> csr_array:
        """Return the term counts of queries; words that no document holds are left out.

        Examples
        --------
        >>> Index.build({"a": "fish", "b": "red"}).vectors(["blue fish and fish"]).toarray()
        array([[2., 0.]])
        """
        known = [
            [self.number[term] for term in self.tokenize(text) if term in self.number]
            for text in texts
        ]
        tokens = np.array([term for query in known for term in query], dtype=np.int32)
        starts = np.cumsum([0] + [len(query) for query in known])
        return _counts(tokens, starts, len(self.terms))

    @cached_property
    def number(self) -> dict[str, int]:
        """Term to its position in ``terms``."""
        return {term: position for position, term in enumerate(self.terms)}

    @property
    def size(self) -> int:
        """Number of documents, D."""
        return len(self.docnos)

    @cached_property
    def lengths(self) -> np.ndarray:
        """Number of tokens of each document, shape (D,)."""
        return np.diff(self.starts).astype(float)

    @cached_property
    def df(self) -> np.ndarray:
        """Number of documents that hold each term, shape (V,)."""
        return np.bincount(self.counts.indices, minlength=len(self.terms))

    @cached_property
    def cf(self) -> np.ndarray:
        """Occurrences of each term in the collection, shape (V,)."""
        return np.bincount(self.counts.indices, self.counts.data, minlength=len(self.terms))


def _counts(tokens: np.ndarray, starts: np.ndarray, terms: int) -> csr_array:
    """Count matrix of token lists laid end to end; rows in canonical form."""
    shape = (len(starts) - 1, terms)
    # A copy: adding up sorts and shortens in place, and the tokens must keep their order.
    counts = csr_array((np.ones(len(tokens)), tokens, starts), shape=shape, copy=True)
    counts.sum_duplicates()
    return counts
