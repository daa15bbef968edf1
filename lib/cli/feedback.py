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
    command.add_argument(
        "--grid",
        action="store_true",
        help="score each topic over a grid of feedback documents, terms and "
        "weight instead (slower: 252 runs)",
    )
    command.set_defaults(run=run)


def run(options):
    """Search the texts and save the collection, or the grid."""
    from lib.retrieval import read_corpus
    from lib.retrieval.experiment import experiment, grid, save_grid

    out = Path(options.out)
    name = options.name or out.name
    about = common.about(options.about)
    about["command"] = " ".join(
        [
            "python -m lib feedback",
            Path(options.folder).name,
            *["--grid"] * options.grid,
            "--out",
            out.name,
        ]
    )
    with common.output(options) as place:
        corpus = read_corpus(options.folder)
        if options.grid:
            table = grid(corpus, name)
            save_grid(table, place, name=name, about=about)
            settings = len(table.drop_duplicates(["system", "documents", "terms", "weight"]))
            found = f"{settings} settings, {len(table)} rows"
        else:
            collection = experiment(corpus, name)
            collection.save(place, about=about)
            found = common.contents(collection)
    print(f"{out}: {found}")
