"""The commands behind ``python -m lib``; a user's mistake is one line and exit status 2."""

import argparse
import json
import os
import sys
import warnings
from pathlib import Path

import pandas as pd

from lib import ledger as books
from lib.collection import derive, load, read_pairs
from lib.errors import InputError, InputWarning
from lib.measures import evaluate, score_tables
from lib.originals.fetch import SOURCES, fetch
from lib.papers import PAPERS, compute, paper
from lib.published import compare
from lib.statistics.bootstrap import POPULATIONS, coverage
from lib.statistics.incomplete import degradation

__all__ = ["main"]


def main(arguments=None):
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
            return options.command(options) or 0
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

    command = commands.add_parser(
        "derive",
        help="runs and judgements -> a collection",
        description="Reduce TREC runs and judgements to relevance at rank: a collection folder.",
    )
    command.add_argument("runs", metavar="RUNS", help="folder of run files, one a system")
    command.add_argument("qrels", metavar="QRELS", help="file of relevance judgements")
    command.add_argument(
        "--systems",
        metavar="FILE",
        help="tab-separated table with columns run, group, type, pooled",
    )
    _add_output(command)
    command.add_argument(
        "--rel",
        type=int,
        default=1,
        metavar="N",
        help="documents of grade N or more are relevant, of grade 0 to N-1 "
        "judged non-relevant, of a negative grade not judged "
        "(default: %(default)s)",
    )
    command.add_argument(
        "--scores",
        choices=("double", "single"),
        default="double",
        help="precision in which scores are compared (default: %(default)s; "
        "single is that of trec_eval 9 and pytrec_eval)",
    )
    command.add_argument(
        "--judged", action="store_true", help="keep the judged non-relevant documents too"
    )
    command.set_defaults(command=_derive)

    command = commands.add_parser(
        "feedback",
        help="a text collection -> seven systems with and without blind feedback",
        description="Search a text collection with every system of lib.retrieval, with and "
        "without blind feedback, and keep relevance at rank: a collection folder.",
    )
    command.add_argument(
        "folder", metavar="FOLDER", help="folder with docs.jsonl, queries.tsv and qrels.txt"
    )
    _add_output(command)
    command.add_argument(
        "--grid",
        action="store_true",
        help="score each topic over a grid of feedback documents, terms and "
        "weight instead (slower: 252 runs)",
    )
    command.set_defaults(command=_feedback)

    command = commands.add_parser(
        "evaluate",
        help="a collection -> scores of every topic",
        description="Print per-topic scores as CSV: system, topic, measure, score.",
    )
    command.add_argument("collection", metavar="COLLECTION", help="name or folder")
    command.add_argument(
        "--measures", required=True, help="names separated by blanks, such as 'P@10 AP RBP(p=0.95)'"
    )
    command.set_defaults(command=_evaluate)

    command = commands.add_parser(
        "incomplete",
        help="a collection -> how rankings hold up with ever fewer judgements",
        description="Remove judgements at random and print, as CSV, the tau of each measure's "
        "ranking with that by all judgements (see lib.statistics.incomplete.degradation).",
    )
    command.add_argument(
        "collection", metavar="COLLECTION", help="folder of a collection derived with --judged"
    )
    command.add_argument(
        "--repeats",
        type=_count,
        default=20,
        metavar="N",
        help="random removals (default: %(default)s)",
    )
    command.set_defaults(command=_incomplete)

    command = commands.add_parser(
        "coverage",
        help="a collection -> how often intervals of tau hold the truth",
        description="Simulate topics and print, as CSV, the coverage of bootstrap intervals of "
        "tau (see lib.statistics.bootstrap.coverage).",
    )
    command.add_argument("collection", metavar="COLLECTION", help="name or folder")
    command.add_argument(
        "--measures", required=True, help="names separated by blanks; every pair is simulated"
    )
    command.add_argument(
        "--simulations",
        type=_count,
        default=1000,
        metavar="N",
        help="samples of topics (default: %(default)s)",
    )
    command.add_argument(
        "--resamples",
        type=_count,
        default=400,
        metavar="N",
        help="resamples of each sample (default: %(default)s)",
    )
    command.set_defaults(command=_coverage)

    command = commands.add_parser(
        "table",
        help="a table of a paper: published, reproduced, difference, verdict",
        description="Compute a table of a paper and set it beside the printed one.",
    )
    command.add_argument("paper", metavar="PAPER", help=", ".join(PAPERS))
    command.add_argument("number", metavar="NUMBER", help="number of the table")
    command.add_argument(
        "--collection",
        metavar="NAME_OR_FOLDER",
        help="compute it from this collection (default: the paper's own)",
    )
    _add_pairs(command)
    command.add_argument("--csv", action="store_true", help="print CSV")
    command.set_defaults(command=_table)

    command = commands.add_parser(
        "report",
        help="a collection -> every table and figure on one page",
        description="Compute every table and figure of the four papers from a collection, and "
        "write them as one static page, FOLDER/index.html, with the numbers of all tables in "
        "FOLDER/numbers.csv.",
    )
    command.add_argument(
        "--collection", metavar="NAME_OR_FOLDER", required=True, help="the collection"
    )
    command.add_argument("--out", metavar="FOLDER", required=True, help="folder to make")
    command.add_argument(
        "--replace", action="store_true", help="write over FOLDER when it holds a report"
    )
    _add_pairs(command)
    command.set_defaults(command=_report)

    command = commands.add_parser(
        "fetch",
        help="public originals -> a folder: runs and judgements, or texts",
        description="Download public originals at a pinned commit and check each file by its "
        "SHA-256. What was downloaded before an interruption is kept and not fetched again.",
    )
    command.add_argument("name", metavar="NAME", choices=list(SOURCES), help=", ".join(SOURCES))
    command.add_argument("--to", metavar="FOLDER", required=True, help="folder to make")
    command.set_defaults(command=_fetch)

    command = commands.add_parser(
        "ledger",
        help="every published number, ours, and a verdict",
        description="Compute every number and claim of the four papers and compare the verdicts "
        "with the committed ones; exit with status 1 when one is worse.",
    )
    command.add_argument("--csv", action="store_true", help="print all rows as CSV")
    command.add_argument(
        "--write",
        action="store_true",
        help="commit the result: data/ledger.csv, the book's page, the README",
    )
    command.set_defaults(command=_ledger)
    return parser


