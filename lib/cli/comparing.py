"""Commands that compare: runs, by ``compare``, and judges, by ``compare-qrels``."""

import warnings
from argparse import Namespace
from collections.abc import Collection as Container
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lib.cli import common
from lib.cli.common import argument, command, print_table, rounded
from lib.errors import InputError, InputWarning, did_you_mean, harmless

if TYPE_CHECKING:
    from lib.collection import Collection
    from lib.measures import Scores

_PICTURES, _LETTERS = (".svg", ".png", ".pdf"), 26  # of so many runs each has a letter
_OF_TWO = ("difference", "margin")  # what is asked of two runs


@command(
    "A.run B.run qrels.txt",
    common.MEASURES_OPTION,
    common.TOPICS_OPTION,
    common.JUDGED_ONLY_OPTION,
    common.UNJUDGED_OPTION,
    common.CHOICE,
    common.FORMAT_OPTION,
    argument("runs", metavar="RUN", nargs="*", help="run files and QRELS, or names of runs"),
    argument("--runs", dest="table", metavar="TABLE", help="table: data, system, seed, run, qrels"),
    argument("--data", metavar="NAME=FOLDER", action="append", default=[], help="runs with qrels"),
    argument("--collection", metavar="NAME_OR_FOLDER", help="collection of the runs"),
    argument(
        "--per-topic",
        metavar="FILE",
        action="append",
        default=[],
        help="scores by another tool in place of runs: a table of topic, system, measure, score, "
        "or what trec_eval -q or ir_measures -q prints of a system, NAME=FILE (can be repeated)",
    ),
    argument("--measure", default="AP", help="primary measure (default: %(default)s)"),
    argument("--correction", choices=("holm", "tukey"), default="holm", help="correction of pairs"),
    argument(
        "--against", metavar="RUN", help="run to compare all others with, of any number, by rank"
    ),
    argument("--difference", type=float, help="difference whose number of topics is asked"),
    argument("--margin", type=float, help="loss that would not matter: not worse, equivalent"),
    argument(
        "--out", metavar="PICTURE", help=f"picture of the differences: {', '.join(_PICTURES)}"
    ),
)
def compare(options: Namespace) -> None:
    """Say which of two runs is better, and how sure that is.

    Printed is the sentence to quote, a table by measure, the topics that make the difference, and
    what so many topics can find.  Of more runs it is a table with intervals that marks what is
    significant, by letters, or of any number with --against.  The runs are files, with the
    judgements last, or with --collection runs of a collection; NAME=PATH names a run, and a name
    given twice, or a folder, has seeds of one system.

    Several data sets are named by a tab-separated table, --runs, or by --data, several times, whose
    folders have runs of the same names and one file named qrels.  Printed is what they say
    together: of these very ones their plain mean, of ones like these random effects.  Errors are
    over topics, and over seeds where a system has several; seeds of two systems, or of two data
    sets, are taken for independent.  A few data sets settle little about others.  With --format the
    table is printed alone: latex and markdown are a table for a paper.
    """
    from lib.cli.compared_runs import data_sets, topic_scores
    from lib.measures import complete_scores, parse

    _refuse(options)
    if options.per_topic:
        _compare_scores(options, topic_scores(options))
        return
    asked = [options.measure, *common.measures(options.measures)]
    measures = list(dict.fromkeys(str(parse(name)) for name in asked))
    sets = data_sets(options)
    if len(sets) > 1 or any(len(seeds) > 1 for _, of in sets.values() for seeds in of.values()):
        _compare_on_sets(options, sets, measures)
        return
    collection = _runs(options, measures, sets)
    _compare_scores(options, complete_scores(collection, measures), collection)


