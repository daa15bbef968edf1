"""Commands that print what runs, a collection or the papers answer."""

import sys
from argparse import Namespace
from collections.abc import Mapping, Sized
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lib.cli import common
from lib.cli.common import argument, command, print_table, rounded
from lib.errors import InputError, harmless
from lib.paths import ROOT, paper_names

if TYPE_CHECKING:
    import pandas as pd

    from lib.collection import Collection
    from lib.measures import Scores


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
    argument("--summary", action="store_true", help="print means with 95%% intervals over topics"),
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
    from lib.measures import evaluate, parse

    if not options.summary:
        common.refuse_options(options, ["against"], "--summary")
    if options.against is None:
        common.refuse_options(options, ["correction"], "--against")
    measures = [str(parse(name)) for name in common.measures(options.measures)]
    collection = common.given(options, [options.runs], options.qrels, measures)
    if not options.summary:
        table = evaluate(collection, measures)
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


def _beside(
    options: Namespace, table: "pd.DataFrame", collection: "Collection", measures: list[str]
) -> "pd.DataFrame":
    """Return a table with what nobody judged beside each score, if that was asked for."""
    from lib.measures.unjudged import beside

    if not options.unjudged:
        return table
    table = beside(table, collection, measures)
    if options.judged_only or not options.summary:
        return table
    import pandas as pd

    from lib.reporting.outside import lost_outside

    keys, lost = ["measure", "system"], {name: lost_outside(collection, name) for name in measures}
    return table.join(pd.concat(lost, names=keys), on=keys)


