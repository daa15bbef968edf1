"""The chapters' commands: the report, the papers' tables, the ledger, a plan, a competition.

Each imports what it needs when it runs, as those of :mod:`lib.cli` do, which finds this file.
``search``, ``sheets`` and ``qrels`` are the steps of a class competition; ``compare`` prints its
leaderboard, and ``left-out`` what being in the pool gave.
"""

import os
import sys
from argparse import Namespace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from chapters.ledger import paper_names
from lib.cli import common
from lib.cli.common import argument, command, print_table
from lib.errors import InputError
from lib.paths import ROOT

_FILE = argument("--out", metavar="FILE", required=True, help="file to make")
_DEPTH = argument("--depth", type=int, default=5, help="depth of the pool (default: %(default)s)")
_TEXTS = argument(
    "texts",
    metavar="TEXTS",
    help="folder with docs.jsonl and queries.tsv, or BEIR's corpus.jsonl and queries.jsonl",
)


def _write(file: str, text: str) -> None:
    """Write a file that is not there yet, whole or not at all."""
    if os.path.lexists(file):
        raise InputError(f"{file}: exists already and is not written over")
    with TemporaryDirectory(prefix=".unfinished-", dir=Path(file).absolute().parent) as folder:
        new = Path(folder, "new")
        new.write_text(text, encoding="utf-8")
        os.rename(new, file)
    print(f"{file}: {text.count(chr(10)):,} lines")


@command(
    "--collection mine --out page",
    common.COLLECTION_OPTION,
    common.OUT,
    common.PAIRS_OPTION,
    argument("--second", metavar="NAME_OR_FOLDER", help="the same runs by another judge"),
    argument("--title", help="title of the page (default: the collection's)"),
    extra="report",
)
def report(options: Namespace) -> None:
    """Put every table and figure of the papers, from a collection, on one page.

    It needs no network: FOLDER/index.html; beside it stand the notebook that made it,
    FOLDER/report.ipynb, and the numbers as CSV.
    """
    from chapters.report.page import report

    how = {name: getattr(options, name) for name in ("title", "pairs", "second", "replace")}
    missing = report(options.collection, options.out, command=common.typed(options), **how)
    parts = f"not computed: {'; '.join(missing)}" if missing else "it has all its parts"
    print(f"{Path(options.out, 'index.html')}: the report; {parts}")


@command(
    "webber2010 1 --collection mine",
    common.PAIRS_OPTION,
    common.FORMAT_OPTION,
    argument("paper", metavar="PAPER", help=", ".join(paper_names())),
    argument("number", metavar="NUMBER", help="number of the table"),
    argument("--collection", metavar="NAME_OR_FOLDER", help="collection (default: the paper's)"),
    extra="papers",
)
def table(options: Namespace) -> None:
    """Print a table of a paper: published, reproduced, difference, verdict."""
    from chapters.ledger.papers import paper
    from lib.collection import read_pairs

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
    extra="papers",
)
def elsewhere(options: Namespace) -> None:
    """Test the headline claims of the papers on a collection.

    Printed is the number of the leading analysis path with its 95% interval over topics, or why
    there is none; with --paths also how many paths there are, the least and the most that they
    give, and on how many the interval supports and contradicts the paper (chapters.elsewhere).
    """
    from chapters.elsewhere.engine import ESTIMATE_NUMBERS, ask, by_source
    from chapters.elsewhere.sources import yours

    source = yours(common.opened(options.collection))
    rows = ask(source, leading=not options.paths)
    shown = ["claim", "source", "title", *ESTIMATE_NUMBERS, "why"]
    print_table(by_source(rows) if options.paths else rows[shown])


