"""lib as a library: what Tab offers, what types say, what is refused; the page's example runs."""

import ast
import json
import re
import shutil
import sys
import venv

import numpy as np
import pandas as pd
import pytest
from processes import run_python

import lib
from lib.paths import ROOT
from lib.statistics.predictivity import phis_without_each_topic, predictivity, splits

C = lib.load("trec8")
AP = lib.scores(C, "AP")


def test_tab_offers_the_public_names_and_editors_know_the_same():
    assert dir(lib) == lib.__all__ and all(hasattr(lib, name) for name in lib.__all__)
    stub = ast.parse((ROOT / "lib" / "__init__.pyi").read_text(encoding="utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    assert sorted(alias.asname for node in imports for alias in node.names) == lib.__all__
    for node in imports:
        for alias in node.names:
            assert getattr(sys.modules[node.module], alias.name) is getattr(lib, alias.name)


def test_measures_are_named_one_or_several_and_keep_their_names():
    assert list(lib.means(C, "map")) == ["map"] and list(lib.means(C, {"x": "AP"})) == ["x"]
    assert [*lib.scores(C, ["AP", "P_10"])] == [*lib.complete_scores(C, ("AP", "P_10"))]
    assert set(lib.evaluate(C.select(topics=401), "ndcg_cut_10")["measure"]) == {"ndcg_cut_10"}
    assert list(C.select(topics=[402, "401"], systems="acsys8alo").topics.index) == ["402", "401"]


def test_phi_is_the_papers_for_runs_and_for_their_scores():
    found = lib.phi(C, ["AP", "P@10"], for_error=50)
    assert found["AP"]["P@10"].value.round(2) == 0.51  # as printed
    again = lib.phi(lib.complete_scores(C, ["AP", "P@10"]), for_error=50)
    pd.testing.assert_frame_equal(found.to_frame(), again.to_frame())
    assert list(found.to_frame().index) == [(a, b) for a in found.value for b in found.value]


@pytest.mark.parametrize("of_runs", [True, False])
def test_phi_has_the_share_the_size_the_splits_and_the_seed_that_it_is_given(of_runs):
    names, how = ["P@10", "AP"], {"share": 0.3, "size": 9, "number": 30, "for_error": 20, "seed": 7}
    tables = lib.complete_scores(C, names)
    found = lib.phi(C if of_runs else tables, names, **how)
    best = tables["AP"].mean().nlargest(int(0.3 * 129)).index
    some = {name: table[best] for name, table in tables.items()}
    many, few = (splits(50, size=9, number=n, rng=np.random.default_rng(7)) for n in (30, 20))
    pd.testing.assert_frame_equal(found.value, predictivity(some, many).phi)
    for part, own in zip(found.topics, phis_without_each_topic(some, few), strict=True):
        np.testing.assert_array_equal(part, own)
    assert [*found.names] == [*AP.index]


def test_without_each_topic_is_the_same_of_a_collection_and_of_its_scores():
    few = C.select(topics=range(401, 411))
    tables = lib.complete_scores(few, ["AP", "P@10"])

    def tau(means):
        return lib.kendall(means["AP"].round(10), means["P@10"].round(10), variant="b")

    of_runs = lib.without_each_topic(few, lambda c: tau(lib.means(c, ["AP", "P@10"])))
    of_scores = lib.without_each_topic(
        tables, lambda some: tau({name: table.mean() for name, table in some.items()})
    )
    assert of_runs.value == of_scores.value and of_runs.topics == of_scores.topics
    one = lib.without_each_topic(AP, lambda some: some["READWARE2"].mean())
    assert one.interval().error == pytest.approx(AP["READWARE2"].std() / np.sqrt(50))


def test_a_forest_has_a_row_a_source_and_their_mean_and_is_saved(tmp_path):
    ends = {"A": (0.1, 0.1), "B": (0.3, 0.1), "C": (-0.1, 0.05), "D": (0.5, 0.1), "E": (0.9, 0.2)}
    gains = {name: lib.Interval.of(*of) for name, of in ends.items()}
    figure = lib.forest(gains, label="gain", at=0.2)
    said = "3 of 5 intervals exclude 0.2. Gain by source, with 95% intervals; together: "
    mean = lib.random_effects(*zip(*ends.values()))
    assert figure.caption == f"{said}{mean}."
    rows = {**gains, "together": mean}
    (axes,) = figure.drawing.axes
    at, *drawn = ([*line.get_xdata()] for line in axes.lines)
    assert at == [0.2, 0.2] and axes.get_xlabel() == "gain"
    assert drawn == [of for one in rows.values() for of in ([one.low, one.high], [one.estimate])]
    assert [line.get_marker() for line in axes.lines[2::2]] == [*"oooooD"]
    shown = {name: f"{one.estimate:+.3f}".replace("-", "−") for name, one in rows.items()}
    assert figure.data.shown.iloc[:, 0].to_dict() == shown
    assert all(f"{name} {number} [" in figure.svg for name, number in shown.items())
    assert lib.forest({"A": gains["A"]}).caption == (
        "0 of 1 intervals exclude 0. Estimate by source, with 95% intervals."
    )
    sure = {**gains, "F": lib.Interval(0.5, 0.0, 0.5, 0.5)}  # no error to be weighed by
    assert "together" not in lib.forest(sure).caption
    for suffix, start in ((".svg", b"<?xml"), (".png", b"\x89PNG"), (".pdf", b"%PDF")):
        figure.save(tmp_path / f"forest{suffix}")
        assert (tmp_path / f"forest{suffix}").read_bytes().startswith(start)


SHOWN = [
    lib.Interval.of(0.5, 0.1),
    lib.Interval.of(np.linspace(0, 1, 9), 0.1),
    lib.random_effects([0.1, 0.3], [0.1, 0.1]),
    lib.Estimate(pd.DataFrame({"a": [1.0, 2.0]}), (pd.DataFrame({"a": [1.0, 3.0]}),) * 2),
]


@pytest.mark.parametrize("one", SHOWN)
def test_a_result_is_a_line_in_a_console_and_a_table_in_a_notebook(one):
    assert "\n" not in repr(one) and "array" not in repr(one)
    assert "<table" in one._repr_html_() and isinstance(one.to_frame(), pd.DataFrame)


REFUSED = [
    (lambda: lib.load("trec9"), "^trec9: no collection there .* has .*trec-covid, .*trec5, trec8"),
    (lambda: lib.load_scores("robust99"), "no score matrix there"),
    (lambda: lib.means(C, "nDGC"), "unknown name; did you mean 'nDCG'"),
    (lambda: lib.means(C, 10), "measure 10: a name is text"),
    (lambda: lib.scores(C, []), "no measure is named"),
    (lambda: lib.foretell(C, "AP", [10]), "lib.complete_scores"),
    (
        lambda: lib.rbo(["71", "72"], ["72", "71"], p=0.9),
        "scores of the same systems, not by names",
    ),
    (lambda: lib.compare(lib.scores(C, "AP")), "compare takes two, a and b; leaderboard"),
    (lambda: lib.scores("trec8", "AP"), r"'trec8' is no collection; load\(...\)"),
    (lambda: C.select(topics=[7]), "no such topic: 7; there are 50, 401 to 450"),
    (lambda: C.select(systems="READWARE3"), "no such system: READWARE3; did you mean"),
    (lambda: lib.load(8), "8 is neither a name nor a path"),
    (lambda: lib.load_scores(None), "None is neither a name nor a path"),
    (lambda: lib.versus("trec8", "A", "B", "AP"), "'trec8' is no collection"),
    (lambda: lib.leaderboard("trec8", "AP"), "'trec8' is no collection"),
    (lambda: lib.t_test(C), r"Collection is no table of numbers \(topics x systems\)"),
    (lambda: lib.discriminative_power(C, alpha=0.05), "Collection is no table of numbers"),
    (lambda: lib.discriminative_power(AP["READWARE2"], alpha=0.05), r"not shape \(50,\)"),
    (lambda: lib.tau_matrix(C, variant="b"), r"Collection is no table \(systems x measures\)"),
    (lambda: lib.kendall([1, 2], [1, 2, 3], variant="b"), r"not \(2,\) and \(3,\)"),
    (lambda: lib.phi(C, "AP", share=0), r"share must lie in \(0, 1\], not 0"),
    (lambda: SHOWN[3]["RR"], "the estimate has no 'RR'; there are a"),
    (lambda: lib.Estimate(0.5)["RR"], "the estimate has no 'RR'$"),
    (lambda: lib.phi("trec8"), "'trec8' is no collection"),
    (lambda: lib.phi({"AP": AP}, "P@10"), "no scores by 'P@10'; there are AP"),
    (lambda: lib.phi(C, "AP", size=26), "two disjoint sets of 26 topics"),
    (lambda: lib.compare(AP["READWARE2"], AP["orcl99man"][1:]), "one has '401' alone"),
    (lambda: lib.compare(AP, AP.drop(columns="orcl99man")), "one has 'orcl99man' alone"),
    (lambda: lib.compare(0.1, 0.2), "no numbers by topic; give a frame of qid, measure, value"),
    (lambda: lib.versus(C, "READWARE3", "orcl99man", "AP"), "no such system: READWARE3"),
    (lambda: lib.forest({}), "a forest plot needs a dict"),
    (lambda: lib.forest({"A": 0.1}), "A: a row needs the Interval or the Estimate"),
    (lambda: lib.without_each_topic("AP", len), "str is no collection and no scores"),
    (lambda: lib.kendall(AP, AP, variant="b"), "not .*; of a table, name a column"),
    (lambda: lib.kendall([1, 2], [1, 2], variant="c"), "variant must be 'a' or 'b', not 'c'"),
    (lambda: lib.forest({"A": SHOWN[0]}).save("forest.doc"), "must end in .svg, .png, .pdf"),
]


@pytest.mark.parametrize("call, why", REFUSED, ids=[why for _, why in REFUSED])
def test_what_cannot_be_used_is_refused_in_a_line(call, why):
    with pytest.raises(lib.InputError, match=why) as refused:
        call()
    assert "\n" not in str(refused.value)


def test_the_example_of_the_page_of_names_runs(here):
    (code,) = re.findall(
        r"```python\n(.*?)```", (ROOT / "book" / "api.md").read_text(encoding="utf-8"), re.S
    )[:1]
    exec(code, {})
    assert (here / "lead.svg").exists()


OUTSIDE = """
from lib import forest, kendall, load, means, phi, scores

c = load("trec8")
both, ap = means(c, ["AP", "P@10"]), scores(c, "AP")
reveal_type(kendall(both["AP"], both["P@10"], variant="b"))
reveal_type(forest({c.title: phi(c, "AP")["AP"]["AP"]}).save("forest.svg"))
reveal_type(c)
load(1)
"""


def own_analysis():
    """Return the code of the page with an analysis of one's own, without what makes its files."""
    book = json.loads((ROOT / "book" / "analysis.ipynb").read_text(encoding="utf-8"))
    cells = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    assert cells[0]["metadata"]["tags"] == ["hide-input"]
    (end,) = (at for at, cell in enumerate(cells) if cell["id"] == "others")
    return "\n".join("".join(cell["source"]) for cell in cells[1:end]) + "\n"


def test_an_analysis_of_ones_own_has_25_lines_at_most():
    assert 15 < sum(bool(line.strip()) for line in own_analysis().splitlines()) <= 25


@pytest.mark.long
@pytest.mark.posix
def test_code_outside_the_checkout_is_checked_by_types(tmp_path):
    """By an editable install of its own, as a user's environment has it."""
    checkout, site = tmp_path / "checkout", tmp_path / "site"
    for name in ("lib", "book/wheel"):
        shutil.copytree(ROOT / name, checkout / name)
    for name in ("book/__init__.py", "pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, checkout / name)
    build = f"from book.wheel import backend; backend.build_editable({str(tmp_path)!r})"
    assert run_python("-c", build, cwd=checkout).returncode == 0
    venv.create(site, system_site_packages=True, symlinks=True)
    (packages,) = site.glob("lib/python*/site-packages")
    (wheel,) = tmp_path.glob("*.whl")
    shutil.unpack_archive(wheel, packages, "zip")
    (tmp_path / "mine.py").write_text(OUTSIDE, encoding="utf-8")
    analysis = (
        "from pathlib import Path\n\nfiles = Path()\nruns: dict = {}\nqrels: dict = {}\n"
        + own_analysis()
    )
    (tmp_path / "analysis.py").write_text(analysis, encoding="utf-8")
    options = ["--python-executable", site / "bin" / "python", "--ignore-missing-imports"]
    done = run_python("-m", "mypy", *options, "mine.py", "analysis.py", cwd=tmp_path, PYTHONPATH="")
    types = ["float", "None", "lib.collection.collection.Collection"]
    assert re.findall(r"Revealed type is \"(.*)\"", done.stdout) == types, done.stdout + done.stderr
    assert re.findall(r"error: (.*?)  \[", done.stdout) == [
        'Argument 1 to "load" has incompatible type "int"; expected "str | PathLike[str]"'
    ]
