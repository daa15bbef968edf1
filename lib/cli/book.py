"""Commands that ask a collection what the book asks of its own: ``table``, ``report``, ``plan``,
``elsewhere``; and ``ledger``, the book's own answers.
"""

import argparse
import math
import sys
from pathlib import Path

from lib.cli import common
from lib.errors import InputError
from lib.published import DIFFERS, in_words, names


def add_table(commands):
    """Say the arguments of ``table``."""
    command = common.add(
        commands,
        "table",
        table,
        "a table of a paper: published, reproduced, difference, verdict",
        "Compute a table of a paper and set it beside the printed one.",
        "webber2010 1 --collection mine",
    )
    command.add_argument("paper", metavar="PAPER", help=", ".join(names()))
    command.add_argument("number", metavar="NUMBER", help="number of the table")
    command.add_argument(
        "--collection",
        metavar="NAME_OR_FOLDER",
        help="compute it from this collection (default: the paper's own)",
    )
    common.add_pairs(command)
    command.add_argument("--csv", action="store_true", help="print CSV")


def table(options):
    """Print the table."""
    from lib import load
    from lib.papers import paper

    name, number = options.paper, options.number.removeprefix("Table ")
    if name not in names():
        raise InputError(f"no paper {name!r}; the book has {', '.join(names())}")
    of = paper(name)
    if number not in of.tables:
        known = ", ".join(of.tables)
        raise InputError(f"{name}: no table {options.number!r}; it has {known}")
    collection = load(options.collection) if options.collection else None
    pairs = common.pairs(options.pairs, collection)
    try:
        result = of.compared(number, collection, pairs=pairs)
    except InputError as error:
        raise InputError(f"{name}, table {number}: {error}") from None
    result = result[["row", "column", "published", "reproduced", "difference", "verdict"]]
    if options.csv:
        result.insert(0, "paper", name)
        result.insert(1, "table", number)
        common.show(result)
        return
    for column, form in (("reproduced", "{:.4f}"), ("difference", "{:+.4f}")):
        result[column] = [
            "-" if value is None or value != value else form.format(value)
            for value in result[column]
        ]
    print(f"{of.title}, Table {number}")
    print(result.to_string(index=False))


def add_report(commands):
    """Say the arguments of ``report``."""
    command = common.add(
        commands,
        "report",
        report,
        "a collection -> every table and figure on one page",
        f"Compute every table and figure of the {in_words(len(names()))} papers from "
        "a collection, and write them as a page that needs no network, FOLDER/index.html, as the "
        "notebook that made it, FOLDER/report.ipynb, and as CSV.",
        "--collection mine --out page",
    )
    command.add_argument(
        "--collection", metavar="NAME_OR_FOLDER", required=True, help="the collection"
    )
    command.add_argument("--out", metavar="FOLDER", required=True, help="folder to make")
    command.add_argument(
        "--replace", action="store_true", help="write over FOLDER when it holds a report"
    )
    common.add_pairs(command)
    command.add_argument(
        "--second",
        metavar="NAME_OR_FOLDER",
        help="the same runs by another judge: how alike the two rank them",
    )


def report(options):
    """Write the page."""
    from lib.reporting.page import report

    missing = report(
        options.collection,
        options.out,
        pairs=options.pairs,
        second=options.second,
        command=common.typed(options),
        replace=options.replace,
    )
    page = Path(options.out) / "index.html"
    print(f"{page}: the report; {missing} of its parts cannot be computed")


