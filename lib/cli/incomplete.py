"""``incomplete``: a collection -> how rankings hold up with ever fewer judgements."""

from lib.cli import common


def add(commands):
    """Say the arguments."""
    command = commands.add_parser(
        "incomplete",
        help="a collection -> how rankings hold up with ever fewer judgements",
        description="Remove judgements at random and print, as CSV, the tau of each measure's "
        "ranking with that by all judgements (see lib.statistics.incomplete.degradation).",
    )
    command.add_argument(
        "collection", metavar="COLLECTION", help="folder of a collection derived with --judged"
    )
    common.add_counts(command, repeats=(20, "random removals"))
    command.set_defaults(run=run)


def run(options):
    """Print the taus."""
    from lib import load
    from lib.statistics.incomplete import degradation

    collection = load(options.collection, judged=True)
    common.needs(collection, "the correlation of two rankings needs", systems=2)
    common.show(degradation(collection, repeats=options.repeats).round(6))
