"""``compare``: which of two runs is better, and how sure that is."""

from pathlib import Path

from lib.cli import common
from lib.cli.common import argument, command
from lib.collection.trec import system_name
from lib.display import plain
from lib.errors import InputError

PICTURES, MOST = (".svg", ".png", ".pdf"), 26  # runs, which have a letter each


@command(
    "A.run B.run qrels.txt",
    common.MEASURES,
    common.TOPICS,
    common.CHOICE,
    common.FORMAT,
    argument("runs", metavar="RUN", nargs="+", help="run files and QRELS, or names of runs"),
    argument("--collection", metavar="NAME_OR_FOLDER", help="the collection of the runs"),
    argument("--measure", default="AP", help="the primary measure (default: %(default)s)"),
    argument("--difference", type=float, help="how many topics a difference so large needs"),
    argument("--out", metavar="PICTURE", help=f"draw the differences: {', '.join(PICTURES)}"),
)
def compare(options):
    """Say which of two runs is better, and how sure that is.

    Printed is the sentence to quote, a table by measure, the topics that make the difference, and
    what so many topics can find.  Of more runs it is a table with intervals that marks what is
    significant.  The runs are files, with the judgements last, or with --collection runs of a
    collection.  With --format the table is printed alone.
    """
    from lib.measures import parse
    from lib.reporting.pair import draw_differences, pair_page, runs_page
    from lib.statistics.comparison import leaderboard, versus

    asked = [options.measure, *common.measures(options.measures)]
    measures = list(dict.fromkeys(str(parse(name)) for name in asked))
    _refuse(options)
    collection = _runs(options, measures)
    if len(collection.systems) > 2:
        found = leaderboard(collection, measures)
        page = runs_page(found, measures)
        found["better than"] = found["better than"].map(" ".join)
    else:
        found, scores = versus(collection, *collection.systems.index, measures)
        if options.out:
            draw_differences(scores[measures[0]], measures[0], options.out)
        page = pair_page(found, scores, options.difference)
        found = found.reset_index()
        for place, run in enumerate(collection.systems.index, start=1):
            found.insert(place, f"run {place}", run)
    if options.format:
        plain.show(plain.rounded(found), options.format)
    else:
        print(page)


def _refuse(options):
    """Refuse what cannot be asked, before anything is read."""
    if options.difference is not None and not 0 < options.difference < 1e9:
        raise InputError(f"--difference must be more than 0, not {options.difference:g}")
    if options.out and Path(options.out).suffix not in PICTURES:
        raise InputError(f"--out: {options.out} must end in {', '.join(PICTURES)}")
    if options.out and Path(options.out).exists():
        raise InputError(f"{options.out}: exists already and is not written over")


def _runs(options, measures):
    """Return a collection of the runs to be compared, in the order in which they were named."""
    if options.collection is None:
        *runs, qrels = options.runs
        if not runs:
            raise InputError("compare takes run files and, last, QRELS; or names and --collection")
        collection = common.given(options, runs, qrels, measures)
        names = list(collection.systems.index)
        order = {system_name(run, options.names): place for place, run in enumerate(runs)}
        names.sort(key=lambda name: order.get(name, 0))  # as the files were given
    else:
        names = list(dict.fromkeys(options.runs))
        collection = common.given(options, [options.collection], None, measures, names)
    if not 2 <= len(names) <= MOST:
        raise InputError(f"compare takes 2 to {MOST} runs, not {len(names)}")
    collection = collection.select(systems=names)
    if options.topics == "answered":
        by_all = (collection.retrieved >= 0).all(axis=1)
        collection = collection.select(topics=collection.topics.index[by_all])
    if (topics := len(collection.topics)) < 2:
        raise InputError(f"a comparison needs two topics or more, not {topics}")
    return collection
