"""Commands that make a folder: ``derive``, ``feedback`` and ``fetch``."""

from pathlib import Path

from lib.cli import common
from lib.originals.sources import SOURCES


def add_derive(commands):
    """Say the arguments of ``derive``."""
    command = common.add(
        commands,
        "derive",
        derive,
        "runs and judgements -> a collection",
        "Reduce TREC runs and judgements to relevance at rank: a collection folder.",
        "runs qrels.txt --out mine",
    )
    command.add_argument("runs", metavar="RUNS", help="folder of run files, one a system")
    command.add_argument("qrels", metavar="QRELS", help="file of relevance judgements")
    command.add_argument(
        "--systems",
        metavar="FILE",
        help="tab-separated table with columns run, group, type, pooled",
    )
    common.add_output(command)
    command.add_argument(
        "--rel",
        type=int,
        default=1,
        metavar="N",
        help="documents of grade N or more are relevant, of grade 0 to N-1 "
        "judged non-relevant, of a negative grade not judged (default: %(default)s)",
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
    common.add_choice_of_runs(command)
    command.add_argument(
        "--jobs",
        type=int,
        metavar="N",
        help="runs read at a time, -1 for as many as there are processors (default: one); "
        "the collection is the same",
    )


def derive(options):
    """Derive the collection and save it."""
    from lib.collection import derive

    common.refuse_output(options)
    about = common.about(options.about)
    collection = derive(
        options.runs,
        options.qrels,
        systems=options.systems,
        name=options.name or Path(options.out).name,
        rel=options.rel,
        scores=options.scores,
        judged=options.judged,
        **common.choice_of_runs(options),
        jobs=options.jobs,
    )
    _save(collection, options, about, "runs", "qrels")


def _save(collection, options, about, *given):
    """Save a collection, with the command that makes it again, and say what is in it."""
    about["command"] = common.typed(options, *given)
    collection.save(options.out, about=about, replace=options.replace)
    print(
        f"{Path(options.out)}: {len(collection.systems)} systems, {len(collection.topics)} topics, "
        f"{len(collection.relevant)} relevant documents, {len(collection.hits)} hits"
    )


def add_feedback(commands):
    """Say the arguments of ``feedback``."""
    command = common.add(
        commands,
        "feedback",
        feedback,
        "a text collection -> seven systems with and without blind feedback",
        "Search a text collection with every system of lib.retrieval, with and "
        "without blind feedback, and keep relevance at rank: a collection folder.",
        "texts --out mine",
    )
    command.add_argument(
        "folder", metavar="FOLDER", help="folder with docs.jsonl, queries.tsv and qrels.txt"
    )
    common.add_output(command)


def feedback(options):
    """Search the texts and save the collection."""
    from lib.retrieval.corpus import read_corpus
    from lib.retrieval.experiment import experiment

    common.refuse_output(options)
    about = common.about(options.about)
    name = options.name or Path(options.out).name
    _save(experiment(read_corpus(options.folder), name), options, about, "folder")


def add_fetch(commands):
    """Say the arguments of ``fetch``."""
    command = common.add(
        commands,
        "fetch",
        fetch,
        "public originals -> a folder: runs and judgements, or texts",
        "Download public originals at a pinned commit and check each file by its "
        "SHA-256. What was downloaded before an interruption is kept and not fetched again.",
        "trec8 --to original",
    )
    command.add_argument("name", metavar="NAME", choices=list(SOURCES), help=", ".join(SOURCES))
    command.add_argument("--to", metavar="FOLDER", required=True, help="folder to make")


def fetch(options):
    """Download, and say how to go on."""
    from lib.originals.fetch import fetch

    print(fetch(options.name, options.to))
