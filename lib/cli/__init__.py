"""The commands behind ``python -m lib``; a user's mistake is one line and exit status 2.

A command is a function with its arguments above it, which imports what it needs: ``python -m lib
--help`` waits for nothing.  The book's chapters have commands too.  They are found where a checkout
or a wheel has the chapters, beside this package or in it; the library works without them.
"""

import argparse
import io
import os
import re
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import lib
from lib.errors import InputError, InputErrors, InputWarning, harmless, reason
from lib.threads import one_thread

_STOPS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
# What a command imports that only an extra brings.
_EXTRAS = {"papermill": "report", "nbconvert": "report", "IPython": "report", "myst_nb": "book"}
_EXTRAS |= dict.fromkeys("matplotlib pooch requests seaborn Stemmer yaml".split(), "papers")
# Commands of the chapters, so that one that is not there can be told from one that is none.
OF_CHAPTERS = ("report", "table", "elsewhere", "ledger", "plan", "search", "sheets", "qrels")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return its exit status.

    0; 1 when the ledger got worse; 2 when the input cannot be used, or the output not be written;
    130 when interrupted, 143 and 129 when told to stop, as of any program.
    """
    one_thread()
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the shell
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream := getattr(sys, name), io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # of a name that its encoding lacks
    options = argparse.Namespace()
    try:
        with warnings.catch_warnings(), _tidy_when_told_to_stop():
            warnings.simplefilter("always", InputWarning)
            warnings.showwarning = partial(_show_warning, set())
            options = _parsed(sys.argv[1:] if arguments is None else arguments)
            _refuse_no_text(options)
            from lib.collection.text_files import pipes_kept  # here: --help does not wait for it

            with pipes_kept():
                status = options.run(options) or 0
            sys.stdout.flush()
            return status
    except InputError as error:
        for line in error.args if isinstance(error, InputErrors) else [str(error)]:
            print(f"error: {harmless(line)}", file=sys.stderr)
    except ModuleNotFoundError as error:
        if (extra := _EXTRAS.get(str(error.name).partition(".")[0])) is None:
            raise
        wanted = f"pip install 'measuring-the-measures[{extra}]'"
        print(f"error: {error.name} is not installed: {wanted}", file=sys.stderr)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 128 + signal.SIGINT
    except BrokenPipeError:  # for example `... | head`
        _drop_output()
        return 0
    except (OSError, OverflowError, MemoryError) as error:  # a full disk, a folder that is gone
        what, made = harmless(reason(error)) or "out of memory", getattr(options, "out", None)
        if place := getattr(error, "filename", None):
            what = f"{place}: {what}"
        elif isinstance(error, OSError) and made and os.path.exists(made):
            what = f"{what}, so nothing is printed here; {made} is whole"
        print(f"error: {what}", file=sys.stderr)
        _drop_output()
    return 2


def _drop_output() -> None:
    """Have what is still to be written go nowhere, so that nothing fails at the end once more."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _tidy_when_told_to_stop() -> Iterator[None]:
    """Have a polite request to stop end the command as an error does: what it began goes."""
    alone = threading.current_thread() is threading.main_thread()
    ours = [one for one in _STOPS if alone and signal.getsignal(one) is signal.SIG_DFL]
    for one in ours:
        signal.signal(one, lambda number, frame: sys.exit(128 + number))
    try:
        yield
    finally:
        for one in ours:
            signal.signal(one, signal.SIG_DFL)


def _refuse_no_text(options: argparse.Namespace) -> None:
    """Refuse a word without a letter, such as a variable of the shell that is not set, and bytes.

    What is not UTF-8 could not be written down in a data package.
    """
    for name, value in vars(options).items():
        name = name.replace("_", "-")
        for word in value if isinstance(value, list) else [value]:
            if not isinstance(word, str):
                continue
            if not word.strip():
                raise InputError(f"{name}: is empty; give a name")
            if re.search("[\0\ud800-\udfff]", word):
                raise InputError(f"{name}: {word!r} is not UTF-8 text, or holds a zero byte")


def _show_warning(
    shown: set[str],
    message: Warning | str,
    category: type[Warning],
    *place: Any,
    _other: Callable[..., None] = warnings.showwarning,
    **options: Any,
) -> None:
    """Print a note on the input in one line, and once; show any other warning as ever."""
    if not issubclass(category, InputWarning):
        _other(message, category, *place, **options)
    elif str(message) not in shown:
        shown.add(str(message))
        print(f"note: {harmless(str(message))}", file=sys.stderr)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Refuse words in one line, as any other input."""
        hint = ""
        if "expected one argument" in message or "unrecognized arguments: -" in message:
            hint = "; a name that begins with - is given as --OPTION=-x, or after --"
        elif "unrecognized" in message:
            hint = "; several runs are given as a folder of them"
        raise InputError(f"{message}{hint}; see {self.prog} --help")


def _load_chapters() -> None:
    """Load the commands of the book's chapters, if these stand in this package or beside it."""
    here = Path(__file__).resolve().parent.parent
    if (here / "chapters").is_dir():
        import_module(f"{lib.__name__}.chapters.commands")
    elif (here.parent / "chapters" / "commands.py").is_file():
        # First on the path: a folder of this name may stand where the user does.
        sys.path.insert(0, str(here.parent))
        found = Path(str(import_module("chapters").__file__)).resolve().parent
        if found != here.parent / "chapters":
            raise InputError(f"{found} is imported in the place of the book's chapters")
        import_module("chapters.commands")


def _parsed(words: Sequence[str]) -> argparse.Namespace:
    """Return what was typed, as the command takes it."""
    from lib.cli.common import COMMANDS

    parser = _parser()
    if words and words[0] in OF_CHAPTERS and words[0] not in COMMANDS:
        raise InputError(
            f"{words[0]} needs the book's chapters, which are not beside this library; "
            "a clone of the project has them, and so has its wheel"
        )
    return parser.parse_args(words)


def _parser() -> argparse.ArgumentParser:
    # Here, so that they can be interrupted; they name the commands.
    from lib.cli import deriving, evaluating, comparing, correcting, foretelling  # noqa: F401 I001
    from lib.cli.common import COMMANDS

    _load_chapters()
    called = Path(sys.argv[0]).name
    parser = _Parser(
        prog="measures" if called == "measures" else "python -m lib",
        description="Measuring the Measures, from the command line.",
        epilog="Example: %(prog)s compare A.run B.run qrels.txt",
    )
    parser.add_argument("--version", action="version", version=lib.__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, (run, example, options) in COMMANDS.items():
        command = commands.add_parser(name, epilog=f"Example: %(prog)s {example}", **options)
        command.set_defaults(run=run, command=command)
    return parser