@command(
    "--write",
    argument("--write", action="store_true", help="write data and the pages made of it"),
    extra="papers",
)
def ledger(options: Namespace) -> int:
    """Compute every number and claim of the papers, and count the verdicts.

    They are compared with the committed ones; the exit status is 1 when one is worse.
    """
    from chapters.ledger import deciding
    from chapters.ledger import page as ledger_page
    from chapters.ledger.papers import ledger
    from chapters.ledger.rows import committed, totals, worse

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
    extra="papers",
)
def plan(options: Namespace) -> None:
    """Say how a budget of judgements is spent best: topics, depth of the pool, and measure.

    Printed is also how well the result predicts the order of the systems on other topics, and what
    difference of one pair it finds, as promised by a pilot, a collection that is like yours.
    """
    from chapters.spending.pilot import PILOT_SPLITS, cached_forecast, is_kept, pilot
    from chapters.spending.planner import Budget, advise
    from lib.collection.package import folder_of
    from lib.measures import parse

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


@command(
    "texts --system city --out runs/team-a",
    _TEXTS,
    _FILE,
    argument("--system", default="city", help="system of lib.retrieval (default: %(default)s)"),
    argument("--no-feedback", action="store_true", help="search once, without expansion"),
    argument(
        "--documents", type=int, metavar="N", help="number to learn from (default: the system's)"
    ),
    argument("--terms", type=int, metavar="N", help="terms to add (default: the system's)"),
    argument("--weight", type=float, metavar="W", help="weight of the terms added"),
    extra="papers",
)
def search(options: Namespace) -> None:
    """Search a text collection, and write a TREC run file, whose name is the run's.

    The systems are those of lib.retrieval, with blind feedback or without.
    """
    from chapters import competition

    given = {name: getattr(options, name) for name in ("documents", "terms", "weight")}
    numbers = {name: value for name, value in given.items() if value is not None}
    if numbers and options.no_feedback:
        raise InputError(f"--{next(iter(numbers))} goes with feedback, and not with --no-feedback")
    team, feedback = Path(options.out).stem, not options.no_feedback
    if not team.isprintable() or len(team.split()) != 1:
        raise InputError(f"{options.out}: the file's name is the run's, and may have no blanks")
    lines = competition.search(options.texts, team, options.system, feedback=feedback, **numbers)
    _write(options.out, lines)


@command(
    "runs texts --depth 5 --judges 8 --out sheets",
    common.RUNS_ARGUMENT,
    _TEXTS,
    _DEPTH,
    argument("--judges", type=int, default=1, help="judges, a sheet each (default: %(default)s)"),
    argument("--out", metavar="FOLDER", required=True, help="folder to make"),
    extra="papers",
)
def sheets(options: Namespace) -> None:
    """Pool the runs, and write a sheet a judge: CSV, to be filled in any spreadsheet.

    A sheet has whole topics; in the column `relevant` goes 0, or the grade of what is relevant.
    """
    from chapters import competition
    from lib.atomic import fresh_folder

    how = {"depth": options.depth, "judges": options.judges}
    made = competition.sheets(options.runs, options.texts, **how)
    with fresh_folder(options.out, kind="folder of sheets") as folder:
        for name, text in made.items():  # with a mark, or Excel takes UTF-8 for something else
            (folder / name).write_text(text, encoding="utf-8-sig")
            if name != competition.POOL_FILE:
                documents = text.count("\n") - 1
                print(f"{Path(options.out) / name}: {documents} documents to judge")


@command(
    "sheets --out qrels.txt",
    argument("sheets", metavar="SHEETS", help="folder of filled sheets"),
    _FILE,
    extra="papers",
)
def qrels(options: Namespace) -> None:
    """Read filled sheets, and write their judgements as a TREC qrels file."""
    from chapters import competition

    _write(options.out, competition.judgements(options.sheets))


def _lost_outside(*given: Any) -> Any:
    from chapters.left_out.lost_outside import lost_outside

    return lost_outside(*given)


def _said_outside(*given: Any) -> Any:
    from chapters.left_out.lost_outside import said_outside

    return said_outside(*given)


def _older_leads(*given: Any) -> Any:
    from chapters.elsewhere.older import older_leads

    return older_leads(*given)


common.LOST_OUTSIDE = _lost_outside, _said_outside
common.OLDER_LEADS = _older_leads