def _add_output(command):
    command.add_argument("--out", metavar="DIR", required=True, help="folder to make")
    command.add_argument(
        "--replace", action="store_true", help="write over DIR when it holds a collection"
    )
    command.add_argument("--name", help="name of the collection (default: the name of DIR)")
    command.add_argument(
        "--about",
        metavar="FILE",
        help="JSON file whose title, description, sources and rights are kept, "
        "such as an older datapackage.json",
    )


def _add_pairs(command):
    command.add_argument(
        "--pairs",
        metavar="FILE",
        help="tab-separated table with columns system, base, feedback: which "
        "runs are one system without and with blind feedback",
    )


def _derive(options):
    out = Path(options.out)
    about = _about(options.about)
    about["command"] = _command(options)
    collection = derive(
        options.runs,
        options.qrels,
        systems=options.systems,
        name=options.name or out.name,
        rel=options.rel,
        scores=options.scores,
        judged=options.judged,
    )
    collection.save(out, about=about, replace=options.replace)
    print(f"{out}: {_contents(collection)}")


def _contents(collection):
    return (
        f"{len(collection.systems)} systems, {len(collection.topics)} topics, "
        f"{len(collection.relevant)} relevant documents, {len(collection.hits)} hits"
    )


def _feedback(options):
    # Imported here: the other commands need no search engine.
    from lib.retrieval import read_corpus
    from lib.retrieval.experiment import experiment, grid, save_grid

    out = Path(options.out)
    name = options.name or out.name
    about = _about(options.about)
    about["command"] = " ".join(
        [
            "python -m lib feedback",
            Path(options.folder).name,
            *["--grid"] * options.grid,
            "--out",
            out.name,
        ]
    )
    corpus = read_corpus(options.folder)
    if options.grid:
        table = grid(corpus, name)
        save_grid(table, out, name=name, about=about, replace=options.replace)
        settings = len(table.drop_duplicates(["system", "documents", "terms", "weight"]))
        print(f"{out}: {settings} settings, {len(table)} rows")
    else:
        collection = experiment(corpus, name)
        collection.save(out, about=about, replace=options.replace)
        print(f"{out}: {_contents(collection)}")


