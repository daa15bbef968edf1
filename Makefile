# `make help` lists the targets. All that is needed is Python 3.11 to 3.14 (with venv and pip) and make.
#   PYTHON  the interpreter that makes the environment, for example: make test PYTHON=python3.13
#   VENV    where the environment is kept (that of `make bench` stands beside it: VENV-bench)
PYTHON ?= python3
VENV   ?= .venv

BIN   := $(VENV)/bin
BENCH := $(VENV)-bench/bin
# Settings and caches of matplotlib and IPython live in the environment, not in the user's home:
# a personal style or start-up file must not change a figure or an output.
WHOLE := $(if $(filter /%,$(VENV)),,$(CURDIR)/)$(VENV)
export MPLCONFIGDIR := $(WHOLE)/matplotlib
export IPYTHONDIR   := $(WHOLE)/ipython
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Python reads no path with an umlaut where the locale is C.
ifneq (,$(filter C POSIX,$(LC_ALL)))
export LC_ALL := C.UTF-8
endif
# What is compiled is kept: where an environment forbids it, each process compiles pandas anew.
unexport PYTHONDONTWRITEBYTECODE

# A copy of the lock that the environment was made from; its name tells the Python version and the
# place of the checkout, which the environment holds too: one that was moved or copied is made anew.
MADE    := import os, sys, zlib; print("%d.%d" % sys.version_info[:2], \
             "%x" % zlib.crc32(os.fsencode(os.getcwd())), sep="-")
VERSION := $(shell "$(PYTHON)" -c '$(MADE)' 2>/dev/null)
STAMP   := $(VENV)/lock-$(VERSION)
PAGES   := $(shell find book chapters lib \( -name .ipynb_checkpoints -o -name __pycache__ \) -prune \
             -o -type f -print)

.DELETE_ON_ERROR:
.PHONY: help data book check test test-all mutants way-out bench lint types layers hooks lab course \
    marks exam quizzes notebooks release lock clean

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /make \1|/p' Makefile | awk -F'|' '{ printf "%-16s %s\n", $$1, $$2 }'

book: _build/book.stamp  ## build the HTML book (warnings are errors) and say where it is
	@echo "The book: $(CURDIR)/_build/html/index.html"

# A change is what differs from BASE: by default from the last commit, or what that one changed.
check: $(STAMP)  ## run what a change touches, nearest tests first, for up to a minute, without the book
	$(BIN)/python tests/check.py $(BASE)

test: book  ## build the book, then check what a change can break: some six minutes on two cores
	$(BIN)/python -m pytest -n 2 --dist loadfile

test-all: book  ## the same, and all that takes long: every setting and width, fuzz, releases
	$(BIN)/python -m pytest -n 2 --dist loadfile -m ""
	MEASURES_EXAMPLES=1000 $(BIN)/python -m pytest -n 2 -m "" tests/lib/test_fuzz.py

# cosmic-ray changes a copy of the code, one place at a time; what `make check` runs has its minute.
PACKAGES := lib/measures lib/statistics lib/collection lib/cli lib/display \
            chapters/ledger chapters/elsewhere chapters/spending chapters/exercises
SAMPLE   := 40
mutants: $(STAMP)  ## which faults make check notices, SAMPLE of each of PACKAGES: _build/mutants (hours)
	$(BIN)/python -c 'import cosmic_ray' 2>/dev/null || \
	    $(BIN)/python -m pip install --quiet 'cosmic-ray>=8.4,<9'
	mkdir -p _build/mutants
	for package in $(PACKAGES); do \
	    $(BIN)/python tests/mutants.py $$package --sample $(SAMPLE) \
	        --out _build/mutants/$$(basename $$package).csv || exit; \
	done

way-out: book  ## build the book with Sphinx alone, the newest, and list what differs (some minutes)
	$(BIN)/python -m book.way_out

bench: $(VENV)-bench/lock-$(VERSION)  ## measure speed beside other tools: a table, and data/bench.json
	@test -n "$$MEASURES_ORIGINALS" || \
	    { echo "MEASURES_ORIGINALS must name the folder of original runs." >&2; exit 2; }
	$(BENCH)/python -m pip install --quiet --no-build-isolation -e '.[bench]'
	$(BENCH)/python -m pytest -o addopts= -q tests/lib/test_notebook.py -k "ranx or polars"
	MEASURES_STATIC= $(BENCH)/python -m pytest -o addopts= -s -q \
	    -p no:cacheprovider tests/benchmarks/bench_*.py
	$(BENCH)/python data/packages.py

data: $(STAMP)  ## make again, in their order, the data that need no originals: data/order.csv (an hour)
	$(BIN)/python data/make.py

