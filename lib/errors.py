"""The one error that a user's input can cause."""

__all__ = ["InputError"]


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
