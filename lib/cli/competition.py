"""The steps of a class competition: ``search``, ``sheets``, ``qrels`` and ``left-out``.

Between the last two, ``compare`` prints the leaderboard.
"""

import os
from argparse import Namespace
from pathlib import Path
from tempfile import TemporaryDirectory

from lib.cli import common
from lib.cli.common import argument, command, print_table, rounded
from lib.errors import InputError

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
)
def search(options: Namespace) -> None:
    """Search a text collection, and write a TREC run file, whose name is the run's.

    The systems are those of lib.retrieval, with blind feedback or without.
    """
    from lib.teaching import competition

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
)
def sheets(options: Namespace) -> None:
    """Pool the runs, and write a sheet a judge: CSV, to be filled in any spreadsheet.

    A sheet has whole topics; in the column `relevant` goes 0, or the grade of what is relevant.
    """
    from lib.atomic import fresh_folder
    from lib.teaching import competition

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
)
def qrels(options: Namespace) -> None:
    """Read filled sheets, and write their judgements as a TREC qrels file."""
    from lib.teaching import competition

    _write(options.out, competition.judgements(options.sheets))


@command(
    "runs qrels.txt --depth 5",
    common.RUNS_ARGUMENT,
    common.CHOICE,
    common.FORMAT_OPTION,
    common.QRELS_ARGUMENT,
    argument("--systems", metavar="FILE", help="tab-separated table: run, group"),
    _DEPTH,
    argument("--measure", default="AP", help="measure (default: %(default)s)"),
)
def left_out(options: Namespace) -> None:
    """Say what each run would lose if its group had not been in the pool.

    A run is scored by the pool of all runs, and by that of the other groups; without --systems each
    run is a group. The interval is of 95%, over topics.
    """
    from lib.collection import derive
    from lib.teaching import competition

    chosen = common.choice_of_runs(options)
    collection = derive(options.runs, options.qrels, systems=options.systems, judged=True, **chosen)
    table = competition.left_out(collection, options.measure, depth=options.depth)
    print_table(rounded(table.reset_index()), options.format)
