"""Which rows of a paper's ledger are no longer those that are committed."""

from chapters.ledger import rows as books
from chapters.ledger.papers import paper
from chapters.ledger.published import read_published


def moved_rows(name):
    """Compute the rows of a paper anew; say of each cell that differs what it is and was."""
    now, then = paper(name).ledger().astype(str), books.committed(name)
    assert now["row"].tolist() == then["row"].tolist() == read_published(name)["row"].tolist()
    return [
        f"{name}, {then['place'][i]}, {then['row'][i]}, {then['column'][i]}, printed "
        f"{then['published'][i]}: {column} is {now[column][i]!r}, committed {then[column][i]!r}"
        for column in now
        for i in now.index[now[column] != then[column]]
    ]
