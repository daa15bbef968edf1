"""Commands that make a folder: ``derive``, ``feedback``, ``fetch`` and ``report``."""

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lib.cli import common
from lib.cli.common import argument, command
from lib.originals import SOURCES

if TYPE_CHECKING:
    from lib.collection import Collection


@command(
    "runs qrels.txt --out mine",
    common.RUNS_ARGUMENT,
    common.CHOICE,
    common.OUT,
    common.STATED,
    common.QRELS_ARGUMENT,
    argument("--systems", metavar="FILE", help="tab-separated table: run, group, type, pooled"),
    argument("--judged", action="store_true", help="keep the judged non-relevant documents too"),
    argument("--jobs", type=int, help="runs read at a time (one); -1: as many as processors"),
)
def derive(options: Namespace) -> None:
    """Reduce TREC runs and judgements to a collection: a folder with relevance at rank."""
    from lib.collection import derive
    from lib.collection.metadata import read_about

    common.refuse_output(options)
    about = read_about(options.about)
    how = common.choice_of_runs(options) | {"judged": options.judged, "jobs": options.jobs}
    name = Path(options.out).name
    collection = derive(options.runs, options.qrels, systems=options.systems, name=name, **how)
    _save(collection, options, about, "runs", "qrels")


def _save(collection: "Collection", options: Namespace, about: dict[str, Any], *given: str) -> None:
    """Save a collection, with the command that makes it again, and say what is in it."""
    about["command"] = common.typed(options, *given)
    collection.save(options.out, about=about, replace=options.replace)
    print(
        f"{Path(options.out)}: {len(collection.systems)} systems, {len(collection.topics)} topics, "
        f"{collection.counted()}"
    )


@command(
    "texts --out mine",
    common.OUT,
    common.STATED,
    argument("texts", metavar="TEXTS", help="folder with docs.jsonl, queries.tsv and qrels.txt"),
    extra="papers",
)
def feedback(options: Namespace) -> None:
    """Search a text collection with seven systems, with and without blind feedback.

    The systems are those of lib.retrieval; relevance at rank is kept: a collection folder.
    """
    from lib.collection.metadata import read_about
    from lib.retrieval import experiment, read_corpus

    common.refuse_output(options)
    about = read_about(options.about)
    outcome = experiment(read_corpus(options.texts), Path(options.out).name)
    _save(outcome, options, about, "texts")


@command(
    "trec8 --to original",
    argument("name", metavar="NAME", choices=list(SOURCES), help=", ".join(SOURCES)),
    argument("--to", metavar="FOLDER", required=True, help="folder to make"),
    extra="papers",
)
def fetch(options: Namespace) -> None:
    """Download originals: runs and judgements, or texts; what it prints has their terms.

    They come from a pinned commit, and each file is checked by its SHA-256.  After an
    interruption the files that are there are kept and not fetched again.
    """
    from lib.originals.fetch import fetch

    print(fetch(options.name, options.to))
