"""The command ``foretell``: with how many topics a measure tells another one's ranking better."""

import warnings
from argparse import Namespace

from lib.cli import common
from lib.cli.common import MeasuresOrHelp, argument, command, print_table, rounded
from lib.errors import InputError, InputWarning
from lib.tasks import progress

_MOST = 1000  # topics a set up to which the end of a lead is sought
_SPLITS = 2000  # of a lead that is seen


@command(
    'mine --target P@10 --measures "AP RBP(p=0.9)" --topics 10,25,50,100',
    common.COLLECTION_ARGUMENT,
    argument("--target", default="P@10", help="measure that you mean (default: %(default)s)"),
    argument(
        "--measures",
        action=MeasuresOrHelp,
        default="AP RBP(p=0.9)",
        help="measures that may tell its ranking better (default: %(default)s)",
    ),
    argument("--topics", default="10,25,50,100", help="topics a set (default: %(default)s)"),
    common.FORMAT_OPTION,
    extra="papers",
)
def foretell(options: Namespace) -> None:
    """Foretell with how many topics another measure tells a target's ranking better than itself.

    The lead of a measure is how much better its ranking of the systems on some topics tells their
    ranking by the target on as many others than the target's own ranking does, in tau.  A measure
    leads where it is reliable enough to outweigh what it lacks in validity: with few topics, if at
    all.  Printed are, with 95% intervals over topics:

    noise: the topics at which half of the variance between systems is theirs; of n topics the
    reliability is n / (n + noise).  validity: how alike measure and target are without the luck of
    topics.  lead: foretold by the law, and beside it as seen on up to half of the topics, and as
    foretold by these runs alone.  n*: the topics a set at which the lead ends, as a range; from 0
    if there may be no lead, to 0 if there is none, inf where no end is seen up to 1,000.

    Leads may be foretold, though not seen, for more topics than there are: the registered test
    asked pilots of 50 topics for leads with 100 others.  AP for P@10 or RR, and these for AP, are
    weighed with the book's other collections, each side by its precision.  All runs count; it takes
    20 of them and 20 topics.
    """
    import numpy as np
    import pandas as pd

    from lib.measures import complete_scores, parse
    from lib.statistics.law import foretell, lead, phis

    measures = [str(parse(one)) for one in (options.target, *common.measures(options.measures))]
    target, *others = dict.fromkeys(measures)
    if target in measures[1:]:
        raise InputError(f"--measures: {target} is the target, and has no lead over itself")
    try:
        sizes = sorted({int(word) for word in options.topics.split(",")})
    except ValueError:
        raise InputError(f"--topics: {options.topics!r} is no list such as 10,25") from None
    judged = any(parse(measure).definition.judged for measure in measures)
    collection = common.opened(options.collection, judged=judged)
    scores = complete_scores(collection, [target, *others])
    alone = foretell(scores, target, sorted({*range(1, _MOST + 1), *sizes}))
    mean = deviation = np.full(alone.lead.estimate.shape, np.nan)
    why = "are not here"
    if common.OLDER_LEADS is not None:
        mean, deviation = common.OLDER_LEADS(collection, others, target, alone.topics)
        why = "do not have them"
    if unknown := [one for one, of in zip(others, mean) if np.isnan(of).all()]:
        text = f"leads of {', '.join(unknown)} for {target} come from these runs alone: "
        warnings.warn(f"{text}the book's collections {why}", InputWarning, stacklevel=2)
    forecast = alone.weighed(mean, deviation)
    noise, validity, leads = (
        np.stack([part.estimate, part.low, part.high], axis=-1)
        for part in (forecast.noise, forecast.validity, forecast.lead)
    )
    seen = {n: np.full(len(measures), np.nan) for n in sizes}
    for n in progress([n for n in sizes if n <= len(collection.topics) // 2], "size"):
        known = phis(scores, n, number=_SPLITS, rng=np.random.default_rng(n))
        seen[n] = lead(known.value)[:, 0]
    rows = [[target, "noise", "", *noise[0]]]
    for place, (measure, end) in enumerate(zip(others, forecast.ends())):
        rows.append([measure, "noise", "", *noise[place + 1]])
        rows.append([measure, "validity", "", *validity[place]])
        for n in sizes:
            at = place, alone.topics.index(n)
            extra = seen[n][place + 1], alone.lead.estimate[at]
            rows.append([measure, "lead", n, *leads[at], *extra])
        rows.append([measure, "n*", "", np.nan, *end])
    columns = ["measure", "number", "topics", "estimate", "low", "high", "seen", "alone"]
    table = pd.DataFrame([dict(zip(columns, row)) for row in rows], columns=columns)
    print_table(rounded(table), options.format)
