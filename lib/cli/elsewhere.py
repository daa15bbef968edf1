"""``elsewhere``: the headline claims asked of every collection of the book."""

from lib.cli import common


def add(commands):
    """Say the arguments."""
    command = commands.add_parser(
        "elsewhere",
        help="the headline claims asked of every collection of the book",
        description="Ask the headline claims of the papers of every collection and print, as CSV, "
        "each number with its 95%% interval over topics, or why there is none "
        "(see lib.studies.elsewhere). It takes some minutes.",
    )
    command.add_argument(
        "what",
        metavar="WHAT",
        nargs="?",
        choices=("estimates", "growth"),
        default="estimates",
        help="estimates: every claim (default); growth: the number of topics grows",
    )
    command.add_argument("--collection", metavar="NAME_OR_FOLDER", help="ask this collection alone")
    command.add_argument(
        "--jobs", type=int, default=2, metavar="N", help="processes (default: %(default)s)"
    )
    command.set_defaults(run=run)


def run(options):
    """Print the numbers."""
    from joblib import parallel_config

    from lib import load
    from lib.studies.elsewhere.estimates import answers, everything
    from lib.studies.elsewhere.growth import curve, grown
    from lib.studies.sources import yours

    if options.collection:
        source = yours(load(options.collection))
        common.show((curve if options.what == "growth" else answers)(source))
        return
    with parallel_config(n_jobs=options.jobs):
        common.show(grown() if options.what == "growth" else everything())
