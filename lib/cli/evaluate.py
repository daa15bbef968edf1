"""``evaluate``: a collection -> scores of every topic."""

from lib.cli import common


def add(commands):
    """Say the arguments."""
    command = commands.add_parser(
        "evaluate",
        help="a collection -> scores of every topic",
        description="Print per-topic scores as CSV: system, topic, measure, score.",
    )
    command.add_argument("collection", metavar="COLLECTION", help="name or folder")
    common.add_measures(command, ", such as 'P@10 AP RBP(p=0.95)'")
    command.set_defaults(run=run)


def run(options):
    """Print the scores."""
    from lib import evaluate, load

    measures = common.measures(options.measures)
    common.show(evaluate(load(options.collection), measures))
