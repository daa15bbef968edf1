"""The take-aways of all chapters, as their chapters have them."""

import re
from collections.abc import Iterator

from book.teaching.myst import Book, markdown

_LIST = re.compile(r"^## Take-aways\n\n((?:- .*\n?(?:  .*\n?)*)+)", flags=re.MULTILINE)
_GLUED = re.compile(r"(\{glue:text\}`)([^`:]+)`")


def take_aways(book: Book) -> Iterator[tuple[str, str]]:
    """Yield of each chapter a link to it and the list of its take-aways, for a page of the book.

    >>> link, listed = next(take_aways(Book()))
    >>> link, listed.count("- ")
    ('{ref}`Foundations <foundations>`', 4)
    """
    for chapter in book.chapters:
        found = _LIST.search("\n\n".join(markdown(chapter)))
        if found is None:
            raise ValueError(f"{chapter.name}: no list below a heading Take-aways")
        own = next(label for label, at in book.labels.items() if at.file == chapter.stem)
        number = int(chapter.stem.partition("-")[0])
        title = f"{number}. " * (number > 0) + book.labels[own].page
        glued = rf"\1../chapters/{chapter.name}::\2:s`"
        yield f"{{ref}}`{title} <{own}>`", _GLUED.sub(glued, found[1].strip())
