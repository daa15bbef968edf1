"""``ledger``: every published number, ours, and a verdict."""

import sys

from lib.published import DIFFERS, in_words, names


def add(commands):
    """Say the arguments."""
    command = commands.add_parser(
        "ledger",
        help="every published number, ours, and a verdict",
        description=f"Compute every number and claim of the {in_words(len(names()))} papers and "
        "compare the verdicts with the committed ones; exit with status 1 when one is worse.",
    )
    command.add_argument("--csv", action="store_true", help="print all rows as CSV")
    command.add_argument(
        "--write",
        action="store_true",
        help="commit the result: data/ledger.csv, the book's page, the README",
    )
    command.set_defaults(run=run)


def run(options):
    """Compute the ledger, and print or write it."""
    from lib import ledger_page
    from lib.ledger import committed, totals, worse
    from lib.papers import ledger

    now = ledger()
    if options.write:
        ledger_page.write(now)
    if options.csv:
        now.to_csv(sys.stdout, index=False, lineterminator="\n")
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
