"""What several commands share."""

import argparse
import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

from lib.atomic import refuse_existing
from lib.collection import Collection, Pairs, read_pairs
from lib.collection.package import check_stated, made
from lib.errors import InputError, reason

ABOUT = ("title", "short_title", "description", "sources", "licenses", "rights", "relevant_from")


UNSAID = ("about", "command", "jobs", "name", "out", "replace", "run")  # of what is made again


def add(
    commands: Any, name: str, run: Callable, line: str, description: str, example: str
) -> argparse.ArgumentParser:
    """Add a command: its name, what runs it, what it is for, in a line and longer, an example."""
    command = commands.add_parser(
        name, help=line, description=description, epilog=f"Example: %(prog)s {example}"
    )
    command.set_defaults(run=run, command=command)
    return command


def typed(options: argparse.Namespace, *given: str) -> str:
    """Return the command that makes something again; folders above what it names are left out.

    Parameters
    ----------
    options : Namespace
    *given : str
        The arguments that have no name of their own, in order.
    """
    words = [Path(getattr(options, name)).name for name in given]
    for name, value in vars(options).items():
        if name in (*given, *UNSAID) or value == options.command.get_default(name):
            continue
        for one in value if isinstance(value, list) else [value]:
            words += [
                f"--{name.replace('_', '-')}",
                *([] if one is True else [Path(str(one)).name]),
            ]
    called = options.command.prog.rpartition(" ")[2]
    words += ["--out", Path(options.out).name]
    return f"python -m lib {called} {shlex.join(filter(None, words))}"


def add_output(command: argparse.ArgumentParser, kind: str = "collection") -> None:
    """Add the arguments of a command that makes a data package; the kind is what it is called."""
    command.add_argument("--out", metavar="DIR", required=True, help="folder to make")
    command.add_argument(
        "--replace", action="store_true", help=f"write over DIR when it holds a {kind}"
    )
    command.add_argument("--name", help=f"name of the {kind} (default: the name of DIR)")
    command.add_argument(
        "--about",
        metavar="FILE",
        help="JSON file whose title, description, sources, licenses, rights and relevant_from "
        "(the lowest grade that binary measures count) are kept, "
        "such as an older datapackage.json",
    )


def refuse_output(options: argparse.Namespace, kind: str = "collection") -> None:
    """Refuse a folder of ``--out`` that could not be made, before anything is read."""
    for name in (options.name, Path(options.out).name):
        if name and not name.isprintable():
            raise InputError(f"{name!r} cannot name a {kind}: it holds what cannot be printed")
    refuse_existing(options.out, kind=kind, made=made, replace=options.replace)


def about(file: str | None) -> dict:
    """Return what a data package is to say of itself, from a file of ``--about``."""
    if file is None:
        return {}
    try:
        found = json.loads(Path(file).read_bytes())
    except RecursionError:
        raise InputError(f"{file}: cannot be read as JSON (it is nested too deeply)") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{file}: cannot be read as JSON ({reason(error)})") from None
    if not isinstance(found, dict):
        raise InputError(f"{file}: holds no JSON object")
    stated = {key: found[key] for key in ABOUT if key in found}
    try:
        check_stated(stated)
    except ValueError as error:
        raise InputError(f"{file}: {error}") from None
    return stated


def add_measures(command: argparse.ArgumentParser, text: str) -> None:
    """Add ``--measures``; the text says what becomes of them."""
    command.add_argument("--measures", required=True, help=f"names separated by blanks{text}")


def measures(text: str) -> list[str]:
    """Split names at blanks and at commas outside parentheses; there is one or more."""
    words, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if depth == 0 and character in " ,\t\n":
            words.append("")
        else:
            words[-1] += character
    found = list(filter(None, words))
    if not found:
        raise InputError(f"--measures: {text!r} names no measure")
    return found


def add_choice_of_runs(command: argparse.ArgumentParser) -> None:
    """Add the arguments that say which files of a folder are runs of which systems."""
    command.add_argument(
        "--names",
        choices=("file", "clean", "tag"),
        default="file",
        help="what names a system: the file's name, that without .txt, .run, .trec or .res, or "
        "the tag in the file's first line (default: %(default)s)",
    )
    command.add_argument(
        "--skip",
        metavar="RUN",
        action="append",
        default=[],
        help="leave out a run, by the name of its file or system (can be said again)",
    )
    command.add_argument(
        "--skip-faulty",
        action="store_true",
        help="leave out the runs that cannot be used; datapackage.json says which, and why",
    )


def choice_of_runs(options: argparse.Namespace) -> dict[str, Any]:
    """Return these arguments as :func:`lib.collection.derive` takes them."""
    return {name: getattr(options, name) for name in ("names", "skip", "skip_faulty")}


def add_pairs(command: argparse.ArgumentParser) -> None:
    """Add ``--pairs``."""
    command.add_argument(
        "--pairs",
        metavar="FILE",
        help="tab-separated table with columns system, base, feedback: which "
        "runs are one system without and with blind feedback",
    )


def pairs(file: str | None, collection: Collection | None) -> Pairs | None:
    """Return the pairs of runs that a file of ``--pairs`` names."""
    if file is None:
        return None
    if collection is None:
        raise InputError("--pairs goes with --collection")
    return read_pairs(file, collection.systems.index)


def count(text: str) -> int:
    """Read a number of repetitions: 2 or more, since a spread is taken of them."""
    if not text.isdecimal() or int(text) < 2:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of 2 or more")
    return int(text)


def show(table: pd.DataFrame) -> None:
    """Print a table as CSV."""
    table.to_csv(sys.stdout, index=False, lineterminator="\n")
