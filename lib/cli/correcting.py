"""Commands on judgements: ``correct`` a machine's by people's; what is ``left-out`` of a pool."""

import warnings
from argparse import Namespace
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from lib.cli import common
from lib.cli.common import argument, command, print_table, rounded
from lib.errors import InputError, InputWarning, did_you_mean

if TYPE_CHECKING:
    from lib.collection import Collection
    from lib.measures import Scores


def drawn(topics: Iterable[str], number: int, seed: int) -> list[str]:
    """Return topics drawn at random; of a seed, fewer are the first of more.

    >>> drawn(["1", "2", "3", "4"], 2, seed=1) == drawn(["4", "3", "2", "1"], 3, seed=1)[:2]
    True
    """
    import numpy as np

    return [str(one) for one in np.random.default_rng(seed).permutation(sorted(topics))[:number]]


@command(
    "runs machine.qrels people.qrels --draw 15 --seed 1 --measures nDCG@10",
    common.RUNS_ARGUMENT,
    common.CHOICE,
    common.MEASURES_OPTION,
    common.FORMAT_OPTION,
    argument("machine", metavar="MACHINE", help="file of the machine's judgements of all topics"),
    argument("people", metavar="PEOPLE", nargs="?", help="people's judgements, of some topics"),
    argument("--draw", type=int, metavar="N", help="number of topics to be drawn for people"),
    argument("--seed", type=int, help="seed of the draw, a whole number from 0"),
    argument("--chosen-by-me", action="store_true", help="take topics that were not drawn"),
    argument("--against", metavar="RUN", help="run to compare all others with"),
)
def correct(options: Namespace) -> None:
    """Correct the means that a machine's judgements give by people's judgements of a few topics.

    Without PEOPLE it prints the topics to be judged, --draw N of them by --seed S.  With PEOPLE it
    draws again, refuses other topics, and prints each run's mean by the machine and the corrected
    one: the machine's mean of all topics plus the mean of people minus machine of those that people
    judged.  Its 95% interval is for what people would say of all these topics.  It holds for topics
    drawn at random; with --chosen-by-me it is as good as your topics are like a random draw.

    What people's topics are worth: in chapter 7 the judge UMBRELA made 11 of DL 2019's 43 topics
    worth 18 of people alone, and 13 of DL 2021's 53 worth 21, for a difference by nDCG@10.  Other
    judges and measures gave less.  In 500 draws of 15 topics the intervals held in 94% to 96%, on
    average over runs and pairs; of two runs that differ on few topics alone, in half of the draws.
    """
    import numpy as np
    import pandas as pd

    from lib.measures import complete_scores, parse
    from lib.statistics.comparison import difference_in_print, is_ratio, mean_in_print
    from lib.statistics.difference_estimator import difference_estimate

    given = options.draw is not None and options.seed is not None
    if not given and (options.people is None or not options.chosen_by_me):
        raise InputError("say which topics: --draw N --seed S, or --chosen-by-me with PEOPLE")
    machine = _judged(options, options.machine)
    topics = list(machine.topics.index)
    if options.people is None:
        print("\n".join(_asked(options, topics)))
        return
    people = _people(options, topics)
    chosen = [topics.index(topic) for topic in people.topics.index]
    rows = []
    for measure in map(str, map(parse, common.measures(options.measures))):
        tables = [complete_scores(of, measure)[machine.systems.index] for of in (people, machine)]
        if options.against:
            tables = [_less(of, options.against) for of in tables]
        estimates = difference_estimate(tables[0], tables[1], chosen)
        table = pd.DataFrame({"measure": measure, "run": list(tables[1])})
        if options.against:
            table["run"] += f" {'over' if is_ratio(measure) else 'minus'} {options.against}"
            numbers = [tables[1].mean(), estimates.estimate, estimates.low, estimates.high]
            numbers = [difference_in_print(of, measure, len(topics)) for of in numbers]
        else:
            whole = mean_in_print(estimates, measure, len(topics))
            mean = parse(measure).definition.mean(tables[1])
            numbers = [mean, whole.estimate, whole.low, whole.high]
        columns = zip(("by machine", "corrected", "low", "high"), map(np.asarray, numbers))
        rows.append(table.assign(**dict(columns)))
    print_table(rounded(pd.concat(rows)), options.format)


