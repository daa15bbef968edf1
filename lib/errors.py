"""The one error that a user's input can cause, and what is worth telling without one."""

__all__ = ["InputError", "InputWarning", "reason"]


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
