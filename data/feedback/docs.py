"""Make data/feedback/docs: the seven systems on the documentation of NumPy, SciPy and pandas.

    python data/feedback/docs.py

The texts are the installed ones, and change with the versions of the three libraries: those of
``requirements.lock`` made what is here.  Topics are numbered; a search does not return the page
that asks.
"""

import chapters  # noqa: F401 isort: skip  Before numpy: it sets one BLAS thread.

from lib.collection.package import Package
from lib.paths import DATA, about
from lib.retrieval import Corpus, docstrings, experiment

NAME = "docs"


def numbered(corpus: Corpus) -> tuple[Corpus, dict[str, list[str]]]:
    """Number the topics from 1, and return beside each the page that it is the summary of."""
    pages = dict(enumerate(corpus.queries, start=1))
    queries = {str(number): corpus.queries[page] for number, page in pages.items()}
    qrels = {str(number): corpus.qrels[page] for number, page in pages.items()}
    asking = {str(number): [page] for number, page in pages.items()}
    return Corpus(corpus.documents, queries, qrels), asking


def said() -> Package:
    """Return what the package says of itself, but for its tables."""
    return {key: value for key, value in about(f"feedback/{NAME}").items() if key != "resources"}


def main() -> None:
    """Search, and save at which ranks what is relevant was found."""
    corpus, asking = numbered(docstrings())
    collection = experiment(corpus, NAME, exclude=asking)
    collection.save(DATA / "feedback" / NAME, about=said(), replace=True)


if __name__ == "__main__":
    main()