def _asked(options: Namespace, topics: Sequence[str]) -> list[str]:
    """Return the topics that are drawn."""
    if not 2 <= options.draw <= len(topics):
        raise InputError(f"--draw must be 2 to {len(topics)} topics, not {options.draw}")
    if options.seed < 0:
        raise InputError(f"--seed must be 0 or more, not {options.seed}")
    return drawn(topics, options.draw, options.seed)


def _judged(options: Namespace, qrels: str) -> "Collection":
    from lib.collection import derive

    return derive(options.runs, qrels, judged=True, **common.choice_of_runs(options))


def _people(options: Namespace, topics: Sequence[str]) -> "Collection":
    """Return the runs by people's judgements, or refuse what cannot stand beside the machine's."""
    from lib.collection import read_qrels

    both = [read_qrels(file) for file in (options.machine, options.people)]
    grades = [{grade for of in one.values() for grade in of.values() if grade >= 0} for one in both]
    if len(grades[0]) == 1:
        raise InputError(
            f"{options.machine}: every grade is {grades[0].pop()}, which tells nothing"
        )
    if grades[0] != grades[1] and options.highest_grade is None:
        grade = min(grades[0] ^ grades[1])
        only = options.people if grade in grades[1] else options.machine
        raise InputError(
            f"grade {grade} is only in {only}; if both have one scale, say --highest-grade N"
        )
    mine = list(both[1])
    if outside := [topic for topic in mine if topic not in both[0]]:
        raise InputError(f"{options.people}: topic {outside[0]!r} is not in {options.machine}")
    if not options.chosen_by_me and (other := set(mine) ^ set(_asked(options, topics))):
        was = "was not drawn" if min(other) in mine else "was drawn and is not there"
        raise InputError(
            f"{options.people}: topic {min(other)!r} {was}; other topics need --chosen-by-me"
        )
    if len(mine) < 2:
        raise InputError(f"{options.people}: an interval needs two topics or more, not {len(mine)}")
    warnings.filterwarnings("ignore", "topics that are answered", InputWarning)  # they are few
    people = _judged(options, options.people)
    if (unanswered := (people.retrieved < 0).all(axis=1)).any():
        topic = people.topics.index[unanswered][0]
        raise InputError(f"{options.people}: topic {topic!r} is answered by no run")
    return people


def _less(scores: "Scores", run: str) -> "Scores":
    if run not in scores:
        raise InputError(f"there is no run {run!r}{did_you_mean(run, scores)}")
    return scores.drop(columns=run).sub(scores[run], axis=0)


@command(
    "runs qrels.txt --depth 5",
    common.RUNS_ARGUMENT,
    common.CHOICE,
    common.FORMAT_OPTION,
    common.QRELS_ARGUMENT,
    argument("--systems", metavar="FILE", help="tab-separated table: run, group"),
    argument("--depth", type=int, default=5, help="depth of the pool (default: %(default)s)"),
    argument("--measure", default="AP", help="measure (default: %(default)s)"),
)
def left_out(options: Namespace) -> None:
    """Say what each run would lose if its group had not been in the pool.

    A run is scored by the pool of all runs, and by that of the other groups; without --systems each
    run is a group. The interval is of 95%, over topics.
    """
    from lib.collection import derive
    from lib.statistics.left_out import left_out

    chosen = common.choice_of_runs(options)
    chosen |= {"systems": options.systems, "judged": True, "pools": False}
    collection = derive(options.runs, options.qrels, **chosen)
    table = left_out(collection, options.measure, depth=options.depth)
    print_table(rounded(table.reset_index()), options.format)
