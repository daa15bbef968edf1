"""Commands that score runs: ``evaluate``, and ``incomplete`` with ever fewer judgements."""

import warnings
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from lib.cli import common
from lib.cli.common import argument, command, print_table, rounded
from lib.errors import InputError, InputWarning

if TYPE_CHECKING:
    import pandas as pd

    from lib.collection import Collection


@command(
    "runs qrels.txt --measures 'P@10 AP RBP(p=0.95)' --summary",
    common.MEASURES_OPTION,
    common.TOPICS_OPTION,
    common.JUDGED_ONLY_OPTION,
    common.CHOICE,
    argument(
        "--correction", choices=("none", "holm", "tukey"), default="none", help="correction of p"
    ),
    common.FORMAT_OPTION,
    argument("runs", metavar="RUNS", help="run files, or a collection"),
    argument("qrels", metavar="QRELS", nargs="?", help="file of relevance judgements"),
    argument(
        "--summary",
        action="store_true",
        help="print means with 95%% intervals over topics; compare adds letters of what is better",
    ),
    argument("--sort", metavar="MEASURE", help="best first by this measure, beside --summary"),
    common.UNJUDGED_OPTION,
    argument(
        "--against",
        metavar="RUN",
        help="run to compare all others with, beside --summary: the difference with its interval, "
        "effect size (mean difference over its standard deviation) and p of the paired t test",
    ),
)
def evaluate(options: Namespace) -> None:
    """Print the score of every run and topic, or with --summary the means.

    RUNS is a folder, a run file, or - for what comes in by a pipe; files are those of TREC, or
    BEIR's TSV and JSON.  Without QRELS, RUNS is a collection: its name or folder.
    """
    from lib.measures import evaluate, parse, score_columns

    if not options.summary:
        common.refuse_options(options, ["against", "sort"], "--summary")
    if options.against is None:
        common.refuse_options(options, ["correction"], "--against")
    measures = [str(parse(name)) for name in common.measures(options.measures)]
    if options.sort is not None and str(parse(options.sort)) not in measures:
        raise InputError(f"--sort: {options.sort} is not among the measures asked for")
    collection = common.given(options, [options.runs], options.qrels, measures)
    if not options.summary:
        scored, how = (
            evaluate if options.unjudged else score_columns,
            {"missing": _missing(options)},
        )
        table = scored(collection, measures, **how)
        print_table(_beside(options, table, collection, measures), options.format)
    elif options.format in common.PAPER_FORMATS:
        from lib.reporting.pair import paper_of_means

        table = _summary(options, collection, measures)
        topics = f"{len(collection.topics):,} topics"
        if options.topics == "answered":
            topics = f"those of {topics} that a run answers"
        print(paper_of_means(table, options.format, topics, options.against, options.correction))
    else:
        table = _beside(options, _summary(options, collection, measures), collection, measures)
        print_table(rounded(table), options.format)


def _beside(options: Namespace, table: Any, collection: "Collection", measures: list[str]) -> Any:
    """Return a table with the unjudged share beside each score, if that was asked for."""
    if not options.unjudged:
        return table
    from lib.measures.unjudged import beside

    table = beside(table, collection, measures)
    if options.judged_only or not options.summary:
        return table
    if common.LOST_OUTSIDE is None:
        warnings.warn(common.WITHOUT_SHARES, InputWarning, stacklevel=2)
        return table
    import pandas as pd

    lost_outside, _ = common.LOST_OUTSIDE
    keys, lost = ["measure", "system"], {name: lost_outside(collection, name) for name in measures}
    return table.join(pd.concat(lost, names=keys), on=keys)


def _missing(options: Namespace) -> str:
    return "answered" if options.topics == "answered" else "zero"


def _summary(options: Namespace, collection: "Collection", measures: list[str]) -> "pd.DataFrame":
    """Return the means, and beside them what each run has over another."""
    from lib.measures import parse
    from lib.statistics.comparison import against, beside_means, best_first, means_with_intervals

    missing = _missing(options)
    table = means_with_intervals(collection, measures, missing=missing)
    if options.against is not None:
        how = {"correction": options.correction, "missing": missing}
        table = beside_means(table, against(collection, options.against, measures, **how))
    return table if options.sort is None else best_first(table, str(parse(options.sort)))


@command("mine", common.COLLECTION_ARGUMENT)
def incomplete(options: Namespace) -> None:
    """Say how rankings hold up with ever fewer judgements.

    Judgements are removed at random from a collection derived with --judged, 20 times; printed is
    the tau of each measure's ranking with that by all (lib.statistics.incomplete.degradation).
    """
    from lib.statistics.incomplete import degradation

    collection = common.opened(options.collection, judged=True)
    if (systems := len(collection.systems)) < 2:
        raise InputError(f"{collection.name}: rankings need two systems or more, not {systems}")
    print_table(degradation(collection).round(6))
