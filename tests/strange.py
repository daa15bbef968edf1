"""Collections that the project has never seen, of other topics and years, and odd ones; files."""

import numpy as np
import pandas as pd

from lib.collection import Collection


def write_collection(folder, *, systems=12, topics=21, depth=120, seed=2031):
    """Write the runs and judgements of a made-up track of the year 2031.

    Topic names are no numbers, an odd number of them; grades 0 to 3, and -1 below rank 20; one
    system misses a topic, one has short lists; system names hold what HTML must escape.
    """
    rng = np.random.default_rng(seed)
    names = [f"group{i // 3}-run{i % 3}" for i in range(systems)]
    names[0], names[1] = "a<script>alert(1)</script>".replace("/", "\u2215"), "b&\"'>"
    documents = [f"web31-{i:04}" for i in range(1500)]
    relevant = [
        rng.choice(len(documents), rng.integers(1, 60), replace=False) for _ in range(topics)
    ]
    strength = rng.uniform(0.6, 3, systems)
    (folder / "runs").mkdir(parents=True)
    pooled, deep = ([set() for _ in range(topics)] for _ in range(2))
    for system, name in enumerate(names):
        lines = []
        for topic in range(topics):
            score = rng.normal(size=len(documents))
            score[relevant[topic]] += strength[system] * rng.uniform(0.5, 1.5)
            top = np.argsort(-score)[: 20 if system == 3 else depth]
            pooled[topic].update(top[:20])
            deep[topic].update(top)
            if (system, topic) != (4, 2):
                lines += [
                    f"2031-{topic:02}\tQ0\t{documents[d]}\t{i}\t{score[d]:.3f}\tt\r\n"
                    for i, d in enumerate(top)
                ]
        (folder / "runs" / name).write_text("".join(lines), newline="", encoding="utf-8")
    with open(folder / "qrels", "w", encoding="utf-8") as file:
        for topic in range(topics):
            for d in sorted(deep[topic]):
                grade = rng.integers(1, 4) if d in relevant[topic] else -(d not in pooled[topic])
                file.write(f"2031-{topic:02} 0 {documents[d]} {grade}\n")
    return names


def estimates(given, on, *, error):
    """Return made-up rows of claims: a number for all collections of a claim, or one for each."""
    parts = [
        pd.DataFrame({"claim": claim, "collection": [*on[claim]], "estimate": values})
        for claim, values in given.items()
    ]
    table = pd.concat(parts, ignore_index=True)
    low, high = (table["estimate"] + reach * error for reach in (-2.01, 2.01))
    return table.assign(error=error, freedom=49.0, low=low, high=high)


def write_files(folder, files):
    """Write texts and bytes, each under its name; the folders are made."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def files_below(folder):
    """Return every file below a folder, hidden ones too, with its content."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def run_of(lists):
    """Return the text of a run: topic to documents, best first."""
    return "".join(
        f"{topic} Q0 {document} {rank} {-rank} x\n"
        for topic, found in lists.items()
        for rank, document in enumerate(found, 1)
    )


def small(systems, topics, *, depth=30, relevant=5, grades=(1,), answered=1.0, alike=False):
    """A small random collection."""
    rng = np.random.default_rng(1)
    documents = [f"d{i}" for i in range(60)]
    runs = {
        f"s{s}": {
            f"t{t}": list(rng.permutation(documents)[:depth])
            for t in range(topics)
            if rng.random() < answered
        }
        for s in range(systems)
    }
    if alike:
        runs = dict.fromkeys(runs, runs["s0"])
    qrels = {
        f"t{t}": {
            d: int(rng.choice(grades)) if i < relevant else 0
            for i, d in enumerate(rng.permutation(documents)[:40])
        }
        for t in range(topics)
    }
    return Collection.from_rankings(runs, qrels)


ODD = {
    "one topic": lambda: small(6, 1),
    "two topics": lambda: small(6, 2),
    "three topics": lambda: small(6, 3),
    "one system": lambda: small(1, 8),
    "two systems": lambda: small(2, 8),
    "nothing relevant": lambda: small(5, 8, relevant=0),
    "everything relevant": lambda: small(6, 9, relevant=40),
    "graded": lambda: small(6, 9, grades=(1, 2, 3)),
    "gaps": lambda: small(6, 9, answered=0.5, grades=(1, 2, 3)),
    "systems alike": lambda: small(5, 8, alike=True),
    "short lists": lambda: small(6, 9, depth=2),
    "empty lists": lambda: small(4, 6, depth=0),
}
