"""``compare-qrels``: runs and two sets of judgements -> how far the judges agree."""

from pathlib import Path

from lib.cli import common
from lib.errors import harmless

AGREE = {
    "overlap": "relevant to both, of those relevant to either",
    "agreement": "called the same by both",
    "kappa": "Cohen's kappa",
    "A's relevant": "relevant to B too, of those relevant to A",
    "B's relevant": "relevant to A too, of those relevant to B",
}


def add_compare_qrels(commands):
    """Say the arguments of ``compare-qrels``."""
    command = common.add(
        commands,
        "compare-qrels",
        compare,
        "runs and two sets of judgements -> how far the judges agree, and rankings by them",
        "Compare two sets of judgements of the same topics: what they agree on, how "
        "alike they rank the runs, and which pairs of runs turn (see lib.studies.judges). "
        "Intervals are of 95%, over topics, by the jackknife.",
        "runs expert.qrels crowd.qrels",
    )
    command.add_argument("runs", metavar="RUNS", help="folder of run files, one a system")
    command.add_argument("a", metavar="A", help="file of relevance judgements")
    command.add_argument("b", metavar="B", help="another file of judgements of these topics")
    command.add_argument(
        "--measures",
        default="AP nDCG P@10 RR",
        help="names separated by blanks (default: %(default)s)",
    )
    command.add_argument(
        "--rel",
        type=int,
        default=1,
        metavar="N",
        help="documents of grade N or more are relevant (default: %(default)s)",
    )
    common.add_choice_of_runs(command)
    command.add_argument(
        "--correction",
        choices=("none", "holm"),
        default="none",
        help="of the p values of all pairs of runs (default: %(default)s)",
    )
    command.add_argument(
        "--csv",
        choices=("judges", "rankings", "turned"),
        help="print one table as CSV: what the judges agree on, the rankings by measure, or each "
        "pair of runs that turns",
    )


def compare(options):
    """Print the page, or one of its tables."""
    import pandas as pd

    from lib.collection import derive, read_qrels
    from lib.studies import judges

    measures = common.measures(options.measures)
    one, other = read_qrels(options.a), read_qrels(options.b)
    judged = judges.counts(one, other, rel=options.rel)
    agreed = judges.agreement(judged)
    if options.csv == "judges":
        common.show(agreed.round(6).rename_axis("quantity").reset_index())
        return
    pair = judges.same_runs(
        *(
            derive(
                options.runs,
                file,
                rel=options.rel,
                name=Path(file).name,
                **common.choice_of_runs(options),
            )
            for file in (options.a, options.b)
        )
    )
    if options.csv == "turned":
        turned = {
            name: judges.sign_reversals(*pair, name, correction=options.correction)
            for name in measures
        }
        common.show(pd.concat(turned, names=["measure"]).round(6).reset_index("measure"))
        return
    rankings = judges.compared(*pair, measures=measures, correction=options.correction)
    if options.csv == "rankings":
        common.show(rankings.round(6).reset_index())
        return
    print(_page(options, pair[0], one, other, judged, agreed, rankings))


def _page(options, collection, one, other, judged, agreed, rankings):
    """Write what was found on one page."""
    total = judged.sum()
    both = total[["yes yes", "yes no", "no yes", "no no"]].sum()
    left = len(one.keys() ^ other.keys())
    lines = [
        harmless(f"A is {options.a}, B is {options.b}; relevant from grade {options.rel}."),
        f"{len(judged)} topics that both judged"
        + (f" ({left} that only one did are left out)" if left else "")
        + f", {len(collection.systems)} runs.",
        f"Documents judged by both: {both:,}; only by A: {total['only A']:,}; "
        f"only by B: {total['only B']:,}.",
        f"Relevant to both: {total['yes yes']:,}; only to A: {total['yes no']:,}; "
        f"only to B: {total['no yes']:,}.",
        "",
        "Of the documents that both judged (95% interval over topics)",
    ]
    lines += [
        f"  {words:<46}{_number(row.estimate)}  ({_number(row.low)} to {_number(row.high)})"
        for words, row in zip(AGREE.values(), agreed.itertuples())
    ]
    lines += ["", "Rankings of the runs by A and by B (95% interval over topics)"]
    lines += [f"  {'':<16}{'tau-b':>22}{'tau-AP, symmetric':>22}  pairs that turn"]
    corrected = " after Holm" if options.correction == "holm" else ""
    for name, found in rankings.to_dict("index").items():
        share = f"{found['turn']:,} of {found['pairs']:,}"
        lines.append(
            f"  {name:<16}{_interval(found, 'tau-b'):>22}{_interval(found, 'tau-AP'):>22}  {share}"
            f"; significant{corrected} by A {found['by A']}, by B {found['by B']}, "
            f"by both {found['both']}"
        )
    return "\n".join(lines)


def _interval(found, name):
    values = (found[name], found[f"low {name}"], found[f"high {name}"])
    return "{} ({} to {})".format(*map(_number, values))


def _number(value):
    return "-" if value != value else f"{value:.2f}"