def _about(file):
    if file is None:
        return {}
    try:
        about = json.loads(Path(file).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{file}: cannot be read as JSON ({reason})") from None
    if not isinstance(about, dict):
        raise InputError(f"{file}: holds no JSON object")
    kept = ("title", "description", "sources", "rights")
    return {key: about[key] for key in kept if key in about}


def _command(options):
    """Return the command that makes the collection again; folders above the input are left out."""
    words = ["python -m lib derive", Path(options.runs).name, Path(options.qrels).name]
    if options.systems:
        words += ["--systems", Path(options.systems).name]
    if options.rel != 1:
        words += ["--rel", str(options.rel)]
    if options.scores != "double":
        words += ["--scores", options.scores]
    if options.judged:
        words += ["--judged"]
    return " ".join([*words, "--out", Path(options.out).name])


def _evaluate(options):
    _print(evaluate(load(options.collection), _words(options.measures)))


def _table(options):
    name, number = options.paper, options.number.removeprefix("Table ")
    if name not in PAPERS:
        raise InputError(f"no paper {name!r}; the book has {', '.join(PAPERS)}")
    module = paper(name)
    if number not in module.TABLES:
        known = ", ".join(module.TABLES)
        raise InputError(f"{name}: no table {options.number!r}; it has {known}")
    collection = load(options.collection) if options.collection else None
    pairs = _pairs(options, collection)
    try:
        ours = compute(module.TABLES[number], collection, pairs=pairs)
    except InputError as error:
        raise InputError(f"{name}, table {number}: {error}") from None
    own = None if collection is None else _is_own(collection, module.SIZES[number])
    result = compare(name, f"Table {number}", ours, own=own)
    result.insert(0, "paper", name)
    result.insert(1, "table", number)
    columns = [
        "paper",
        "table",
        "row",
        "column",
        "published",
        "reproduced",
        "difference",
        "verdict",
    ]
    if options.csv:
        result[columns].to_csv(sys.stdout, index=False, lineterminator="\n")
        return
    print(f"{PAPERS[name]}, Table {number}")
    print(_readable(result[columns[2:]]))


def _pairs(options, collection):
    if options.pairs is None:
        return None
    if collection is None:
        raise InputError("--pairs goes with --collection")
    return read_pairs(options.pairs, collection.systems.index)


def _is_own(collection, sizes):
    """Return whether a collection has the size, or one of the sizes, of a table's own data."""
    size = (len(collection.systems), len(collection.topics))
    return size in (sizes if isinstance(sizes, list) else [sizes])


def _report(options):
    # Imported here: the other commands need not wait for the drawing library.
    from lib.report import report

    collection = load(options.collection)
    out = report(
        collection, options.out, pairs=_pairs(options, collection), replace=options.replace
    )
    print(
        f"{out.computed} tables and figures in {Path(options.out) / 'index.html'}, "
        f"{out.missing} that cannot be computed"
    )


def _fetch(options):
    print(fetch(options.name, options.to))


def _readable(table):
    shown = table.copy()
    for column, form in (("reproduced", "{:.4f}"), ("difference", "{:+.4f}")):
        shown[column] = [
            "-" if value is None or value != value else form.format(value)
            for value in table[column]
        ]
    return shown.to_string(index=False)


def _ledger(options):
    now = books.ledger()
    if options.write:
        books.write(now)
    if options.csv:
        now.to_csv(sys.stdout, index=False, lineterminator="\n")
    else:
        print(books.totals(now).to_string())
        differing = now[now["verdict"] == "differs"]
        for row in differing.itertuples():
            print(
                f"differs: {row.paper}, {row.place}, {row.row}, {row.column}: "
                f"published {row.published}, ours {row.reproduced}. {row.cause}"
            )
    worse = books.worse(now, books.committed())
    for row in worse.itertuples():
        print(
            f"worse than committed: {row.paper}, {row.place}, {row.row}, {row.column}: "
            f"{row.verdict_before} -> {row.verdict}",
            file=sys.stderr,
        )
    return 1 if len(worse) else 0


def _incomplete(options):
    collection = load(options.collection, judged=True)
    _print(degradation(collection, repeats=options.repeats).round(6))


def _coverage(options):
    collection = load(options.collection)
    tables = score_tables(collection, _words(options.measures))
    if len(tables) < 2:
        raise InputError("--measures: a correlation needs two measures or more")
    found = {
        name: coverage(
            tables,
            population=name,
            simulations=options.simulations,
            number=options.resamples,
            seed=2007,
        )
        for name in POPULATIONS
    }
    _print(pd.concat(found, names=["population"]).round(6).reset_index())


def _print(table):
    table.to_csv(sys.stdout, index=False, lineterminator="\n")


def _count(text):
    """Read a number of repetitions: 2 or more, since a spread is taken of them."""
    if not text.isdecimal() or int(text) < 2:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of 2 or more")
    return int(text)


def _words(text):
    """Split names at blanks and at commas outside parentheses."""
    words, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if depth == 0 and character in " ,\t\n":
            words.append("")
        else:
            words[-1] += character
    return list(filter(None, words))