def _summary(options: Namespace, collection: "Collection", measures: list[str]) -> "pd.DataFrame":
    """Return the means, and beside them what each run has over another."""
    from lib.statistics.comparison import against, means_with_intervals

    missing = "answered" if options.topics == "answered" else "zero"
    means = means_with_intervals(collection, measures, missing=missing)
    if options.against is None:
        return means
    how = {"correction": options.correction, "missing": missing}
    both = {"on": ["measure", "system"], "how": "left", "suffixes": ("", " of difference")}
    return means.merge(against(collection, options.against, measures, **how), **both)


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

    Of two sets of judgements of the same topics (lib.studies.judges).  Intervals are of 95%, over
    topics, by the jackknife.
    """
    import pandas as pd

    from lib.collection import derive, read_qrels
    from lib.reporting.pair import judges_page
    from lib.studies import judges

    measures, correction = common.measures(options.measures), options.correction
    files, chosen = (options.a, options.b), common.choice_of_runs(options)
    qrels = [*map(read_qrels, files)]
    judged = judges.joint_counts(*qrels, rel=options.relevant_from)
    both = (derive(options.runs, one, name=Path(one).name, **chosen) for one in files)
    pair = judges.same_runs(*both)
    agreed = pd.concat([judges.agreement(judged), judges.grades(*qrels)])
    rankings = judges.compare_rankings(*pair, measures=measures, correction=correction)
    runs, left = len(pair[0].systems), len(qrels[0].keys() ^ qrels[1].keys())
    caption = f"A is {options.a}, B is {options.b}; relevant from grade {options.relevant_from}."
    print(harmless(caption))
    print(judges_page(judged, agreed, rankings, runs, left, correction))


@command(
    "webber2010 1 --collection mine",
    common.PAIRS_OPTION,
    common.FORMAT_OPTION,
    argument("paper", metavar="PAPER", help=", ".join(paper_names())),
    argument("number", metavar="NUMBER", help="number of the table"),
    argument("--collection", metavar="NAME_OR_FOLDER", help="collection (default: the paper's)"),
)
def table(options: Namespace) -> None:
    """Print a table of a paper: published, reproduced, difference, verdict."""
    from lib.collection import read_pairs
    from lib.papers import paper

    name, number = options.paper, options.number.removeprefix("Table ")
    of = paper(name)
    if number not in of.tables:
        raise InputError(f"{name}: no table {options.number!r}; it has {', '.join(of.tables)}")
    collection = pairs = None
    if options.collection:
        collection = common.opened(options.collection)
        pairs = read_pairs(options.pairs, collection.systems.index) if options.pairs else None
    else:
        common.refuse_options(options, ["pairs"], "--collection")
    try:
        result = of.tables[number](collection, pairs) if collection else of.compared(number)
    except InputError as error:
        raise InputError(f"{name}, table {number}: {error}") from None
    result = result.drop(columns="tolerance", errors="ignore")
    print_table(result.rename(columns={"error": "Monte-Carlo error"}), options.format)


@command(
    "--collection mine",
    common.COLLECTION_OPTION,
    argument("--paths", action="store_true", help="follow all other analysis paths too (minutes)"),
)
def elsewhere(options: Namespace) -> None:
    """Test the headline claims of the papers on a collection.

    Printed is the number of the leading analysis path with its 95% interval over topics, or why
    there is none; with --paths also how many paths there are, the least and the most that they
    give, and on how many the interval supports and contradicts the paper (lib.studies.multiverse).
    """
    from lib.studies.multiverse.engine import ESTIMATE_NUMBERS, ask, by_source
    from lib.studies.sources import yours

    source = yours(common.opened(options.collection))
    rows = ask(source, leading=not options.paths)
    shown = ["claim", "source", "title", *ESTIMATE_NUMBERS, "why"]
    print_table(by_source(rows) if options.paths else rows[shown])


@command(
    "--write", argument("--write", action="store_true", help="write data and the pages made of it")
)
def ledger(options: Namespace) -> int:
    """Compute every number and claim of the papers, and count the verdicts.

    They are compared with the committed ones; the exit status is 1 when one is worse.
    """
    from lib import deciding, ledger_page
    from lib.ledger import committed, totals, worse
    from lib.papers import ledger

    if options.write and not (ROOT / "book").is_dir():
        raise InputError("--write goes with a checkout of the book, whose pages are made of it")
    claims = deciding.checked_rows()  # refused before anything is computed
    now = ledger()
    if options.write:
        deciding.write(claims)
        ledger_page.write(now)
    print(totals(now).to_string())
    worsened = worse(now, committed())
    for row in worsened.itertuples():
        print(
            f"worse than committed: {row.paper}, {row.place}, {row.row}, {row.column}: "
            f"{row.verdict_before} -> {row.verdict}",
            file=sys.stderr,
        )
    return 1 if len(worsened) else 0


@command(
    "--judgements 5000 --systems 40 --aim nDCG@10",
    argument("--judgements", type=float, required=True, help="documents you can judge"),
    argument("--systems", type=int, help="systems in the pool (default: those of the pilot)"),
    argument("--aim", default="AP", help="measure whose order counts (default: %(default)s)"),
    argument("--top", type=int, help="number of top systems to be found, in place of the order"),
    argument(
        "--way", default="depth", help="way to choose: depth, move-to-front, bandit, sample, strata"
    ),
    argument("--difference", type=float, help="difference of two means that matters to you"),
    argument("--topic-cost", type=float, default=0.0, help="price of a topic, in judgements"),
    argument("--rank-cost", type=float, default=0.0, help="price of reading a rank, in judgements"),
    argument("--topics", type=int, help="topics that there are (default: no end)"),
    argument("--collection", metavar="NAME_OR_FOLDER", default="trec8", help="pilot (%(default)s)"),
)
def plan(options: Namespace) -> None:
    """Say how a budget of judgements is spent best: topics, depth of the pool, and measure.

    Printed is also how well the result predicts the order of the systems on other topics, and what
    difference of one pair it finds, as promised by a pilot, a collection that is like yours.
    """
    from lib.collection.package import folder_of
    from lib.measures import parse
    from lib.studies.spending.pilot import PILOT_SPLITS, cached_forecast, is_kept, pilot
    from lib.studies.spending.planner import Budget, advise

    budget = Budget(
        judgements=options.judgements,
        topic=options.topic_cost,
        rank=options.rank_cost,
        systems=options.systems,
        most=options.topics,
    )
    budget.check()
    name = options.collection
    try:
        asked = {"aim": str(parse(options.aim)), "top": options.top}
        asked["way"] = options.way.replace("-", " ")
        if is_kept(name, **asked):
            forecast = cached_forecast(name, **asked)
        else:
            sizes = [] if options.systems is None else [options.systems]
            judged = (folder_of(name) / "judged.parquet").is_file()  # some aims count these
            of = common.opened(name, judged=judged)
            forecast = pilot(of, sizes=sizes, **asked).forecast(number=PILOT_SPLITS)
    except ValueError as error:
        raise InputError(str(error)) from None
    print(advise(forecast, budget, difference=options.difference).text)


_PICTURES, _MOST = (".svg", ".png", ".pdf"), 26  # runs, which have a letter each
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
        "or what trec_eval -q prints of a system, named as in NAME=FILE (can be repeated)",
    ),
    argument("--measure", default="AP", help="primary measure (default: %(default)s)"),
    argument("--correction", choices=("holm", "tukey"), default="holm", help="correction of pairs"),
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
    significant.  The runs are files, with the judgements last, or with --collection runs of a
    collection; NAME=PATH names a run, and a name given twice, or a folder, has seeds of one system.

    Several data sets are named by a tab-separated table, --runs, or by --data, several times, whose
    folders have runs of the same names and one file named qrels.  Printed is what they say
    together: of these very ones their plain mean, of ones like these random effects.  Errors are
    over topics, and over seeds where a system has several; seeds of two systems, or of two data
    sets, are taken for independent.  A few data sets settle little about others.  With --format the
    table is printed alone: latex and markdown are a table for a paper.
    """
    from lib.cli.data_sets import data_sets, topic_scores
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
    from lib.statistics.comparison import compared, leaderboard_of_scores, means_of

    first, measures = next(iter(scores.values())), list(scores)
    runs, topics = list(first), f"{len(first):,} topics"
    _refuse_number(runs)
    if len(runs) > 2 or options.correction == "tukey":
        common.refuse_options(options, (*_OF_TWO, "unjudged", "out"), "two runs and the t test")
        table, test = leaderboard_of_scores(scores, options.correction), pair.TEST_NAMES
        if options.format in common.PAPER_FORMATS:
            print(pair.paper_of_runs(table, options.format, topics, test[options.correction]))
            return
        page = pair.runs_page(table, measures, test[options.correction])
        table["better than"] = table["better than"].map(" ".join)
    else:
        table = compared(scores)
        if options.out:
            pair.draw_topic_differences(scores[measures[0]], measures[0], options.out)
        if options.format in common.PAPER_FORMATS:
            print(pair.paper_of_pair(means_of(scores), table, options.format, topics))
            return
        page = pair.pair_page(table, scores, options.difference, options.margin)
        if collection is not None and collection.judged is not None:
            page += pair.said_of_unjudged(table, judged_share(collection, measures[0]).mean())
        if collection is not None and options.unjudged:
            from lib.reporting.outside import said_outside

            page = "\n".join([page, *said_outside(collection, measures[0])])
        table = table.reset_index()
        for place, run in enumerate(runs, start=1):
            table.insert(place, f"run {place}", run)
    if options.format:
        print_table(rounded(table), options.format)
    else:
        print(page)


