"""The one error that a user's input can cause, what is worth telling without one, and how."""

import difflib
from collections.abc import Iterable


class InputError(ValueError):
    """Input that cannot be used: what is wrong, where, and why, in one line.

    The command line prints it and exits with status 2.

    Examples
    --------
    >>> raise InputError("run.txt, line 3: 5 columns, a run has 6")
    Traceback (most recent call last):
        ...
    lib.errors.InputError: run.txt, line 3: 5 columns, a run has 6
    """


class InputErrors(InputError):
    """Several faults that are told at once, a line each.

    Examples
    --------
    >>> print(InputErrors("a, line 3: 5 columns, a run has 6", "b: holds no lines"))
    a, line 3: 5 columns, a run has 6
    b: holds no lines
    """

    def __str__(self) -> str:
        return "\n".join(self.args)


class InputWarning(UserWarning):
    """Input that is used by a stated rule which a user may not expect.

    The command line prints it as a note.
    """


def reason(error: BaseException) -> str:
    """Return what another library says of an error, as part of one line.

    >>> reason(ValueError("no\\nway \\x1b"))
    'no way'
    """
    text = str(getattr(error, "strerror", None) or error)
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def harmless(text: str) -> str:
    """Return text for a terminal: what would not be seen there, or would be obeyed, is spelt out.

    >>> print(harmless("topic \\x1b[31m"))
    topic \\x1b[31m
    """
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a question that names what is most like an unknown name, or nothing.

    >>> did_you_mean("NDCG10", ["nDCG@10", "P@10"]), did_you_mean("x", ["nDCG@10"])
    ("; did you mean 'nDCG@10'?", '')
    """
    folded = {one.casefold(): one for one in reversed(list(map(str, known)))}
    matches = difflib.get_close_matches(str(name).casefold(), folded, n=1)
    return f"; did you mean {folded[matches[0]]!r}?" if matches else ""
