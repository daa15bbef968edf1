"""What a user calls documents itself: parameters, results, errors, an example without the book."""

import ast
import dataclasses
import inspect
import re
import shutil
import textwrap
from importlib import import_module

import pytest
from processes import run_python

import lib
from lib.cli import _parser
from lib.cli.common import COMMANDS
from lib.measures import Measure, known
from lib.measures.options import options
from lib.paths import ROOT

HEADING = re.compile(r"^(\w+)\n-{3,}\n", re.MULTILINE)


def listed():
    """Yield what the page of names lists of lib, in both of the forms that it has."""
    page = (ROOT / "book" / "api.md").read_text(encoding="utf-8")
    for module, names in re.findall(r"automodule:: (lib\S*)\n   :members: (.*)\n", page):
        yield from (getattr(import_module(module), name) for name in names.split(", "))
    for module, block in re.findall(r"currentmodule:: (lib\S*)\n(.*?)```", page, re.DOTALL):
        for name in re.findall(r"auto(?:function|class):: (\w+)", block):
            yield getattr(import_module(module), name)


def methods(cls):
    """Yield the public functions of a class that are its own."""
    for name, member in vars(cls).items():
        function = getattr(member, "__func__", member)
        if not name.startswith("_") and inspect.isfunction(function):
            yield function


def measures():
    """Return the functions behind the names of measures."""
    scores = [Measure(name).definition.score for name in known()]
    return {getattr(score, "func", score) for score in scores}


OBJECTS = {*(getattr(lib, name) for name in lib.__all__), *listed()}
CLASSES = [one for one in OBJECTS if inspect.isclass(one)]
FUNCTIONS = {one for one in OBJECTS if inspect.isfunction(one)} | measures()
FUNCTIONS |= {method for cls in CLASSES for method in methods(cls)}


def by_name(objects):
    return sorted(objects, key=lambda one: (one.__module__, one.__qualname__))


def sections(documented):
    """Return the sections of a docstring by their headings."""
    parts = HEADING.split(inspect.getdoc(documented) or "")
    return dict(zip(parts[1::2], parts[2::2]))


def entries(section):
    """Return the names that a section documents: those of each line that is not indented."""
    lines = re.findall(r"^(\S.*?)(?: :.*)?$", section, re.MULTILINE)
    return [name.strip(" *") for line in lines for name in line.split(",")]


def body(function):
    """Return the syntax of a function, without that of functions within it."""
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    inner = {
        id(node)
        for one in ast.walk(tree)
        if one is not tree and isinstance(one, ast.FunctionDef | ast.Lambda)
        for node in ast.walk(one)
    }
    return [node for node in ast.walk(tree) if id(node) not in inner]


def test_the_face_has_what_users_call():
    assert {lib.load, lib.phi, lib.Collection.select, lib.Estimate.interval} <= FUNCTIONS
    assert len(FUNCTIONS) > 120 and len(CLASSES) > 8 and len(measures()) > 25


@pytest.mark.parametrize("function", by_name(FUNCTIONS), ids=lambda one: one.__qualname__)
def test_a_function_documents_parameters_results_errors_and_has_an_example(function):
    said = sections(function)
    parameters = [p for p in inspect.signature(function).parameters if p not in ("self", "cls")]
    assert entries(said.get("Parameters", "")) == parameters
    kinds = {type(node) for node in body(function)}
    returns = any(isinstance(node, ast.Return) and node.value for node in body(function))
    assert ("Returns" in said) == returns and ("Yields" in said) == (ast.Yield in kinds)
    assert "Raises" in said or ast.Raise not in kinds
    assert ">>> " in said.get("Examples", "")


@pytest.mark.parametrize("cls", by_name(CLASSES), ids=lambda one: one.__qualname__)
def test_a_class_documents_what_it_is_made_of(cls):
    said = sections(cls)
    parts = entries(said.get("Attributes", said.get("Parameters", "")))
    if dataclasses.is_dataclass(cls):
        own = [f.name for f in dataclasses.fields(cls) if f.name in cls.__annotations__ and f.init]
    else:
        own = [*inspect.signature(cls).parameters] if parts else []
    assert sorted(parts) == sorted(own)


def test_options_of_measures_are_those_of_their_names_and_each_has_a_meaning():
    said = {(measure, one.name) for one in options() for measure in one.measures}
    definitions = {name: Measure(name).definition for name in known()}
    asked = {(name, key) for name, of in definitions.items() for key in of.options}
    asked |= {(name, of.cutoff.name) for name, of in definitions.items() if of.cutoff}
    assert said == asked and all(len(one.meaning.split()) > 5 for one in options())


def test_every_argument_of_a_command_says_what_it_is():
    """The chapters' commands too."""
    _parser()  # all commands are registered
    silent = {
        (name, action.dest)
        for name, (*_, how) in COMMANDS.items()
        for parser in how["parents"]
        for action in parser._actions
        if not action.help
    }
    assert len(COMMANDS) > 15 and silent == set()


def test_measures_help_names_all_and_ends_well():
    done = run_python("-m", "lib", "evaluate", "--measures", "help")
    assert done.returncode == 0 and not done.stderr
    for name in known():
        assert re.search(rf"^  {re.escape(name)}\b", done.stdout, re.MULTILINE), name
    assert "RBP, nRBP (default: binary)" in done.stdout


def test_examples_run_without_the_books_data(tmp_path):
    shutil.copytree(
        ROOT / "lib", tmp_path / "lib", ignore=shutil.ignore_patterns("data", "__pycache__")
    )
    words = "-P -m pytest --doctest-modules lib -q -o addopts= -p no:nbval -p no:cacheprovider"
    words += " -o doctest_optionflags=NORMALIZE_WHITESPACE --import-mode=importlib --rootdir"
    done = run_python(*words.split(), tmp_path, cwd=tmp_path, PYTHONPATH=str(tmp_path))
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 200