# The code of cells has a narrower page.
CELLS := --config chapters/notebooks.toml chapters/*.ipynb
lint: $(STAMP)  ## check and format the code, notebooks too (part of make test)
	$(BIN)/ruff check --fix . && $(BIN)/ruff format .
	$(BIN)/ruff check --fix $(CELLS) && $(BIN)/ruff format $(CELLS)

types: $(STAMP)  ## check the types of lib (part of make test-all)
	$(BIN)/mypy

layers: $(STAMP)  ## check that imports run one way (part of make test)
	$(BIN)/lint-imports --no-cache

hooks: $(STAMP)  ## run these three before every commit (optional)
	$(BIN)/python -c 'import pre_commit' 2>/dev/null || $(BIN)/python -m pip install --quiet pre-commit
	$(BIN)/pre-commit install

lab: $(STAMP)  ## write both editions of the chapters into notebooks/ and open them in JupyterLab
	$(BIN)/python -m book.teaching.editions notebooks
	$(BIN)/jupyter lab notebooks

# The machine draws a seed into course.seed and exam.seed, which no release holds.
course: $(STAMP)  ## write a course for nbgrader into course/, and its seed into course.seed
	@$(BIN)/python -m book.teaching.course course

marks: $(STAMP)  ## list what of course/ was handed in and could not be marked
	$(BIN)/python -m book.teaching.marks course

exam: $(STAMP)  ## write an exam into exam/, never published: make exam SESSIONS=1,2,3
	@$(BIN)/python book/make_exam.py exam exam

quizzes: $(STAMP)  ## write the practice of each session for Moodle and Canvas into quizzes/
	$(BIN)/python book/make_exam.py quizzes quizzes

# What stays of a notebook's own metadata; the rest differs between machines.
KEPT := {'kernelspec', ('language_info', 'name')}
notebooks: $(STAMP)  ## execute every notebook again, save outputs and times
	echo chapter,seconds > chapters/times.csv.new
	for chapter in chapters/*.ipynb book/*.ipynb; do \
	    start=$$(date +%s); \
	    MEASURES_STATIC=1 $(BIN)/jupyter nbconvert --to notebook --inplace --execute \
	        --ExecutePreprocessor.kernel_name=python3 \
	        --ExecutePreprocessor.timeout=600 \
	        --ExecutePreprocessor.record_timing=False \
	        --ExecutePreprocessor.store_widget_state=False \
	        --ClearMetadataPreprocessor.enabled=True \
	        --ClearMetadataPreprocessor.preserve_cell_metadata_mask=tags \
	        --ClearMetadataPreprocessor.preserve_nb_metadata_mask="$(KEPT)" \
	        $$chapter || exit; \
	    seconds=$$(( ($$(date +%s) - start + 9) / 10 * 10 )); \
	    echo $$(basename $$chapter .ipynb),$$seconds >> chapters/times.csv.new; \
	done
	mv chapters/times.csv.new chapters/times.csv

release: book  ## make a wheel that carries the data, and a zip of the pages, in dist/
	$(BIN)/python book/release.py

# Version 26 of argon2-cffi-bindings has no wheel for Intel Macs, and nothing may need a compiler.
# `make lock UPGRADE=` leaves what is locked as it is, and adds what is new.
UPGRADE := --upgrade
lock: $(STAMP)  ## write requirements.lock anew from pyproject.toml (needs the network)
	echo 'argon2-cffi-bindings<26' | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 \
	    --fork-strategy fewest --generate-hashes --no-header --no-annotate $(UPGRADE) \
	    --extra test --constraints /dev/stdin --output-file requirements.lock pyproject.toml

clean:  ## remove the book, the environment and all caches
	rm -rf _build dist $(VENV) $(VENV)-bench .venv-newest .pytest_cache .hypothesis .mypy_cache .ruff_cache \
	    .import_linter_cache
	find book chapters lib tests -name __pycache__ -prune -exec rm -rf {} +

_build/book.stamp: $(STAMP) _config.yml _toc.yml CHANGELOG.md CITATION.cff DATA.md $(PAGES)
	$(BIN)/python -m book.make_book
	touch $@

# Made again when the lock, the Python version or the place changes: the contents decide, not the
# date.
# First come setuptools, which builds the one package that comes as source, and uv, which takes a
# fifth of pip's time; pip, which may know another index, takes over where it fails.
$(STAMP) $(VENV)-bench/lock-$(VERSION): requirements.lock
	@"$(PYTHON)" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null || \
	    { echo "Python 3.11, 3.12, 3.13 or 3.14 is needed, and '$(PYTHON)' is not that." \
	           "Name another: make PYTHON=python3.13" >&2; exit 2; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || \
	    { echo "'$(PYTHON)' cannot make environments;" \
	           "on Debian and Ubuntu: apt-get install python3-venv" >&2; exit 2; }
	@cmp -s $< $@ || test ! -L $(@D) || { \
	    echo "$(@D) is a link, and what it leads to would be emptied." \
	           "Remove the link, or name another place: make VENV=..." >&2; exit 2; }
	@cmp -s $< $@ || { \
	    echo "Making the environment in $(@D): half a minute, 1.2 GB." && \
	    "$(PYTHON)" -m venv --clear $(@D) && \
	    sed -nE '/^(setuptools|uv)==/,/[^\]$$/p' $< > $(@D)/first.lock && \
	    $(@D)/bin/python -m pip install --quiet --no-compile --require-hashes -r $(@D)/first.lock && \
	    { VIRTUAL_ENV=$(@D) $(@D)/bin/uv pip install --quiet --system-certs --require-hashes --no-build-isolation -r $< || \
	    $(@D)/bin/python -m pip install --progress-bar off --no-compile --require-hashes --no-build-isolation -r $<; } && \
	    $(@D)/bin/python -m pip install --quiet --no-deps --no-build-isolation -e . && \
	    cp $< $@; }
	@touch $@
