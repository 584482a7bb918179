# make demo    the main job: set up what it needs, run it, say where the report is
# make test    set up what the tests need and run the fast suite
# make times   show the slowest tests of the last `make test`, and the time by folder
# make lint    formatting, ruff, mypy, import contracts, house rules
# make docs    set up what the site of the documents needs and write it to build/docs
# make gallery simulate a second of every machine and scene, and write their site to build/gallery
# make clean   remove what make and the tools wrote (never runs/)
#
# PYTHON=python3.12 picks the interpreter that makes the environment,
# VENV=/elsewhere/venv the folder it is made in, PYTEST_ARGS='-k drop' what pytest is told besides,
# WORKERS=4 how many processes run the tests (0: this one, where a debugger works),
# EXTRAS=dev,robots what is installed for tests (robots: files of real ones, 415 MB).

PYTHON ?= python3
VENV ?= .venv
DEMO ?= $(BIN)/python scripts/biped.py
PYTEST_ARGS ?=
WORKERS ?= 2
EXTRAS ?= dev

BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --disable-pip-version-check --quiet --constraint constraints.txt

.PHONY: demo test times lint docs gallery clean
.DELETE_ON_ERROR: # so that an environment that failed half-way is made again

demo: $(VENV)/installed
	$(DEMO)

# Tests start processes and workers, each of which would compile all modules again without bytecode.
test: export PYTHONDONTWRITEBYTECODE :=
test: $(VENV)/installed-dev
	$(BIN)/python -m pytest -m "not slow" --numprocesses $(WORKERS) --dist worksteal \
	  --junitxml build/tests.xml $(PYTEST_ARGS)

times: $(VENV)/installed-dev
	$(BIN)/python scripts/slowest_tests.py

lint: $(VENV)/installed-dev
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache --no-logo
	$(BIN)/python scripts/house_rules.py

docs: $(VENV)/installed-docs
	$(BIN)/python -m sphinx --quiet --fail-on-warning --jobs auto docs build/docs
	@echo "documents: build/docs/index.html"

gallery: $(VENV)/installed
	$(BIN)/footfall gallery --at-most 1 --out build/gallery

# The stamps: an environment is made again only when a requirement changed.

$(VENV)/installed: pyproject.toml constraints.txt hatch_build.py | $(BIN)/python
	@echo "installing footfall into $(VENV) (a few minutes the first time)"
	@$(INSTALL) --editable .
	@touch $@

$(VENV)/installed-dev: pyproject.toml constraints.txt hatch_build.py | $(BIN)/python
	@echo "installing footfall and the tools for its tests into $(VENV) (a few minutes the first time)"
	@$(INSTALL) --editable '.[$(EXTRAS)]'
	@touch $(VENV)/installed $@

$(VENV)/installed-docs: pyproject.toml constraints.txt hatch_build.py | $(BIN)/python
	@echo "installing footfall and the tools for its documents into $(VENV) (a few minutes the first time)"
	@$(INSTALL) --editable '.[docs]'
	@touch $(VENV)/installed $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	  || { echo "footfall needs Python 3.11 or newer; '$(PYTHON)' is not: make $(MAKECMDGOALS) PYTHON=/path/to/python3.11" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

clean:
	rm -rf .venv build dist docs/generated .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
