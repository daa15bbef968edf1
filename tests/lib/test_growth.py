"""How work grows with its size: the elements that numpy is given are counted, nothing is timed."""

import numpy as np
import pytest
from strange import write_files

from lib.collection import derive, fast_reader, names
from lib.collection import lists_to_tables as derivation
from lib.statistics import correlation, predictivity, significance, student

LINES, PAIRS = 1.1, 2.2  # the steepest exponents: in lines or splits, and in systems


class Counting:
    """Stands for numpy, or for something of numpy's, and counts what it is given and gives."""

    def __init__(self, target, count):
        self._target, self._count = target, count

    def __getattr__(self, name):
        value = getattr(self._target, name)
        return Counting(value, self._count) if callable(value) else value

    def __call__(self, *given, **options):
        found = self._target(*given, **options)
        parts = (*given, found)
        self._count.append(sum(part.size for part in parts if isinstance(part, np.ndarray)))
        return found


class Numpy(Counting):
    """Numpy itself: its types stay what they are."""

    def __getattr__(self, name):
        value = getattr(np, name)
        return value if isinstance(value, type) else super().__getattr__(name)


def exponent(sizes, modules, work):
    """Return how the elements that numpy's functions are given grow with the size of the work."""
    counts = []
    for size in sizes:
        count = []
        with pytest.MonkeyPatch.context() as patch:
            for module in modules:
                patch.setattr(module, "np", Numpy(np, count))
            work(size)
        counts.append(sum(count))
    assert counts[0] > 0
    return np.polyfit(np.log(sizes), np.log(counts), 1)[0]


def runs(folder, lines):
    """Write runs and judgements: a run has 10 topics of 100 documents."""
    text = "".join(f"{t} Q0 d{t}-{d} 0 {-d / 7:.3f} x\n" for t in range(10) for d in range(100))
    names = [f"d{run}-" for run in range(lines // 1000)]
    files = {f"runs/r{i}": text.replace("d", name, i % 2) for i, name in enumerate(names)}
    judged = "".join(f"{t} 0 d{t}-{d} {d % 2}\n" for t in range(10) for d in range(20))
    write_files(folder, {**files, "qrels": judged})
    return folder / "runs", folder / "qrels"


def test_derive_grows_with_the_lines(tmp_path):
    modules = [fast_reader, names, derivation]
    sizes = [4000, 16_000, 64_000]
    files = {lines: runs(tmp_path / str(lines), lines) for lines in sizes}
    found = exponent(sizes, modules, lambda lines: derive(*files[lines]))
    assert 0.9 < found <= LINES


def tables(systems):
    return np.random.default_rng(1).random((30, systems))


def phi(systems=40, number=40):
    values = np.stack([tables(systems), tables(systems) ** 2])
    sets = predictivity.splits(30, number=number, rng=np.random.default_rng(1))
    predictivity.taus_of_splits(values, sets, "b", 10)


def permutation(systems):
    significance.permutation_test(tables(systems), resamples=200, rng=np.random.default_rng(1))


RESAMPLING = [correlation, predictivity]
GROWTH = {
    "splits of phi": (RESAMPLING, [40, 200, 1000], lambda n: phi(number=n), LINES),
    "systems of phi": (RESAMPLING, [40, 80, 160], phi, PAIRS),
    "t tests": ([student], [50, 100, 200], lambda n: student.t_exceeds(tables(n), 2.0), PAIRS),
    "permutation tests": ([significance], [50, 100, 200], permutation, PAIRS),
}


@pytest.mark.parametrize("case", GROWTH.values(), ids=GROWTH)
def test_resampling_grows_with_splits_and_with_pairs_of_systems(case):
    modules, sizes, work, most = case
    found = exponent(sizes, modules, work)
    assert (0.9 if most == LINES else 1.2) < found <= most
