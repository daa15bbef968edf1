"""Rows of claims: one language, refused where it is wrong, and each bound decides its word."""

import ast
import csv
import io
from collections import defaultdict
from dataclasses import replace
from inspect import signature

import numpy as np
import pytest
from way_of_a_claim import way_of

from chapters.ledger import deciding
from chapters.ledger import paper as ledger_paper
from chapters.ledger.claims import answered, checks
from chapters.ledger.papers import paper, papers
from chapters.ledger.published import (
    CONSTANT,
    NOT_PUBLIC,
    NOT_TESTABLE,
    PUBLISHED,
    cell_answers,
    read_published,
)
from chapters.ledger.registry import registered
from lib.errors import InputError
from lib.paths import ROOT

CLAIMS = [*sorted((ROOT / "chapters").glob("*/claims.py"))]


@pytest.mark.parametrize("path", CLAIMS, ids=lambda path: path.parent.name)
def test_no_row_is_code(path):
    """No table by name holds a lambda, or what a call returns that makes a function."""
    found = []
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            tables = [part for part in ast.walk(node) if isinstance(part, ast.Dict)]
            values = [value for table in tables for value in table.values]
            found += [ast.unparse(node)[:60] for of in values if isinstance(of, ast.Lambda)]
            found += [ast.unparse(node)[:60] for of in values if "partial(" in ast.unparse(of)]
    assert found == []
    everything = "".join(of.read_text(encoding="utf-8") for of in ROOT.glob("chapters/**/*.py"))
    assert "QUANTITIES" not in everything


@pytest.mark.parametrize("name", papers())
def test_every_statement_that_data_answer_has_a_check(name):
    of, rows = paper(name), read_published(name)
    data, computed = of.data(), set()
    for place, compute in of.cells.items():
        computed |= {*cell_answers(compute(data), place)}
    stated = rows[rows["column"].isin(["claim", "value"])]
    stated = stated[~stated["evidence"].isin([CONSTANT, NOT_PUBLIC, NOT_TESTABLE])]
    keys = {*zip(stated["place"], stated["row"], stated["column"])}
    assert keys - {*of.checks} - computed == set()


@pytest.mark.parametrize("name", papers())
def test_every_bound_decides_its_word(name):
    """With a bound far away on either side a claim holds, or does not: one of both is new.

    One without a bound holds, or words say why not.
    """
    of = paper(name)
    data, idle = of.data(), []
    for row in of.checks.values():
        if row.asked:
            found = row.ask(of.quantities, getattr(data, row.population, data))
            far = (-99.0, 99.0) if row.asked in ("above", "below") else (0.0, 99.0)
            here = answered(row, found).value
            others = {answered(replace(row, number=number), found).value for number in far}
            idle += [row.id] if others == {here} else []
        elif signature(of.quantities[row.call()[0]]).return_annotation == bool | str:
            found = row.ask(of.quantities, getattr(data, row.population, data))
            idle += [] if found else [row.id]
    assert idle == []


SEEDED = {"bound": {"number": 0.2}, "population": {"population": "shallow"}, "size": {"topics": 10}}


@pytest.mark.parametrize("fault", SEEDED)
def test_another_bound_population_or_size_gives_another_row(fault):
    """Of AP as a predictor of P@10 on other kinds of collections, which is inconclusive."""
    (row,) = (one for one in registered() if (one.id, one.population) == ("p10-AP", "others"))
    then = deciding.decided([row])
    now = deciding.decided([replace(row, **SEEDED[fault])])
    shown = ["word"] if fault == "bound" else ["estimate", "low", "high"]
    assert (then[shown] != now[shown]).any(axis=None)


def test_no_two_rows_ask_the_same_with_other_bounds():
    asked = defaultdict(set)
    for row in registered():
        asked[row.quantity, row.population, row.topics, row.systems].add(row.number)
        asked[row.says].add((row.asked, row.number))
    assert {what: bounds for what, bounds in asked.items() if len(bounds) > 1} == {}


def test_a_sentence_of_the_registry_stands_once():
    text = (ROOT / "data" / "claims" / "claims.csv").read_text(encoding="utf-8")
    said = [row["says"] for row in csv.DictReader(io.StringIO(text))]
    said = [one for one in said if not one.startswith("= ")]
    assert len(said) == len({*said})
    assert said.count("AP predicts the P@10 ranking as well as P@10 does") == 1
    assert len({row.says for row in registered()}) == len(said)


WRONG = {
    "no quantity 'glory'": ("leads_for(AP nDCG, P@10)", "glory(AP nDCG, P@10)"),
    "leads_for takes (predictors, targets)": ("leads_for(AP nDCG, P@10)", "leads_for(AP nDCG)"),
    "a name, and brackets": ("leads_for(AP nDCG, P@10)", "leads_for"),
    "no population 'trec9'": (",trec8,25,best", ",trec9,25,best"),
    "no size of a set of topics 'many'": (",25,best 75% by AP", ",many,best 75% by AP"),
    "leads_for needs topics": (",25,best 75% by AP", ",,best 75% by AP"),
    "no systems 'best'": ("best 75% by AP", "best"),
    "needs a bound": ("at least,0.02", ","),
    "no bound 'about'": ("at least", "about"),
    "is no number": ("0.02", "small"),
}


@pytest.mark.parametrize("said", WRONG)
def test_a_wrong_row_of_a_paper_is_refused_by_file_line_and_name(said, tmp_path, monkeypatch):
    lines = (PUBLISHED / "webber2008.csv").read_text(encoding="utf-8").splitlines()
    (number,) = (i for i, line in enumerate(lines) if ",p10-redundant," in line)
    old, new = WRONG[said]
    assert old in lines[number]
    lines[number] = lines[number].replace(old, new)
    path = tmp_path / "webber2008.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(InputError) as refused:
        checks(path, paper("webber2008").quantities)
    message = str(refused.value)
    assert message.startswith(f"{path}, line {number + 1}, p10-redundant: ") and said in message


def test_a_wrong_row_ends_the_command_before_anything_is_computed(tmp_path, monkeypatch, printed):
    for name, of in papers().items():
        text = (PUBLISHED / f"{name}.csv").read_text(encoding="utf-8")
        text = text.replace("gained_by_weighting()", "glory()")
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
        monkeypatch.delitem(vars(of), "checks", raising=False)
    monkeypatch.setattr(ledger_paper, "PUBLISHED", tmp_path)
    monkeypatch.setattr(deciding, "checked_rows", list)
    monkeypatch.setattr(ledger_paper.Paper, "check", lambda *_: pytest.fail("computed"))
    said = printed("ledger", 2).err
    assert "webber2010.csv, line 3" in said and "'glory'" in said and said.count("\n") == 1


@pytest.mark.parametrize(
    ("claim", "population"), [("new-p10-AP", "new"), ("p10-AP", "these"), ("umbrela-order", "dl19")]
)
def test_the_way_of_a_claim_is_short(claim, population):
    found, way = way_of(claim, population)
    assert not np.isnan(found.estimate) and len(way) <= 6
