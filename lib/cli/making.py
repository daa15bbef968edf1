"""Commands that make a folder: ``derive``, ``feedback``, ``fetch`` and ``report``."""

from pathlib import Path

from lib.cli import common
from lib.cli.common import argument, command
from lib.collection.metadata import read_about
from lib.originals import SOURCES


@command(
    "runs and judgements -> a collection",
    "Reduce TREC runs and judgements to relevance at rank: a collection folder.",
    "runs qrels.txt --out mine",
    common.RUNS,
    common.CHOICE,
    common.OUT,
    common.STATED,
    argument("qrels", metavar="QRELS", help="file of relevance judgements"),
    argument("--systems", metavar="FILE", help="tab-separated table: run, group, type, pooled"),
    argument("--judged", action="store_true", help="keep the judged non-relevant documents too"),
    argument("--jobs", type=int, help="runs read at a time (one); -1: as many as processors"),
)
def derive(options):
    """Derive the collection and save it."""
    from lib.collection import derive

    common.refuse_output(options)
    about = read_about(options.about)
    collection = derive(
        options.runs,
        options.qrels,
        systems=options.systems,
        name=Path(options.out).name,
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


@command(
    "a text collection -> seven systems with and without blind feedback",
    "Search a text collection with every system of lib.retrieval, with and "
    "without blind feedback, and keep relevance at rank: a collection folder.",
    "texts --out mine",
    common.OUT,
    common.STATED,
    argument("texts", metavar="TEXTS", help="folder with docs.jsonl, queries.tsv and qrels.txt"),
)
def feedback(options):
    """Search the texts and save the collection."""
    from lib.retrieval.corpus import read_corpus
    from lib.retrieval.experiment import experiment

    common.refuse_output(options)
    about = read_about(options.about)
    found = experiment(read_corpus(options.texts), Path(options.out).name)
    _save(found, options, about, "texts")


@command(
    "public originals -> a folder: runs and judgements, or texts",
    "Download public originals at a pinned commit and check each file by its "
    "SHA-256. What was downloaded before an interruption is kept and not fetched again.",
    "trec8 --to original",
    argument("name", metavar="NAME", choices=list(SOURCES), help=", ".join(SOURCES)),
    argument("--to", metavar="FOLDER", required=True, help="folder to make"),
)
def fetch(options):
    """Download, and say how to go on."""
    from lib.originals.fetch import fetch

    print(fetch(options.name, options.to))


@command(
    "a collection -> every table and figure on one page",
    "Compute every table and figure of the papers from a collection, and write them as a page "
    "that needs no network, FOLDER/index.html, as the notebook that made it, "
    "FOLDER/report.ipynb, and as CSV.",
    "--collection mine --out page",
    common.ASKED,
    common.OUT,
    common.PAIRS,
    argument("--second", metavar="NAME_OR_FOLDER", help="the same runs by another judge"),
)
def report(options):
    """Write the page."""
    from lib.reporting.page import report

    missing = report(
        options.collection,
        options.out,
        pairs=options.pairs,
        second=options.second,
        command=common.typed(options),
        replace=options.replace,
    )
    page = Path(options.out) / "index.html"
    print(f"{page}: the report; {missing} of its parts cannot be computed")
