"""Commands that score a collection: ``evaluate`` and ``incomplete``."""

from lib.cli import common
from lib.errors import InputError


def add_evaluate(commands):
    """Say the arguments of ``evaluate``."""
    command = common.add(
        commands,
        "evaluate",
        evaluate,
        "a collection -> scores of every topic",
        "Print per-topic scores as CSV: system, topic, measure, score.",
        "mine --measures 'P@10 AP RBP(p=0.95)' --summary",
    )
    command.add_argument("collection", metavar="COLLECTION", help="name or folder")
    common.add_measures(command, ", such as 'P@10 AP RBP(p=0.95)'")
    command.add_argument(
        "--summary",
        action="store_true",
        help="print means instead, each with its 95%% interval over topics",
    )
    command.add_argument(
        "--against",
        metavar="RUN",
        help="with --summary: how each other run differs from this one, with the interval, the "
        "effect size (mean difference over its standard deviation) and p of the paired t test",
    )
    command.add_argument(
        "--correction",
        choices=("none", "holm"),
        help="with --against: what becomes of the p values by a measure (default: none)",
    )


def evaluate(options):
    """Print the scores, or their summary."""
    from lib import evaluate, load

    if options.against is not None and not options.summary:
        raise InputError("--against goes with --summary")
    if options.correction and options.against is None:
        raise InputError("--correction goes with --against")
    measures = common.measures(options.measures)
    collection = load(options.collection)
    if options.summary:
        common.show(_summary(options, collection, measures))
    else:
        common.show(evaluate(collection, measures))


def _summary(options, collection, measures):
    """Return the means, and beside them what each run has over another."""
    from lib.statistics.comparison import against, summary

    means = summary(collection, measures)
    if options.against is None:
        return means.round(6)
    differences = against(
        collection, options.against, measures, correction=options.correction or "none"
    )
    both = means.merge(
        differences, on=["measure", "system"], how="left", suffixes=("", " of difference")
    )
    # Small p values keep their digits.
    return both.round(dict.fromkeys(both.columns.drop("p"), 6))


def add_incomplete(commands):
    """Say the arguments of ``incomplete``."""
    command = common.add(
        commands,
        "incomplete",
        incomplete,
        "a collection -> how rankings hold up with ever fewer judgements",
        "Remove judgements at random and print, as CSV, the tau of each measure's "
        "ranking with that by all judgements (see lib.statistics.incomplete.degradation).",
        "mine",
    )
    command.add_argument(
        "collection", metavar="COLLECTION", help="folder of a collection derived with --judged"
    )
    command.add_argument(
        "--repeats",
        type=common.count,
        default=20,
        metavar="N",
        help="random removals (default: %(default)s)",
    )


def incomplete(options):
    """Print the taus."""
    from lib import load
    from lib.statistics.incomplete import degradation

    collection = load(options.collection, judged=True)
    if (found := len(collection.systems)) < 2:
        raise InputError(
            f"{collection.name}: the correlation of two rankings needs 2 systems or more, "
            f"there is {found}"
        )
    common.show(degradation(collection, repeats=options.repeats).round(6))
