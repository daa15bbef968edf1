"""``plan``: so many judgements and systems -> topics, depth and measure, and what they promise."""

import argparse
import math

from lib.errors import InputError


def add(commands):
    """Say the arguments."""
    command = commands.add_parser(
        "plan",
        help="so many judgements and systems -> topics, depth and measure",
        description="Say how a budget of judgements is spent best: how many topics, how deep a "
        "pool, which measure, and how well the result will tell the order of the systems on other "
        "topics. It is told from a pilot, a collection that is like yours.",
    )
    command.add_argument(
        "--judgements", metavar="N", type=_number, required=True, help="documents you can judge"
    )
    command.add_argument(
        "--systems",
        metavar="M",
        type=_whole,
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
        "--topics", metavar="MOST", type=_whole, help="the most topics there are (default: no end)"
    )
    command.add_argument(
        "--collection", metavar="NAME_OR_FOLDER", default="trec8", help="pilot (default: trec8)"
    )
    command.set_defaults(run=run)


def _number(text):
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number")
    return value


def _whole(text):
    if not text.isdecimal() or int(text) < 2:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of 2 or more")
    return int(text)


def run(options):
    """Print the plan."""
    from lib.studies.spending.advice import advice
    from lib.studies.spending.planner import Budget

    told = _told(options.collection)
    budget = Budget(
        judgements=options.judgements,
        topic=options.topic_cost,
        rank=options.rank_cost,
        systems=options.systems,
        most=options.topics,
    )
    print(advice(told, budget).text)


def _told(name):
    """Return what a collection tells: of some of the book's it is known."""
    from lib import load
    from lib.studies.spending.kept import KEPT, NUMBER, TIMES, kept
    from lib.studies.spending.pilot import pilot

    if name in KEPT:
        return kept(name)
    try:
        return pilot(load(name)).told(number=NUMBER, times=TIMES)
    except ValueError as error:
        raise InputError(str(error)) from None
