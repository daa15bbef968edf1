"""From files of runs and judgements to scores, and evaluation alone, beside other tools."""

from dataclasses import replace

import pytest
import pytrec_eval

from lib.collection import DEPTHS, POOLS, derive, load
from lib.measures import scores, scores_at

# Ours, and the key under which pytrec_eval has it.
CUT = {"P": "P", "R": "recall", "AP": "map_cut", "nDCG": "ndcg_cut"}
MEASURES = {
    "AP": "map",
    "RR": "recip_rank",
    "nDCG": "ndcg",
    "Rprec": "Rprec",
    "Bpref": "bpref",
    "GMAP": "gm_map",
    "Success@10": "success.10",
    **{f"{name}@{k}": f"{peer}.{k}" for name, peer in CUT.items() for k in (5, 10, 20, 100, 1000)},
    **{f"IPrec@{tenth / 10}": "iprec_at_recall" for tenth in range(11)},
}
RANX = {"AP": "map", "RR": "mrr", "nDCG": "ndcg", "Rprec": "r-precision", "Bpref": "bpref"} | {
    f"{name}@{k}": f"{peer}@{k}"
    for name, peer in {"P": "precision", "R": "recall", "AP": "map", "nDCG": "ndcg"}.items()
    for k in (5, 10, 20, 100, 1000)
}


def ours(folder, qrels, measures):
    """Do the whole work: from files to scores of every topic."""
    collection = derive(folder, qrels)
    return [scores(collection, measure) for measure in measures]


def judged(qrels):
    """Return pytrec_eval's judgements."""
    with open(qrels, encoding="utf-8") as file:
        return pytrec_eval.parse_qrel(file)


def by_pytrec_eval(qrels):
    """Return pytrec_eval's evaluator of all measures."""
    return pytrec_eval.RelevanceEvaluator(judged(qrels), set(MEASURES.values()))


def read_by_pytrec_eval(path):
    with open(path, encoding="utf-8") as file:
        return pytrec_eval.parse_run(file)


def beside_pytrec_eval(folder, qrels):
    """Return our measures, pytrec_eval's work, and its share of the runs."""

    def peer():
        evaluator = by_pytrec_eval(qrels)
        for path in folder.iterdir():
            evaluator.evaluate(read_by_pytrec_eval(path))

    assert len(MEASURES) == 38 and len(list(folder.iterdir())) == 129  # as the book says
    return MEASURES, peer, 1


def beside_ir_measures(folder, qrels):
    """Return our measures, ir_measures' work, and its share of the runs."""
    import ir_measures

    names = [name for name in MEASURES if name != "GMAP"]  # which ir_measures does not have
    measures = [ir_measures.parse_measure(name) for name in names]
    some = sorted(folder.iterdir())[::4]

    def peer():
        evaluator = ir_measures.evaluator(measures, ir_measures.read_trec_qrels(str(qrels)))
        for path in some:
            for _ in evaluator.iter_calc(ir_measures.read_trec_run(str(path))):
                pass

    return names, peer, len(some) / 129


def beside_ranx(folder, qrels):
    """Return our measures, ranx's work, and its share of the runs."""
    import ranx

    some = sorted(folder.iterdir())[::4]

    def peer(paths=tuple(some)):
        relevant = ranx.Qrels.from_file(str(qrels), kind="trec")
        for path in paths:
            run = ranx.Run.from_file(str(path), kind="trec")
            ranx.evaluate(
                relevant, run, list(RANX.values()), return_mean=False, make_comparable=True
            )

    peer(some[:1])  # its compiler is warm
    return RANX, peer, len(some) / 129


@pytest.mark.parametrize("beside", [beside_pytrec_eval, beside_ir_measures, beside_ranx])
def test_files_to_scores(race, trec8, beside):
    measures, peer, share = beside(*trec8)
    key = beside.__name__.replace("beside_", "files-")
    race(key, lambda: ours(*trec8, measures), peer, share=share)


def test_evaluation_alone_beside_pytrec_eval(race, trec8):
    folder, qrels = trec8
    evaluator = by_pytrec_eval(qrels)
    runs = [read_by_pytrec_eval(path) for path in sorted(folder.iterdir())[::4]]
    collection = load("trec8")

    def mine():
        fresh = replace(collection)  # nothing is left from the round before
        return [scores(fresh, measure) for measure in MEASURES]

    share = len(runs) / len(collection.systems)
    race("evaluation", mine, lambda: list(map(evaluator.evaluate, runs)), share=share)


def test_pools_and_depths_beside_pytrec_eval(race, trec8):
    folder, qrels = trec8
    collection = load("trec8")
    kinds = {"P.10", "recall.100", "map", "ndcg", "Rprec", "bpref", "recip_rank", "gm_map"}
    kinds |= {"success.10", "iprec_at_recall", "set_F", "set_recall"}
    assert len(kinds) == 12 and len(DEPTHS) == 8 and len(POOLS) == 5
    runs = [read_by_pytrec_eval(path) for path in sorted(folder.iterdir())[::32]]
    known = judged(qrels)
    cut = {depth: [shortened(run, depth) for run in runs] for depth in DEPTHS}

    def mine():
        for pool in POOLS:
            scored = scores_at(collection.pooled(pool), DEPTHS, residual=0.1, discount="2002")
            assert len(scored) >= 12

    def peer():
        for _ in POOLS:  # other judgements take as long
            evaluator = pytrec_eval.RelevanceEvaluator(known, kinds)
            for shorter in cut.values():
                list(map(evaluator.evaluate, shorter))

    race("pools", mine, peer, share=len(runs) / len(collection.systems))


def shortened(run, depth):
    """Return the first ranks of a run of pytrec_eval."""
    return {
        topic: dict(sorted(of.items(), key=lambda pair: -pair[1])[:depth])
        for topic, of in run.items()
    }
