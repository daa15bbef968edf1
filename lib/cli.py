"""The commands behind ``python -m lib``; a user's mistake is one line and exit status 2."""

import argparse
import json
import os
import sys
from pathlib import Path

from lib.collection import load
from lib.derive import derive
from lib.errors import InputError
from lib.scoring import evaluate

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
        return options.command(options) or 0
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # for example `... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _parser():
    parser = argparse.ArgumentParser(
        prog="python -m lib", description="Measuring the Measures, from the command line."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    command = commands.add_parser(
        "derive", help="runs and judgements -> a collection",
        description="Reduce TREC runs and judgements to relevance at rank: a collection folder.",
    )
    command.add_argument("runs", metavar="RUNS", help="folder of run files, one a system")
    command.add_argument("qrels", metavar="QRELS", help="file of relevance judgements")
    command.add_argument("--systems", metavar="FILE",
                         help="tab-separated table with columns run, group, type, pooled")
    command.add_argument("--out", metavar="DIR", required=True, help="folder to make")
    command.add_argument("--replace", action="store_true",
                         help="write over DIR when it holds a collection")
    command.add_argument("--name", help="name of the collection (default: the name of DIR)")
    command.add_argument("--scores", choices=("double", "single"), default="double",
                         help="precision in which scores are compared (default: %(default)s; "
                         "single is that of trec_eval 9 and pytrec_eval)")
    command.add_argument("--judged", action="store_true",
                         help="keep the judged non-relevant documents too")
    command.add_argument("--about", metavar="FILE",
                         help="JSON file whose title, description, sources and rights are kept, "
                         "such as an older datapackage.json")
    command.set_defaults(command=_derive)

    command = commands.add_parser(
        "evaluate", help="a collection -> scores of every topic",
        description="Print per-topic scores as CSV: system, topic, measure, score.",
    )
    command.add_argument("collection", metavar="COLLECTION", help="name or folder")
    command.add_argument("--measures", required=True,
                         help="names separated by blanks, such as 'P@10 AP RBP(p=0.95)'")
    command.set_defaults(command=_evaluate)
    return parser


def _derive(options):
    out = Path(options.out)
    about = _about(options.about)
    about["command"] = _command(options)
    collection = derive(
        options.runs, options.qrels, systems=options.systems, name=options.name or out.name,
        scores=options.scores, judged=options.judged,
    )
    collection.save(out, about=about, replace=options.replace)
    print(f"{out}: {len(collection.systems)} systems, {len(collection.topics)} topics, "
          f"{len(collection.relevant)} relevant documents, {len(collection.hits)} hits")


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
    if options.scores != "double":
        words += ["--scores", options.scores]
    if options.judged:
        words += ["--judged"]
    return " ".join([*words, "--out", Path(options.out).name])


def _evaluate(options):
    table = evaluate(load(options.collection), _words(options.measures))
    table.to_csv(sys.stdout, index=False, lineterminator="\n")


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
