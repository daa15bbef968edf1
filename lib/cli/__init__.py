"""The commands behind ``python -m lib``; a user's mistake is one line and exit status 2.

A command is a file here with a function ``add``, which says its arguments, and a function ``run``,
which imports what it needs: ``python -m lib --help`` waits for nothing.
"""

import argparse
import os
import sys
import warnings
from collections.abc import Sequence

from lib.cli import (
    coverage,
    derive,
    editions,
    elsewhere,
    evaluate,
    feedback,
    fetch,
    incomplete,
    ledger,
    reference,
    report,
    roads,
    scores,
    slides,
    table,
    topic_error,
)
from lib.errors import InputError, InputWarning

__all__ = ["main"]

COMMANDS = (
    derive,
    feedback,
    scores,
    evaluate,
    incomplete,
    coverage,
    topic_error,
    elsewhere,
    roads,
    table,
    report,
    fetch,
    ledger,
    reference,
    editions,
    slides,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return its exit status.

    Parameters
    ----------
    arguments : sequence of str, optional
        By default those of the command line.

    Returns
    -------
    int
        0, 1 when the ledger got worse, 2 when the input cannot be used.
    """
    options = _parser().parse_args(arguments)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", InputWarning)
            warnings.showwarning = _show_warning
            return options.run(options) or 0
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # for example `... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _show_warning(message, category, *place, _other=warnings.showwarning, **options):
    """Print a note on the input in one line; show any other warning as ever."""
    if issubclass(category, InputWarning):
        print(f"note: {message}", file=sys.stderr)
    else:
        _other(message, category, *place, **options)


def _parser():
    parser = argparse.ArgumentParser(
        prog="python -m lib", description="Measuring the Measures, from the command line."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add(commands)
    return parser
