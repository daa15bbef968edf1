"""What several commands share: arguments, each a parser of its own, and how they are read."""

import json
import re
import shlex
import sys
import warnings
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

from lib.atomic import refuse_existing
from lib.collection import Collection, Pairs, read_pairs
from lib.collection.package import check_stated, made
from lib.errors import InputError, InputWarning, reason

ABOUT = ("title", "short_title", "description", "sources", "licenses", "rights")
COMMANDS: dict[str, tuple] = {}  # name to what runs it, an example, and what its parser is told
UNSAID = ("about", "command", "jobs", "name", "out", "replace", "run")  # of what is made again


def argument(*names: str, **options: Any) -> ArgumentParser:
    """Return a parser of one argument, a parent of the commands that take it."""
    parser = ArgumentParser(add_help=False)
    parser.add_argument(*names, **options)
    return parser


OUT = argument("--out", metavar="FOLDER", required=True, help="folder to make")
OUT.add_argument(
    "--replace", action="store_true", help="write over FOLDER when it holds such a thing already"
)
STATED = argument("--name", help="name of the collection (default: the name of FOLDER)")
STATED.add_argument(
    "--about",
    metavar="FILE",
    help="JSON file whose title, description, sources, licenses and rights are kept, such as an "
    "older datapackage.json",
)
RUNS = argument("runs", metavar="RUNS", help="folder of run files, one a system")
RUNS.add_argument(
    "--names",
    choices=("file", "clean", "tag"),
    default="file",
    help="what names a system: the file's name, that without .txt, .run, .trec or .res, or "
    "the tag in the file's first line (default: %(default)s)",
)
RUNS.add_argument(
    "--skip",
    metavar="RUN",
    action="append",
    default=[],
    help="leave out a run, by the name of its file or system (can be said again)",
)
RUNS.add_argument(
    "--skip-faulty",
    action="store_true",
    help="leave out runs that cannot be used; datapackage.json says which, and why",
)
RUNS.add_argument(
    "--relevant-from",
    type=int,
    default=1,
    metavar="N",
    help="grade from which binary measures count a document as relevant; gains, as of nDCG, are "
    "those of all grades, and a negative grade is not judged (default: %(default)s)",
)
RUNS.add_argument(
    "--highest-grade",
    type=int,
    metavar="N",
    help="highest grade of the scale of the judgements, which RBP(p=0.8,gain=grade) divides by",
)
COLLECTION = argument("collection", metavar="COLLECTION", help="name or folder")
ASKED = argument("--collection", metavar="NAME_OR_FOLDER", required=True, help="the collection")
MEASURES = argument(
    "--measures",
    default="AP nDCG P@10 RR",
    help="names separated by blanks, such as 'P@10 RBP(p=0.95)' (default: %(default)s)",
)
CORRECTION = argument(
    "--correction",
    choices=("none", "holm"),
    default="none",
    help="of the p values of all comparisons by a measure (default: %(default)s)",
)
CSV = argument("--csv", action="store_true", help="print CSV")
PAIRS = argument(
    "--pairs",
    metavar="FILE",
    help="tab-separated table with columns system, base, feedback: which "
    "runs are one system without and with blind feedback",
)


def command(line: str, description: str, example: str, *arguments: ArgumentParser) -> Callable:
    """Return a decorator that makes a function a command of its name.

    Its arguments: what the command is for, in a line and longer, an example, and what it takes.
    """

    def registered(run):
        said = {"help": line, "description": description, "parents": arguments}
        COMMANDS[run.__name__.replace("_", "-")] = run, example, said
        return run

    return registered


def typed(options: Namespace, *given: str) -> str:
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
            words.append(f"--{name.replace('_', '-')}")
            words += [] if one is True else [Path(str(one)).name]
    called = options.command.prog.rpartition(" ")[2]
    words += ["--out", Path(options.out).name]
    return f"python -m lib {called} {shlex.join(filter(None, words))}"


def refuse_output(options: Namespace) -> None:
    """Refuse a collection's folder that could not be made, before anything is read."""
    for name in (options.name, Path(options.out).name):
        if name and not name.isprintable():
            raise InputError(f"{name!r} cannot name a collection: it holds what cannot be printed")
    refuse_existing(options.out, kind="collection", made=made, replace=options.replace)


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
    for key in ("relevant_from", "highest_grade"):
        if key in found:
            option = key.replace("_", "-")
            raise InputError(f"{file}: {key} is not read from there; say --{option} {found[key]}")
    stated = {key: found[key] for key in ABOUT if key in found}
    try:
        check_stated(stated)
    except ValueError as error:
        raise InputError(f"{file}: {error}") from None
    return stated


def measures(text: str) -> list[str]:
    """Split names at blanks and at commas outside parentheses; there is one or more.

    >>> measures("P@10, RBP(p=0.8,rel=2) AP")
    ['P@10', 'RBP(p=0.8,rel=2)', 'AP']
    """
    found = re.findall(r"(?:\([^)]*\)?|[^\s,(])+", text)
    if not found:
        raise InputError(f"--measures: {text!r} names no measure")
    return found


def opened(name: str, **options: Any) -> Collection:
    """Load a collection; a note says from which grade on it counts documents as relevant."""
    from lib.collection import load

    collection = load(name, **options)
    if collection.relevant_from > 1:
        grade = collection.relevant_from
        warnings.warn(
            f"{name}: binary measures count documents of grade {grade} or more as relevant",
            InputWarning,
            stacklevel=2,
        )
    return collection


def choice_of_runs(options: Namespace) -> dict[str, Any]:
    """Return the arguments of ``RUNS`` as :func:`lib.collection.derive` takes them."""
    names = ("relevant_from", "highest_grade", "names", "skip", "skip_faulty")
    return {name: getattr(options, name) for name in names}


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
        raise ArgumentTypeError(f"{text!r} is not a whole number of 2 or more")
    return int(text)


def show(table: pd.DataFrame) -> None:
    """Print a table as CSV."""
    table.to_csv(sys.stdout, index=False, lineterminator="\n")
