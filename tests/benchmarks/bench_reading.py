"""From files of runs and judgements to scores, and evaluation alone, beside other tools."""

import json
import re
import subprocess
import sys
import time
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import pytest
import pytrec_eval

from lib.collection import DEPTHS, POOLS, derive, load
from lib.measures import scores, scores_at

# Ours, and what pytrec_eval and ranx call them.
NAMES = {
    "AP": ("map", "map"),
    "RR": ("recip_rank", "mrr"),
    "nDCG": ("ndcg", "ndcg"),
    "Rprec": ("Rprec", "r-precision"),
    "Bpref": ("bpref", "bpref"),
}
CUT = {
    "P": ("P", "precision"),
    "R": ("recall", "recall"),
    "AP": ("map_cut", "map"),
    "nDCG": ("ndcg_cut", "ndcg"),
}
NAMES |= {
    f"{name}@{k}": (f"{one}.{k}", f"{other}@{k}")
    for name, (one, other) in CUT.items()
    for k in (5, 10, 20, 100, 1000)
}
MEASURES = {name: one for name, (one, _) in NAMES.items()}
MEASURES |= {"GMAP": "gm_map", "Success@10": "success.10"}
MEASURES |= {f"IPrec@{tenth / 10}": "iprec_at_recall" for tenth in range(11)}


def read(parse, path):
    with open(path, encoding="utf-8") as file:
        return parse(file)


def pytrec_eval_does(paths, qrels):
    """Return our measures, and pytrec_eval's work."""
    assert len(MEASURES) == 38  # as the book says

    def peer():
        judged = read(pytrec_eval.parse_qrel, qrels)
        evaluator = pytrec_eval.RelevanceEvaluator(judged, set(MEASURES.values()))
        for path in paths:
            evaluator.evaluate(read(pytrec_eval.parse_run, path))

    return MEASURES, peer


def ir_measures_does(paths, qrels):
    """Return our measures, and ir_measures' work."""
    import ir_measures

    names = [name for name in MEASURES if name != "GMAP"]  # which ir_measures does not have
    measures = [ir_measures.parse_measure(name) for name in names]

    def peer():
        evaluator = ir_measures.evaluator(measures, ir_measures.read_trec_qrels(str(qrels)))
        for path in paths:
            list(evaluator.iter_calc(ir_measures.read_trec_run(str(path))))

    return names, peer


def ranx_does(paths, qrels):
    """Return our measures, and ranx's work."""
    import ranx

    def peer(paths=paths):
        relevant = ranx.Qrels.from_file(str(qrels), kind="trec")
        theirs, how = [other for _, other in NAMES.values()], {"return_mean": False}
        for path in paths:
            run = ranx.Run.from_file(str(path), kind="trec")
            ranx.evaluate(relevant, run, theirs, make_comparable=True, **how)

    peer(paths[:1])  # its compiler is warm
    return NAMES, peer


PEERS = [(pytrec_eval_does, 1), (ir_measures_does, 4), (ranx_does, 4)]


@pytest.mark.parametrize(("does", "part"), PEERS)
def test_files_to_scores(race, trec8, does, part):
    folder, qrels = trec8
    some = sorted(folder.iterdir())[::part]
    measures, peer = does(some, qrels)

    def ours():
        collection = derive(folder, qrels)
        return [scores(collection, measure) for measure in measures]

    def bytes_alone():
        for path in some:
            path.read_bytes().count(b"\n")

    key, share = f"files-{does.__name__.removesuffix('_does')}", len(some) / 129
    race(key, ours, peer, share=share, limit=(bytes_alone, share))


def test_evaluation_alone_beside_pytrec_eval(race, trec8):
    folder, qrels = trec8
    judged = read(pytrec_eval.parse_qrel, qrels)
    evaluator = pytrec_eval.RelevanceEvaluator(judged, set(MEASURES.values()))
    runs = [read(pytrec_eval.parse_run, path) for path in sorted(folder.iterdir())[::4]]
    collection = load("trec8")

    def mine():
        fresh = replace(collection)  # nothing is left from the round before
        return [scores(fresh, measure) for measure in MEASURES]

    race("evaluation", mine, lambda: list(map(evaluator.evaluate, runs)), share=len(runs) / 129)


def test_pools_and_depths_beside_pytrec_eval(race, trec8):
    folder, qrels = trec8
    collection, judged = load("trec8"), read(pytrec_eval.parse_qrel, qrels)
    kinds = {"P.10", "recall.100", "map", "ndcg", "Rprec", "bpref", "recip_rank", "gm_map"}
    kinds |= {"success.10", "iprec_at_recall", "set_F", "set_recall"}
    runs = [read(pytrec_eval.parse_run, path) for path in sorted(folder.iterdir())[::32]]
    cut = [{t: first(of, depth) for t, of in run.items()} for depth in DEPTHS for run in runs]

    def mine():
        for pool in POOLS:
            scores_at(collection.pooled(pool), DEPTHS, residual=0.1, discount="2002")

    def peer():
        for _ in POOLS:  # other judgements take as long
            list(map(pytrec_eval.RelevanceEvaluator(judged, kinds).evaluate, cut))

    race("pools", mine, peer, share=len(runs) / 129)


def first(scored, depth):
    """Return the first ranks of a list of pytrec_eval."""
    return dict(sorted(scored.items(), key=lambda pair: -pair[1])[:depth])


def test_time_and_memory_grow_with_lines(keep, trec8, tmp_path):
    """Each size in a process of its own: this file, run, derives RUNS QRELS."""
    paths, rows = sorted(trec8[0].iterdir()), []
    lengths = {path: path.read_bytes().count(b"\n") for path in paths}
    for size in (1, 8, 100):
        folder, lines = tmp_path / str(size), 0
        folder.mkdir()
        for number, path in enumerate(cycle(paths)):  # the same files under many names
            if lines >= size * 1_000_000:
                break
            (folder / f"{path.name}-{number}").symlink_to(path)
            lines += lengths[path]
        words = [sys.executable, __file__, str(folder), str(trec8[1])]
        done = subprocess.run(words, check=True, capture_output=True, text=True)
        measured = {key: float(f"{value:.4g}") for key, value in json.loads(done.stdout).items()}
        rows.append({"size": lines} | measured)
    keep("growth-lines", rows)


if __name__ == "__main__":
    begin = time.process_time()
    derive(*sys.argv[1:])
    seconds = time.process_time() - begin
    # Of this process alone, on Linux; getrusage begins with what its parent had.
    peak = re.search(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text("utf-8"))
    print(json.dumps({"seconds": seconds, "megabytes": int(peak[1]) / 1024}))
