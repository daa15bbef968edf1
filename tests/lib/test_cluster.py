"""More processes and a cluster: the same results, bit for bit."""

import numpy as np
import pytest
from joblib import parallel_config
from strange import write_collection

from lib.collection import derive, load
from lib.measures import complete_scores
from lib.statistics.bootstrap import bootstrap_tau
from lib.statistics.predictivity import predictivity, splits
from lib.statistics.significance import permutation_test

distributed = pytest.importorskip("distributed")

MEASURES = ["P@10", "AP", "nDCG"]


@pytest.fixture(scope="module")
def client():
    """A cluster of two workers, processes of their own, that speak over loopback."""
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def scores():
    return complete_scores(load("dl19"), MEASURES)


def phi(scores):
    sets = splits(43, number=900, rng=np.random.default_rng(1))
    found = predictivity(scores, sets)
    return [found.phi, found.error, found.tied]


def bootstrap(scores):
    found = bootstrap_tau(scores, number=200, rng=np.random.default_rng(2))
    return [found.tau, found.replicates, found.loo_replicates]


def permutation(scores):
    return [permutation_test(scores["AP"], resamples=3000, rng=np.random.default_rng(3))]


WORK = {"phi": phi, "bootstrap": bootstrap, "permutation": permutation}


def same(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


# Long: a cluster begins; test_runs_read_side_by_side_make_the_same_bytes notices most of it.
@pytest.mark.long
@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
def test_resampling_on_a_cluster_is_that_of_one_process(client, scores, work):
    alone = work(scores)
    with parallel_config("dask"):
        assert same(work(scores), alone)


def saved(folder, collection):
    collection.save(folder)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_runs_read_side_by_side_make_the_same_bytes(tmp_path):
    """Twelve runs and judgements; some have names that only the strict reader takes."""
    write_collection(tmp_path)
    files = tmp_path / "runs", tmp_path / "qrels"
    for run in sorted(files[0].iterdir())[::4]:
        with run.open("a", encoding="utf-8") as file:
            file.writelines(f"2031-{topic:02} Q0 {'long' * 80} 0 2 x\n" for topic in range(20))
    alone = saved(tmp_path / "alone", derive(*files, name="c", judged=True))
    assert saved(tmp_path / "jobs", derive(*files, jobs=2, name="c", judged=True)) == alone
