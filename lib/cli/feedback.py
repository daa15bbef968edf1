"""``feedback``: a text collection -> systems with and without blind feedback."""

from pathlib import Path

from lib.cli import common


def add(commands):
    """Say the arguments."""
    command = commands.add_parser(
        "feedback",
        help="a text collection -> seven systems with and without blind feedback",
        description="Search a text collection with every system of lib.retrieval, with and "
        "without blind feedback, and keep relevance at rank: a collection folder.",
    )
    command.add_argument(
        "folder", metavar="FOLDER", help="folder with docs.jsonl, queries.tsv and qrels.txt"
    )
    common.add_output(command)
    command.set_defaults(run=run)


def run(options):
    """Search the texts and save the collection."""
    from lib.retrieval.corpus import read_corpus
    from lib.retrieval.experiment import experiment

    out = Path(options.out)
    about = common.about(options.about)
    about["command"] = f"python -m lib feedback {Path(options.folder).name} --out {out.name}"
    common.refuse_output(options)
    collection = experiment(read_corpus(options.folder), options.name or out.name)
    collection.save(options.out, about=about, replace=options.replace)
    print(f"{out}: {common.contents(collection)}")
