"""The one error that a user's input can cause, and what is worth telling without one."""


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
