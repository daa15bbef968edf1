"""Text to terms, and terms to an index."""

import numpy as np
import pytest
from bm25s.stopwords import STOPWORDS_EN
from hypothesis import given
from hypothesis import strategies as st

from lib.errors import InputError
from lib.retrieval import Index
from lib.retrieval.index import STOP_WORDS, tokenize


def test_stop_words_are_those_of_lucene_as_bm25s_ships_them():
    assert STOP_WORDS == set(STOPWORDS_EN)


# Porter 1980, the examples beside the rules of steps 1a to 5b.
STEMS = """caresses caress  ponies poni  cats cat  plastered plaster  motoring motor  hopping hop
filing file  happy happi  rational ration  hopefulness hope  electrical electr  adjustable adjust
probate probat  controll control"""


@pytest.mark.parametrize(("word", "stem"), list(zip(STEMS.split()[::2], STEMS.split()[1::2])))
def test_stems_of_porter_1980(word, stem):
    assert tokenize(word) == [stem]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("It is not the such", []),  # nothing but stop words
        ("IgG-levels, 24-h", ["igg", "level", "24", "h"]),  # a hyphen separates; one letter counts
        ("numpy.linalg.eig_banded", ["numpi", "linalg", "eig", "band"]),  # so do dot and underscore
        ("Übergänge Übergänge", ["übergäng", "übergäng"]),  # any script; repeats
        ("theirs thus", ["their", "thu"]),  # the stop list is applied before the stemmer
        ("", []),
    ],
)
def test_words_are_runs_of_letters_and_digits(text, terms):
    assert tokenize(text) == terms


texts = st.lists(st.sampled_from("a b c d e".split()), max_size=8).map(" ".join)


@given(st.dictionaries(st.sampled_from("1 2 10 x y".split()), texts, min_size=1))
def test_index_counts_what_is_there(documents):
    if not any(documents.values()):
        with pytest.raises(InputError, match="no term to index"):
            Index.build(documents, tokenize=str.split)
        return
    index = Index.build(documents, tokenize=str.split)
    assert index.docnos == sorted(documents)
    words = [documents[docno].split() for docno in index.docnos]
    expected = [[text.count(term) for term in index.terms] for text in words]
    np.testing.assert_array_equal(index.counts.toarray(), expected)
    np.testing.assert_array_equal(index.lengths, [len(text) for text in words])
    np.testing.assert_array_equal(index.df, np.count_nonzero(expected, axis=0))
    np.testing.assert_array_equal(index.cf, np.sum(expected, axis=0))
    # The tokens keep the order of the text: passages depend on it.
    for d, text in enumerate(words):
        tokens = index.tokens[index.starts[d] : index.starts[d + 1]]
        assert [index.terms[token] for token in tokens] == text
