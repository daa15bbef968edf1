"""What several commands share: arguments, each a parser of its own, and how they are read."""

import json
import math
import re
import shlex
import sys
import warnings
from argparse import Action, ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from lib.atomic import refuse_existing
from lib.display import markdown
from lib.display.plain import digits, names_and_rows, write_csv
from lib.errors import InputError, InputWarning, did_you_mean

if TYPE_CHECKING:
    import pandas as pd

    from lib.collection import Collection

COMMANDS: dict[str, tuple] = {}  # name to what runs it, an example, and what its parser is told
# What chapter 6 adds to --unjudged: a table of what runs lost outside a pool, and lines on it.
LOST_OUTSIDE: tuple[Callable, Callable] | None = None
# Of chapter 5, what foretell weighs a forecast with: leads of the book's other collections.
OLDER_LEADS: Callable | None = None
WITHOUT_SHARES = (
    "--unjudged: what runs lost outside a pool is left out, since chapter 6's shares are not here; "
    "a clone of the project has them, and so has its wheel"
)
_UNSAID = ("about", "command", "jobs", "out", "replace", "run")  # of what is made again


class Once(Action):
    """Set an option, and refuse it a second time, where argparse would take the last value."""

    def __call__(
        self,
        parser: ArgumentParser,
        namespace: Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Set an option, or a word without one."""
        seen = vars(parser).setdefault("seen", set())
        if option_string and self.dest in seen:
            parser.error(f"argument {option_string}: is given twice")
        seen.add(self.dest)
        setattr(namespace, self.dest, values)


class MeasuresOrHelp(Once):
    """The measures of a command; ``help`` prints all that there are, with their options."""

    def __call__(
        self,
        parser: ArgumentParser,
        namespace: Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Set the option, or print and end the program as ``--help`` does."""
        if values == "help":
            from lib.measures.options import listing

            print(listing())
            parser.exit()
        super().__call__(parser, namespace, values, option_string)


def argument(*names: str, **options: Any) -> ArgumentParser:
    """Return a parser of one argument, a parent of the commands that take it."""
    parser = ArgumentParser(add_help=False)
    parser.register("action", None, Once)
    parser.add_argument(*names, **options)
    return parser


OUT = argument("--out", metavar="FOLDER", required=True, help="folder to make")
OUT.add_argument("--replace", action="store_true", help="write over FOLDER, if it is such a thing")
STATED = argument(
    "--about", metavar="FILE", help="JSON file with title, description, sources, licenses, rights"
)
# Of run files and judgements.
CHOICE = argument(
    "--names",
    choices=("file", "clean"),
    default="file",
    help="name of a system: that of its file, or the same without .txt, .run, .trec or .res",
)
CHOICE.add_argument(
    "--skip", metavar="RUN", action="append", default=[], help="run to leave out (can be repeated)"
)
CHOICE.add_argument("--skip-faulty", action="store_true", help="leave out runs that cannot be used")
CHOICE.add_argument(
    "--without-own",
    action="store_true",
    help="leave a document that is named like its topic out of each list, as BEIR does",
)
CHOICE.add_argument(
    "--relevant-from",
    type=int,
    default=1,
    metavar="N",
    help="lowest grade that binary measures count as relevant; gains, as of nDCG, are of all "
    "grades, and a negative grade is not judged (default: %(default)s)",
)
CHOICE.add_argument(
    "--highest-grade",
    type=int,
    metavar="N",
    help="top of the scale, for ERR, RBP(gain=grade) and weighted kappa; "
    "by default ERR takes 4, as gdeval, where no grade is above",
)
CHOICE.add_argument(
    "--scores",
    choices=("double", "single"),
    default="double",
    help="precision in which scores are compared: double, as trec_eval 10; single, as trec_eval 9, "
    "pytrec_eval and ir_measures (default: %(default)s)",
)
RUNS_ARGUMENT = argument(
    "runs", metavar="RUNS", help="folder of run files, one a system, or a run file"
)
QRELS_ARGUMENT = argument("qrels", metavar="QRELS", help="file of relevance judgements")
COLLECTION_ARGUMENT = argument("collection", metavar="COLLECTION", help="name or folder")
COLLECTION_OPTION = argument(
    "--collection", metavar="NAME_OR_FOLDER", required=True, help="the collection"
)
MEASURES_OPTION = argument(
    "--measures",
    action=MeasuresOrHelp,
    default="AP nDCG P@10 RR",
    help="names such as 'P@10 RBP(p=0.95)', or trec_eval's, ir_measures' or ranx's; they follow "
    "trec_eval 10, IPrec and 11ptAP version 9 unless trec_eval=10 is said, ERR and nDCG(gain=exp) "
    "gdeval (default: %(default)s); --measures help lists all of them with their options",
)
TOPICS_OPTION = argument(
    "--topics",
    metavar="judged|answered|FILE",
    default="judged",
    help="topics that count: judged, where one without an answer is an empty list (trec_eval -c); "
    "answered alone (trec_eval without -c); or those that a file names (default: %(default)s)",
)
JUDGED_ONLY_OPTION = argument(
    "--judged-only", action="store_true", help="leave unjudged documents out of each list"
)
UNJUDGED_OPTION = argument(
    "--unjudged",
    action="store_true",
    help="print beside scores the share judged of what they look at, and what they would be if the "
    "rest were relevant; beside means, what runs with as much unjudged lost outside a pool",
)
FORMAT_OPTION = argument(
    "--format",
    choices=("text", "csv", "json", "latex", "markdown"),
    help="format of the output (default: text on a terminal, else csv)",
)
PAPER_FORMATS = ("latex", "markdown")  # of these, some commands have a table for a paper
CORRECTION_OPTION = argument(
    "--correction", choices=("none", "holm"), default="none", help="correction, by measure"
)
PAIRS_OPTION = argument(
    "--pairs", metavar="FILE", help="tab-separated table: system, base, feedback (the two are runs)"
)


def command(example: str, *arguments: ArgumentParser, extra: str | None = None) -> Callable:
    """Return a decorator that makes a function a command of its name.

    Its help is the function's docstring; ``arguments`` are what it takes, ``extra`` what else has
    to be installed.
    """
    needs = f"  It needs pip install 'measuring-the-measures[{extra}]'." if extra else ""

    def registered(run: Callable) -> Callable:
        text = run.__doc__ or ""
        options = {
            "help": text.partition("\n")[0],
            "description": text + needs,
            "parents": arguments,
        }
        COMMANDS[run.__name__.replace("_", "-")] = run, example, options
        return run

    return registered


def typed(options: Namespace, *given: str) -> str:
    """Return the command that makes something again; folders above what it names are left out.

    ``given`` are the arguments that have no name of their own, in order.
    """
    words = [Path(getattr(options, name)).name for name in given]
    for name, value in vars(options).items():
        if name in (*given, *_UNSAID) or value == options.command.get_default(name):
            continue
        for one in value if isinstance(value, list) else [value]:
            words.append(f"--{name.replace('_', '-')}")
            words += [] if one is True else [Path(str(one)).name]
    called = options.command.prog.rpartition(" ")[2]
    words += ["--out", Path(options.out).name]
    return f"python -m lib {called} {shlex.join(filter(None, words))}"


def refuse_output(options: Namespace) -> None:
    """Refuse a collection's folder that could not be made, before anything is read."""
    from lib.collection.package import made

    if not (name := Path(options.out).name).isprintable():
        raise InputError(f"{name!r} cannot name a collection: it holds what cannot be printed")
    refuse_existing(options.out, kind="collection", made=made, replace=options.replace)


def measures(text: str) -> list[str]:
    """Split names at blanks and at commas outside parentheses; there is one or more.

    >>> measures("P@10, RBP(p=0.8,rel=2) AP")
    ['P@10', 'RBP(p=0.8,rel=2)', 'AP']
    """
    names = re.findall(r"(?:\([^)]*\)?|[^\s,(])+", text)
    if not names:
        raise InputError(f"--measures: {text!r} names no measure")
    return names


def opened(name: str, **options: Any) -> "Collection":
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


def refuse_options(options: Namespace, names: Iterable[str], where: str) -> None:
    """Refuse options that are set; ``where`` is what they go with."""
    for name in names:
        value, default = getattr(options, name), options.command.get_default(name)
        if value not in (default, None):
            raise InputError(f"--{name.replace('_', '-')} goes with {where}")


def choice_of_runs(options: Namespace) -> dict[str, Any]:
    """Return the arguments of ``CHOICE`` as :func:`lib.collection.derive` takes them."""
    names = (
        "relevant_from",
        "highest_grade",
        "names",
        "scores",
        "skip",
        "skip_faulty",
        "without_own",
    )
    return {name: getattr(options, name) for name in names}


def given(
    options: Namespace,
    runs: Any,
    qrels: str | None,
    measures: Sequence[str],
    systems: Sequence[str] = (),
) -> "Collection":
    """Return the collection that a command was given, with the topics and systems asked for.

    ``runs`` are files, names of systems with a file each, or a collection.  Of run files and
    judgements it is derived, and not kept; - is what comes in by a pipe.
    """
    from lib.collection.derive import note_on_gaps
    from lib.measures import parse

    if qrels is not None:
        if options.topics == "answered":
            warnings.filterwarnings("ignore", "topics that are judged", InputWarning)
        return _narrowed(_derived(options, runs, qrels), options)
    refuse_options(options, choice_of_runs(options), "RUNS QRELS")
    if Path(runs[0]).is_file():
        raise InputError(f"{runs[0]}: is a file; give QRELS after it, the judgements")
    of_judged = any(parse(measure).definition.judged for measure in measures)
    judged = options.unjudged or options.judged_only or of_judged
    collection = opened(runs[0], judged=judged)
    known = collection.systems.index
    for run in systems:
        if run not in known:
            raise InputError(f"{runs[0]}: there is no run {run!r}{did_you_mean(run, known)}")
    collection = collection.select(systems=systems or None)
    if options.topics == "judged":
        missing, topics = collection.retrieved < 0, collection.topics.index
        missing &= ~missing.all(axis=1, keepdims=True)
        note_on_gaps({run: topics[gaps] for run, gaps in zip(collection.systems.index, missing.T)})
    return _narrowed(collection, options)


def _narrowed(collection: "Collection", options: Namespace) -> "Collection":
    """Return a collection with the topics that a file names, or all; with judged documents only."""
    from lib.collection.text_files import text_lines
    from lib.measures.unjudged import judged_alone

    chosen = options.topics
    if options.judged_only:
        collection = judged_alone(collection)
    if chosen in ("judged", "answered"):
        return collection
    known = collection.topics.index
    blanks = any(len(topic.split()) > 1 for topic in known)  # else a line's first word is one
    lines = (line.split("\t")[0].strip() for line in text_lines(chosen, kind="list of topics"))
    if not (asked := {line if blanks else line.split()[0] for line in lines if line}):
        raise InputError(f"{chosen}: names no topic")
    for topic in sorted(asked.difference(known)):
        raise InputError(f"{chosen}: topic {topic!r} is not judged{did_you_mean(topic, known)}")
    return collection.select(topics=known[known.isin(asked)])


def _derived(options: Namespace, runs: Any, qrels: str) -> "Collection":
    """Derive a collection of files; what comes in by a pipe stands in a file meanwhile."""
    from lib.collection import derive

    with TemporaryDirectory() as folder:
        piped = Path(folder) / "stdin"
        if [*runs, qrels].count("-") > 1:
            raise InputError("- can stand for one file only")
        if "-" in (*runs, qrels):
            piped.write_bytes(sys.stdin.buffer.read())
        *files, judged = (str(piped) if path == "-" else path for path in (*runs, qrels))
        source = runs if isinstance(runs, Mapping) else files if files[1:] else files[0]
        try:
            return derive(source, judged, judged=True, pools=False, **choice_of_runs(options))
        except InputError as error:
            lines = [line.replace(f"{folder}/", "") for line in error.args]
            raise type(error)(*lines) from None


def rounded(table: "pd.DataFrame") -> "pd.DataFrame":
    """Round numbers to six decimals, and p values, which may be small, to six digits."""
    of_p = [c for c in table if str(c).startswith("p") and table[c].dtype == float]
    table = table.round(dict.fromkeys([c for c in table if c not in of_p], 6))
    return table.assign(**{str(c): table[c].map(lambda p: float(f"{p:.6g}")) for c in of_p})


def print_table(table: Any, form: str | None = None) -> None:
    """Print a frame, or lists by the names of their columns, in a format of ``FORMAT``."""
    form = form or ("text" if sys.stdout.isatty() else "csv")
    if form == "csv":
        write_csv(table, sys.stdout)
        return
    names, rows = names_and_rows(table)
    if form == "json":
        endless = (math.inf, -math.inf)  # JSON has no word for it
        known = [[None if cell in endless else cell for cell in row] for row in rows]
        print(json.dumps([dict(zip(names, row)) for row in known], indent=1))
        return
    texts = [list(map(digits, row)) for row in rows]
    if form == "text":
        widths = [max(map(len, column)) for column in zip(names, *texts)]
        for row in (names, *texts):
            print(" ".join(map(str.rjust, row, widths)))
    elif form == "markdown":
        cells = [list(map(markdown.escaped, row)) for row in texts]
        print("\n".join(markdown.table_lines(names, cells)))
    else:
        from lib.reporting.paper_table import BOOKTABS, tabular, tex

        print(BOOKTABS, *tabular(names, [list(map(tex, row)) for row in texts]), sep="\n")