def _compare_scores(
    options: Namespace, scores: Mapping[str, "Scores"], collection: "Collection | None" = None
) -> None:
    """Compare the systems of some scores, by measure and the first the primary one."""
    from lib.measures.unjudged import judged_share
    from lib.reporting import pair
    from lib.statistics.comparison import (
        differences_in_print,
        leaderboard,
        means_with_intervals,
        versus,
    )

    first, measures = next(iter(scores.values())), list(scores)
    runs, topics = list(first), f"{len(first):,} topics"
    _refuse_number(options, runs)
    if options.against is not None:
        _compare_with_one(options, scores, topics)
        return
    if len(runs) > 2 or options.correction == "tukey":
        common.refuse_options(options, (*_OF_TWO, "unjudged", "out"), "two runs and the t test")
        table, test = leaderboard(scores, correction=options.correction), pair.TEST_NAMES
        if options.format in common.PAPER_FORMATS:
            print(pair.paper_of_runs(table, options.format, topics, test[options.correction]))
            return
        page = pair.runs_page(table, measures, test[options.correction])
        table["better than"] = table["better than"].map(" ".join)
    else:
        table, _ = versus(scores, *runs)
        if options.out:
            pair.draw_topic_differences(scores[measures[0]], measures[0], options.out)
        if options.format in common.PAPER_FORMATS:
            print(pair.paper_of_pair(means_with_intervals(scores), table, options.format, topics))
            return
        page = pair.pair_page(table, scores, options.difference, options.margin)
        if collection is not None and collection.judged is not None:
            page += pair.said_of_unjudged(table, judged_share(collection, measures[0]).mean())
        if collection is not None and options.unjudged:
            if common.LOST_OUTSIDE is None:
                warnings.warn(common.WITHOUT_SHARES, InputWarning, stacklevel=2)
            else:
                _, said_outside = common.LOST_OUTSIDE
                page = "\n".join([page, *said_outside(collection, measures[0])])
        each = {name: table.loc[[name]] for name in measures}
        table = differences_in_print(each, {}, len(first)).droplevel(0).reset_index()
        for place, run in enumerate(runs, start=1):
            table.insert(place, f"run {place}", run)
    if options.format:
        print_table(rounded(table), options.format)
    else:
        print(page)


def _compare_with_one(options: Namespace, scores: Mapping[str, "Scores"], topics: str) -> None:
    """Compare any number of systems with one of them, best first by the primary measure."""
    from lib.reporting import pair
    from lib.statistics.comparison import (
        against_of_scores,
        beside_means,
        best_first,
        means_with_intervals,
    )

    run, how = options.against, options.correction
    table = beside_means(means_with_intervals(scores), against_of_scores(scores, run, how))
    table = best_first(table, next(iter(scores)))
    if options.format in common.PAPER_FORMATS:
        print(pair.paper_of_means(table, options.format, topics, run, how))
    elif options.format:
        print_table(rounded(table), options.format)
    else:
        print(pair.ranks_page(table, list(scores), run, pair.TEST_OF_ONE[how]))


def _compare_on_sets(options: Namespace, sets: Mapping[str, Any], measures: list[str]) -> None:
    """Compare systems on several data sets, or by several seeds."""
    from lib.cli.compared_runs import derived
    from lib.measures import complete_scores, parse
    from lib.measures.names import arithmetic
    from lib.reporting import data_sets as reporting
    from lib.reporting.pair import paper_of_runs
    from lib.statistics.data_sets import all_pairs

    common.refuse_options(options, (*_OF_TWO, "unjudged", "correction", "against"), "one data set")
    if other := [name for name in measures if parse(name).definition.average is not arithmetic]:
        raise InputError(f"{other[0]}: several data sets or seeds are compared by arithmetic means")
    scores: dict[str, dict] = {measure: {} for measure in measures}
    for data, (qrels, seeds) in sets.items():
        _refuse_number(options, seeds)
        collection, runs = derived(options, qrels, seeds)
        collection = _comparable(options, collection)
        for measure, table in complete_scores(collection, measures).items():
            scores[measure][data] = {system: table[names] for system, names in runs.items()}
    pairs, first = all_pairs(scores), scores[measures[0]]
    if options.out:
        reporting.draw_forest(pairs, options.out)
    if options.format in common.PAPER_FORMATS:
        means = reporting.means_across(first, pairs[pairs["measure"] == measures[0]])
        over = f"topics and seeds, by {measures[0]}"
        print(paper_of_runs(means, options.format, over, reporting.LETTER))
    elif options.format:
        print_table(rounded(pairs), options.format)
    else:
        print(reporting.sets_page(first, pairs))


