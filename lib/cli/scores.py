"""``scores``: files of scores by topic and system -> a score matrix."""

import re
import shlex
from pathlib import Path

from lib.cli import common
from lib.errors import InputError


def add(commands):
    """Say the arguments."""
    command = commands.add_parser(
        "scores",
        help="files of scores by topic and system -> a score matrix",
        description="Put scores of systems on topics, one file a measure, into a data package "
        "that lib.collection.load_scores reads. A file is comma-separated text: a header line "
        "with the names of the systems, then a line a topic. A column 'topic' names the topics; "
        "where there is none they are called 1, 2, ... in the order of their lines. All files "
        "have the same topics and systems in the same order; scores are in [0, 1] and no finer "
        "than 0.00001.",
    )
    command.add_argument(
        "files",
        metavar="MEASURE=FILE",
        nargs="+",
        help="a measure and the file of its scores, such as AP=ap.csv",
    )
    common.add_output(command, kind="score matrix")
    command.set_defaults(run=run)


def run(options):
    """Read the files and save the score matrix."""
    from lib.collection import read_scores, save_scores

    out = Path(options.out)
    about = common.about(options.about)
    files = _files(options.files)
    about["command"] = _command(files, out)
    with common.output(options, "data package") as place:
        scores = read_scores(files)
        save_scores(place, scores, name=options.name or out.name, about=about)
    topics, systems = next(iter(scores.values())).shape
    print(f"{out}: {systems} systems, {topics} topics, {' '.join(scores)}")


def _files(words):
    """Return measure to file; a measure may hold "=" inside parentheses, such as RBP(p=0.8)."""
    files = {}
    for word in words:
        parts = re.fullmatch(r"((?:[^=()]|\([^()]*\))+)=(.+)", word)
        if parts is None:
            raise InputError(f"{word!r} is not MEASURE=FILE")
        measure, file = parts.groups()
        if measure in files:
            raise InputError(f"measure {measure} has two files")
        files[measure] = file
    return files


def _command(files, out):
    """Return the command that makes the matrix again; folders above the input are left out."""
    words = [f"{measure}={Path(file).name}" for measure, file in files.items()]
    return f"python -m lib scores {shlex.join(words)} --out {out.name}"
