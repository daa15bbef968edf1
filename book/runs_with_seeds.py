"""Search three collections without feedback, and with feedback from documents drawn at random."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from lib.retrieval import SYSTEMS, Index, read_corpus, run

CITY, SEEDS = SYSTEMS["city"], (1, 2, 3, 4, 5)


def random_half(seed):
    """Return a feedback that learns from each of the first documents with a chance of a half."""
    rng = np.random.default_rng(seed)

    def feedback(index, weighted, top, *, terms):
        top.data *= rng.random(top.nnz) < 0.5
        top.eliminate_zeros()
        return CITY.feedback(index, weighted, top, terms=terms)

    return replace(CITY, documents=20, feedback=feedback)


def write(file, lists):
    """Write a run file."""
    with open(file, "w", encoding="utf-8") as out:
        for topic, documents in lists.items():
            for rank, document in enumerate(documents, start=1):
                out.write(f"{topic} Q0 {document} {rank} {-rank} {file}\n")


rows = [("data", "system", "seed", "run", "qrels")]
for data in ("cisi", "cran", "nfcorpus"):
    texts = read_corpus(data)
    index = Index.build(texts.documents)
    searches = {("base", ""): run(index, texts.queries, CITY, feedback=False)}
    for seed in SEEDS:
        searches["feedback", str(seed)] = run(index, texts.queries, random_half(seed))
    for (system, seed), lists in searches.items():
        file = f"{data}-{system}{seed}.run"
        write(file, lists)
        rows.append((data, system, seed, file, f"{data}/qrels.txt"))
Path("runs.tsv").write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
