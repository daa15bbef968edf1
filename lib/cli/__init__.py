"""The commands behind ``python -m lib``; a user's mistake is one line and exit status 2.

A command is a function with its arguments above it, which imports what it needs: ``python -m lib
--help`` waits for nothing.
"""

import argparse
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import lib
from lib.cli import making, printing  # noqa: F401  They name the commands.
from lib.cli.common import COMMANDS
from lib.errors import InputError, InputErrors, InputWarning, harmless

# What a command imports that only an extra brings.
EXTRAS = {"papermill": "report", "nbconvert": "report", "IPython": "report", "myst_nb": "book"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return its exit status.

    0; 1 when the ledger got worse; 2 when the input cannot be used; 130 when interrupted, and 143
    when told to stop, as of any program.
    """
    options = _parser().parse_args(arguments)
    try:
        with warnings.catch_warnings(), _tidy_when_told_to_stop():
            warnings.simplefilter("always", InputWarning)
            warnings.showwarning = _show_warning
            _refuse_no_text(options)
            return options.run(options) or 0
    except InputError as error:
        for line in error.args if isinstance(error, InputErrors) else [str(error)]:
            print(f"error: {harmless(line)}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        if (extra := EXTRAS.get(str(error.name).partition(".")[0])) is None:
            raise
        wanted = f"pip install 'measuring-the-measures[{extra}]'"
        print(f"error: {error.name} is not installed: {wanted}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 128 + signal.SIGINT
    except BrokenPipeError:  # for example `... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


@contextmanager
def _tidy_when_told_to_stop() -> Iterator[None]:
    """Have a polite request to stop end the command as an error does: what it began goes."""
    of_ours = threading.current_thread() is threading.main_thread()
    if not of_ours or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _refuse_no_text(options):
    """Refuse a word without a letter, such as a variable of the shell that is not set, and bytes.

    What is not UTF-8 could not be written down in a data package.
    """
    for name, value in vars(options).items():
        name = name.replace("_", "-")
        for word in value if isinstance(value, list) else [value]:
            if not isinstance(word, str):
                continue
            if not word.strip():
                raise InputError(f"{name}: is empty; say what you mean")
            if any("\ud800" <= c <= "\udfff" for c in word):
                raise InputError(f"{name}: {word!r} is not UTF-8 text")
            if "\0" in word:
                raise InputError(f"{name}: {word!r} holds a zero byte")


def _show_warning(message, category, *place, _other=warnings.showwarning, **options):
    """Print a note on the input in one line; show any other warning as ever."""
    if issubclass(category, InputWarning):
        print(f"note: {harmless(str(message))}", file=sys.stderr)
    else:
        _other(message, category, *place, **options)


def _parser():
    called = Path(sys.argv[0]).name
    parser = argparse.ArgumentParser(
        prog="measures" if called == "measures" else "python -m lib",
        description="Measuring the Measures, from the command line.",
        epilog="Example: %(prog)s evaluate trec8 --measures 'AP P@10' --summary",
    )
    parser.add_argument("--version", action="version", version=lib.__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, (run, example, said) in COMMANDS.items():
        command = commands.add_parser(name, epilog=f"Example: %(prog)s {example}", **said)
        command.set_defaults(run=run, command=command)
    return parser