def _compare_on_sets(options: Namespace, sets: Mapping[str, Any], measures: list[str]) -> None:
    """Compare systems on several data sets, or by several seeds."""
    from lib.cli.data_sets import derived
    from lib.measures import complete_scores, parse
    from lib.measures.names import arithmetic
    from lib.reporting import data_sets as reporting
    from lib.reporting.pair import paper_of_runs
    from lib.statistics.data_sets import all_pairs

    common.refuse_options(options, (*_OF_TWO, "unjudged", "correction"), "one data set")
    if other := [name for name in measures if parse(name).definition.average is not arithmetic]:
        raise InputError(f"{other[0]}: several data sets or seeds are compared by arithmetic means")
    scores: dict[str, dict] = {measure: {} for measure in measures}
    for data, (qrels, seeds) in sets.items():
        _refuse_number(seeds)
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
    for name in _OF_TWO:
        if (value := getattr(options, name)) is not None and not 0 < value < 1e9:
            raise InputError(f"--{name} must be more than 0, not {value:g}")
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
    from lib.cli.data_sets import derived
    from lib.collection.trec import system_name

    if sets:
        ((qrels, of),) = sets.values()
        collection, systems = derived(options, qrels, of)
        names = list(systems)
    elif options.collection is None:
        *runs, qrels = options.runs or [None]
        if not runs:
            raise InputError("compare takes run files and, last, QRELS; or names and --collection")
        collection = common.given(options, runs, qrels, measures)
        names = list(collection.systems.index)
        order = {system_name(run, options.names): place for place, run in enumerate(runs)}
        names.sort(key=lambda name: order.get(name, 0))  # as the files were given
    else:
        names = list(dict.fromkeys(options.runs))
        collection = common.given(options, [options.collection], None, measures, names)
    _refuse_number(names)
    return _comparable(options, collection.select(systems=names))


def _refuse_number(runs: Sized) -> None:
    if not 2 <= len(runs) <= _MOST:
        raise InputError(f"compare takes 2 to {_MOST} runs, not {len(runs)}")


def _comparable(options: Namespace, collection: "Collection") -> "Collection":
    """Return a collection with the topics on which runs are compared."""
    if options.topics == "answered":
        by_all = (collection.retrieved >= 0).all(axis=1)
        collection = collection.select(topics=collection.topics.index[by_all])
    if (topics := len(collection.topics)) < 2:
        raise InputError(f"a comparison needs two topics or more, not {topics}")
    return collection
