"""What is made of originals whose form is not the book's: text collections, and parts of runs.

Of runs that are cut to their judged topics, and of means by trec_eval, only what the book made of
them is known, so this is what is checked.
"""

import gzip
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

from lib.originals.texts import CONVERTERS

# The columns of data/terabyte06/automatic_runs.csv that trec_eval prints, by its older names.
MEANS = ("R-prec", "map", "recip_rank", "P10")


def _judged(folder):
    """Return judgements, and of each run the lines of judged topics; a blank between columns."""
    (qrels,) = folder.glob("qrels.*")
    judgements = [line.split() for line in qrels.read_text(encoding="utf-8").splitlines()]
    topics = {topic for topic, *_ in judgements}
    files = {"qrels.txt": _joined(judgements)}
    for path in sorted(folder.glob("input.*")):
        content = path.read_bytes()
        text = gzip.decompress(content) if path.suffix == ".gz" else content
        rows = (line.split() for line in text.decode().splitlines())
        run = path.name.removeprefix("input.").removesuffix(path.suffix)
        files[f"runs/{run}"] = _joined(row for row in rows if row[0] in topics)
    return files


def _joined(rows):
    return "".join(" ".join(row) + "\n" for row in rows).encode()


def _automatic_runs(folder):
    """Return the means of trec_eval's outputs by topic, a line a run.

    The outputs have no P@1, which is the share of topics whose reciprocal rank is 1.
    """
    lines = ["run,topics,P_1,Rprec,map,recip_rank,P_10"]
    for path in sorted(folder.glob("*.eval")):
        rows = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if line]
        means = {measure: value for measure, topic, value in rows if topic == "all"}
        first = [
            float(value) == 1
            for measure, topic, value in rows
            if measure == "recip_rank" and topic != "all"
        ]
        if len(first) != int(means["num_q"]):
            raise ValueError(f"{path.name} does not have every topic")
        share = f"{sum(first) / len(first):.4f}"
        words = [path.stem, means["num_q"], share, *(means[name] for name in MEANS)]
        lines.append(",".join(words))
    return {"automatic_runs.csv": "".join(f"{line}\n" for line in lines).encode()}


# Name to what is taken: from the folder of the originals to file name and bytes.
EXCERPTS = {"dl19": _judged, "dl21": _judged, "terabyte06": _automatic_runs}
MAKERS: Mapping[str, Callable[[Path], dict[str, bytes]]] = CONVERTERS | EXCERPTS


def made_of(name: str, folder: Path) -> dict[str, bytes]:
    """Return what the book makes of originals, file name to bytes, or raise a ValueError."""
    try:
        return MAKERS[name](folder)
    except (ValueError, KeyError, IndexError, EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ValueError(f"{name}: the originals are not of the expected form ({error})") from None