def _refuse(options: Namespace) -> None:
    """Refuse what cannot be asked, before anything is read."""
    from lib.statistics.comparison import refuse_difference

    for name in _OF_TWO:
        refuse_difference(f"--{name}", getattr(options, name), options.measure)
    if options.against is not None:
        common.refuse_options(options, (*_OF_TWO, "unjudged", "out"), "two runs and no --against")
    if options.out and Path(options.out).suffix not in _PICTURES:
        raise InputError(f"--out: {options.out} must end in {', '.join(_PICTURES)}")
    if options.per_topic:
        if options.runs or options.table or options.data or options.collection:
            raise InputError("--per-topic has the scores; give no runs beside it")
        common.refuse_options(options, ("topics", "judged_only", "unjudged"), "runs and judgements")
    if options.out and Path(options.out).exists():
        raise InputError(f"{options.out}: exists already and is not written over")


def _runs(options: Namespace, measures: list[str], sets: Mapping[str, Any]) -> "Collection":
    """Return a collection of the runs to be compared, in the order in which they were named."""
    from lib.cli.compared_runs import derived
    from lib.collection.trec import run_files, system_name

    if sets:
        ((qrels, of),) = sets.values()
        _refuse_number(options, of)
        collection, systems = derived(options, qrels, of)
        names = list(systems)
    elif options.collection is None:
        *runs, qrels = options.runs or [None]
        if not runs:
            raise InputError("compare takes run files and, last, QRELS; or names and --collection")
        if "-" not in runs and not options.skip_faulty:
            _refuse_number(options, run_files(runs, names=options.names, skip=options.skip))
        collection = common.given(options, runs, qrels, measures)
        names = list(collection.systems.index)
        order = {system_name(run, options.names): place for place, run in enumerate(runs)}
        names.sort(key=lambda name: order.get(name, 0))  # as the files were given
    else:
        names = list(dict.fromkeys(options.runs))
        _refuse_number(options, names)
        collection = common.given(options, [options.collection], None, measures, names)
    _refuse_number(options, names)
    return _comparable(options, collection.select(systems=names))


def _refuse_number(options: Namespace, runs: Container[str]) -> None:
    """Refuse fewer than two runs, more than have a letter, and a run that is not among them."""
    against = options.against
    if len(runs) < 2 or (len(runs) > _LETTERS and against is None):
        more = "; with --against RUN any number" if len(runs) > 1 else ""
        raise InputError(f"compare takes 2 to {_LETTERS} runs, not {len(runs)}{more}")
    if against is not None and against not in runs:
        raise InputError(f"--against: there is no run {against!r}{did_you_mean(against, runs)}")


def _comparable(options: Namespace, collection: "Collection") -> "Collection":
    """Return a collection with the topics on which runs are compared."""
    if options.topics == "answered":
        by_all = (collection.retrieved >= 0).all(axis=1)
        collection = collection.select(topics=collection.topics.index[by_all])
    if (topics := len(collection.topics)) < 2:
        raise InputError(f"a comparison needs two topics or more, not {topics}")
    return collection


@command(
    "runs expert.qrels crowd.qrels",
    common.RUNS_ARGUMENT,
    common.CHOICE,
    common.MEASURES_OPTION,
    common.CORRECTION_OPTION,
    argument("a", metavar="A", help="file of relevance judgements"),
    argument("b", metavar="B", help="another file of judgements of these topics"),
)
def compare_qrels(options: Namespace) -> None:
    """Say how far two judges agree, and how alike they rank the runs.

    Of two sets of judgements of the same topics (lib.two_judges).  Intervals are of 95%, over
    topics, by the jackknife.
    """
    from lib import two_judges
    from lib.reporting.pair import judges_page

    measures, correction = common.measures(options.measures), options.correction
    how = {"measures": measures, "correction": correction, **common.choice_of_runs(options)}
    found = two_judges.compare_qrels(options.runs, options.a, options.b, **how)
    caption = f"A is {options.a}, B is {options.b}; relevant from grade {options.relevant_from}."
    print(harmless(caption))
    print(judges_page(*found[:-1], correction))
    if found.apart:
        print(f"No weighted kappa and no bias: {found.apart}")
