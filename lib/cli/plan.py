"""The command that plans how judgements are spent."""

from dataclasses import replace

from lib.cli import common
from lib.cli.common import argument, command
from lib.errors import InputError


@command(
    "--judgements 5000 --systems 40 --aim nDCG@10",
    argument("--judgements", type=float, required=True, help="documents you can judge"),
    argument("--systems", type=int, help="that contribute to the pool (as many as the pilot has)"),
    argument("--aim", default="AP", help="measure whose order of the systems counts (%(default)s)"),
    argument("--top", type=int, help="plan for the top systems of that order, so many of them"),
    argument("--difference", type=float, help="of two systems' means, to be asked for"),
    argument("--topic-cost", type=float, default=0.0, help="of any topic, in judgements (none)"),
    argument("--rank-cost", type=float, default=0.0, help="of reading a rank of a list (none)"),
    argument("--topics", type=int, help="the most topics there are (no end)"),
    argument("--collection", metavar="NAME_OR_FOLDER", default="trec8", help="pilot (%(default)s)"),
)
def plan(options):
    """Say how a budget of judgements is spent best: topics, depth of the pool, and measure.

    And how well the result will tell the order of the systems, and what difference of one pair it
    will find.  It is predicted from a pilot, a collection that is like yours.
    """
    from lib.measures import parse
    from lib.studies.spending.pilot import LABELS, NUMBER, PILOTS, cached_pilot, pilot
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
        aim = str(parse(options.aim))
        told = cached_pilot(name, aim) if name in PILOTS and aim in LABELS else None
        if told is None or options.top is not None:  # for the top, scores are simulated anew
            sizes = [] if options.systems is None else [options.systems]
            made = pilot(common.opened(name), aim=aim, sizes=sizes)
            if told is None:
                told = made.told(number=NUMBER)
            else:
                told = replace(told, pilot=replace(made, pools=told.pilot.pools))
    except ValueError as error:
        raise InputError(str(error)) from None
    print(advise(told, budget, difference=options.difference, top=options.top).text)
