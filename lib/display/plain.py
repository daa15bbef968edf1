"""Tables as text: for a terminal, a spreadsheet, a program, or a paper."""

import sys

import pandas as pd

from lib.errors import defused, digits

TEX = str.maketrans({c: f"\\{c}" for c in "&%$#_{}"} | {c: rf"\char{ord(c)}{{}}" for c in "\\^~"})


def rounded(table: pd.DataFrame) -> pd.DataFrame:
    """Round numbers to six digits, but for p values, the small ones of which keep theirs."""
    return table.round(dict.fromkeys([c for c in table if not str(c).startswith("p")], 6))


def show(table: pd.DataFrame, form: str | None = None) -> None:
    """Print a table in a format of ``FORMAT``."""
    form = form or ("text" if sys.stdout.isatty() else "csv")
    texts = table.map(digits)
    if form == "csv":
        table.map(defused).to_csv(sys.stdout, index=False, lineterminator="\n")
    elif form == "json":
        print(table.to_json(orient="records", indent=1))
    elif form == "text":
        print(texts.to_string(index=False))
    elif form == "markdown":
        print("|", " | ".join(texts), "|\n|", " | ".join("---" for _ in texts), "|")
        for row in texts.to_numpy():
            print("|", " | ".join(one.replace("|", r"\|") for one in row), "|")
    else:
        print(rf"\begin{{tabular}}{{{'l' * len(texts.columns)}}}")
        for row in (texts.columns, *texts.to_numpy()):
            print(" & ".join(one.translate(TEX) for one in row), r"\\")
        print(r"\end{tabular}")