def add_plan(commands):
    """Say the arguments of ``plan``."""
    command = common.add(
        commands,
        "plan",
        plan,
        "so many judgements and systems -> topics, depth and measure",
        "Say how a budget of judgements is spent best: how many topics, how deep a "
        "pool, which measure, and how well the result will tell the order of the systems on other "
        "topics. It is told from a pilot, a collection that is like yours.",
        "--judgements 5000 --systems 40",
    )
    command.add_argument(
        "--judgements", metavar="N", type=_number, required=True, help="documents you can judge"
    )
    command.add_argument(
        "--systems",
        metavar="M",
        type=common.count,
        help="systems that feed the pool (default: as many as the pilot has)",
    )
    command.add_argument(
        "--topic-cost",
        metavar="C",
        type=_number,
        default=0.0,
        help="what a topic costs before its first judgement, in judgements (default: 0)",
    )
    command.add_argument(
        "--rank-cost",
        metavar="R",
        type=_number,
        default=0.0,
        help="what reading a rank of a system's list costs, judged before or not, in judgements "
        "(default: 0)",
    )
    command.add_argument(
        "--topics",
        metavar="MOST",
        type=common.count,
        help="the most topics there are (default: no end)",
    )
    command.add_argument(
        "--collection", metavar="NAME_OR_FOLDER", default="trec8", help="pilot (default: trec8)"
    )


def _number(text):
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number")
    return value


def plan(options):
    """Print the plan."""
    from lib.studies.spending.planner import Budget, advise

    budget = Budget(
        judgements=options.judgements,
        topic=options.topic_cost,
        rank=options.rank_cost,
        systems=options.systems,
        most=options.topics,
    )
    print(advise(_told(options.collection), budget).text)


def _told(name):
    """Return what a collection tells: of some of the book's it is known."""
    from lib import load
    from lib.studies.spending.pilot import NUMBER, PILOTS, cached_pilot, pilot

    if name in PILOTS:
        return cached_pilot(name)
    try:
        return pilot(load(name)).told(number=NUMBER)
    except ValueError as error:
        raise InputError(str(error)) from None


def add_elsewhere(commands):
    """Say the arguments of ``elsewhere``."""
    command = common.add(
        commands,
        "elsewhere",
        elsewhere,
        "the headline claims of the papers asked of a collection",
        "Ask the headline claims of the papers of a collection and print, as CSV, "
        "each number with its 95% interval over topics, or why there is none "
        "(see lib.studies.elsewhere).",
        "--collection mine",
    )
    command.add_argument(
        "what",
        metavar="WHAT",
        nargs="?",
        choices=("estimates", "growth"),
        default="estimates",
        help="estimates: every claim (default); growth: the number of topics grows",
    )
    command.add_argument("--collection", metavar="NAME_OR_FOLDER", required=True)


def elsewhere(options):
    """Print the numbers."""
    from lib import load
    from lib.studies.elsewhere.estimates import answers, growth_curve
    from lib.studies.sources import yours

    ask = growth_curve if options.what == "growth" else answers
    common.show(ask(yours(load(options.collection))))


def add_ledger(commands):
    """Say the arguments of ``ledger``."""
    command = common.add(
        commands,
        "ledger",
        ledger,
        "every published number, ours, and a verdict",
        f"Compute every number and claim of the {in_words(len(names()))} papers and "
        "compare the verdicts with the committed ones; exit with status 1 when one is worse.",
        "--csv",
    )
    command.add_argument("--csv", action="store_true", help="print all rows as CSV")
    command.add_argument(
        "--write",
        action="store_true",
        help="commit the result: data/ledger.csv, the book's page, the README",
    )


def ledger(options):
    """Compute the ledger, and print or write it."""
    from lib import ledger_page
    from lib.ledger import committed, totals, worse
    from lib.papers import ledger

    now = ledger()
    if options.write:
        ledger_page.write(now)
    if options.csv:
        common.show(now)
    else:
        print(totals(now).to_string())
        for row in now[now["verdict"] == DIFFERS].itertuples():
            print(
                f"differs: {row.paper}, {row.place}, {row.row}, {row.column}: "
                f"published {row.published}, ours {row.reproduced}. {row.cause}"
            )
    found = worse(now, committed())
    for row in found.itertuples():
        print(
            f"worse than committed: {row.paper}, {row.place}, {row.row}, {row.column}: "
            f"{row.verdict_before} -> {row.verdict}",
            file=sys.stderr,
        )
    return 1 if len(found) else 0
