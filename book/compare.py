"""Write what a checkout says as plain text, so that ``diff -r`` of two of them lists every change.

``python book/compare.py CHECKOUT OUT`` writes the ledger, what the chapters' cells put out (a file
a chapter; its numbers in the text, its tables and its figures), the text of the pages that are
built in ``_build/html``, and what the commands answer.

With ``--numbers`` after these it writes the numbers that the built pages print, and no words: a
file a page, a line a number, as often as it stands there, so that ``diff -r`` lists those that
moved, whatever was worded anew.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bs4 import BeautifulSoup

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from strange import write_collection  # noqa: E402

COMMANDS = {
    f"{command.split()[0]}-{name}": command.format(name)
    for name in ("trec8", "trec-covid", "trec5")
    for command in (
        "evaluate {} --measures 'P@10 AP nDCG@20 RBP(p=0.8) RR Rprec Bpref GS10' --summary",
        "table webber2008 1 --collection {}",
        "plan --judgements 5000 --collection {}",
        "elsewhere --collection {}",
    )
} | {"ledger": "ledger", "against": "evaluate trec8 --measures AP --summary --against ok8alx"}
# Of the made-up runs of the tests, in whose folder all commands are given; and a page.
COMMANDS |= {
    "compare": "compare runs/group1-run0 runs/group2-run0 qrels --unjudged",
    "compare-many": "compare --collection trec8 READWARE2 orcl99man Flab8as --format latex",
    "compare-qrels": "compare-qrels runs qrels qrels",
    "correct": "correct runs qrels qrels --chosen-by-me --measures 'AP nDCG@10'",
    "left-out": "left-out runs qrels",
    "foretell": "foretell trec8 --format csv",
    "report": "report --collection dl19 --out page",
}
# Not part of a name such as P@10 or TREC-8.
NUMBER = re.compile(r"(?<![\w@.-])[+\u2212]?\d[\d,]*(?:\.\d+)?%?(?!\w)")
GLUED = "application/papermill.record/"  # before the kind of what a cell glues
BLOCKS = "h1 h2 h3 h4 p li tr dt dd caption figcaption pre text".split()


def plain(markup):
    """Return the text of a piece of HTML or SVG, a line a block."""
    soup = BeautifulSoup(markup, "html.parser")
    for tag in soup(["script", "style", "nav", "head"]):
        tag.decompose()
    lines = []
    for block in soup.find_all(BLOCKS):
        if not block.find(BLOCKS):
            lines.append(re.sub(r"\s+", " ", block.get_text(" ", strip=True)))
    return [line for line in lines if line]


def outputs(path):
    """Yield the texts of a notebook's outputs; of what is glued into its text, with the names."""
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        for output in cell.get("outputs", []):
            data = {kind.removeprefix(GLUED): of for kind, of in output.get("data", {}).items()}
            name = output.get("metadata", {}).get("scrapbook", {}).get("name", "")
            for kind in ("text/html", "image/svg+xml", "text/plain"):
                if kind in data:
                    text = "".join(data[kind])
                    lines = plain(text) if kind != "text/plain" else text.splitlines()
                    yield from (f"{name} {line}".strip() for line in lines)
                    break
            yield from "".join(output.get("text", "")).splitlines()


def write(path, lines):
    """Write lines to a file, and make its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def articles(checkout):
    """Yield the pages that were built, each with the lines of its text."""
    html = checkout / "_build" / "html"
    for path in sorted(html.glob("*.html")) + sorted(html.glob("*/*.html")):
        if not path.parent.name.startswith("_"):
            article = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser").find("article")
            yield path.relative_to(html).with_suffix(".txt"), plain(str(article)) if article else []


def numbers(checkout, out):
    """Write the numbers of the built pages below a folder, sorted."""
    for name, lines in articles(Path(checkout).resolve()):
        write(Path(out) / name, sorted(NUMBER.findall("\n".join(lines))))


def main(checkout, out):
    """Write all texts of a checkout below a folder."""
    checkout, out = Path(checkout).resolve(), Path(out)
    for path in sorted([*checkout.glob("chapters/*.ipynb"), *checkout.glob("book/*.ipynb")]):
        write(out / "outputs" / f"{path.stem}.txt", sorted(set(outputs(path))))
    for name, lines in articles(checkout):
        write(out / "pages" / name, lines)
    shutil.copy(checkout / "data" / "ledger.csv", out)
    surroundings = os.environ | {"PYTHONPATH": str(checkout)}
    with TemporaryDirectory() as folder:
        write_collection(Path(folder))
        how = {"cwd": folder, "env": surroundings, "capture_output": True, "text": True}
        for name, command in COMMANDS.items():
            words = [sys.executable, "-m", "lib", *shlex.split(command)]
            done = subprocess.run(words, check=False, **how)
            answer = [command, done.stdout, done.stderr, done.returncode]
            write(out / "commands" / f"{name}.txt", answer)
        page = Path(folder, "page", "index.html").read_text(encoding="utf-8")
        write(out / "pages" / "report.txt", plain(page))


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--numbers"]
    (main if words == sys.argv[1:] else numbers)(*words)
