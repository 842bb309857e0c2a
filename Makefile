# What can be done here. Every target sets up what it needs.
PYTHON ?= python3
BIN := .venv/bin
AIRFLOW := .venv-airflow/bin

.DEFAULT_GOAL := help
.PHONY: help install airflow demo check test test-full test-airflow fuzz golden bench clean

help:            ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## */\t/' | expand -t 14

.venv/.installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

install: .venv/.installed   ## set up .venv with everything, Java included
	@$(BIN)/python -m pipeline.java

.venv-airflow/.installed: airflow/requirements.txt
	$(PYTHON) -m venv .venv-airflow
	$(AIRFLOW)/python -m pip install --quiet --disable-pip-version-check -r airflow/requirements.txt
	@touch $@

airflow: .venv-airflow/.installed   ## set up .venv-airflow, with what runs the DAG

demo: install    ## build the embedded sample world into build/demo and show what came of it
	@rm -rf build/demo
	$(BIN)/everwhen build --config configs/demo.yaml --out build/demo

check: install   ## lint, format and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: install    ## the tests that a newcomer runs
	$(BIN)/pytest -m "not full"

test-full: install   ## the long tests: builds as jobs, killed builds, real input
	$(BIN)/pytest -m full

test-airflow: install airflow   ## the DAG in the real Airflow, up to a published sample
	$(AIRFLOW)/pytest -c tests/dags/pytest.ini tests/dags

fuzz: install    ## a million hostile inputs for the parsers; INPUTS=n for another number, SEED=n for those of another run
	$(BIN)/python tests/fuzz.py --inputs $(or $(INPUTS),1000000) $(if $(SEED),--seed $(SEED))

golden: install  ## write the golden files anew, to be read before they are committed
	$(BIN)/pytest tests/golden --golden-update

bench: install   ## the measurements behind the figures in the docs; DUMP=dump.json.bz2 for that of parsing, too
	$(BIN)/python benchmarks/questions.py
	$(if $(DUMP),$(BIN)/python benchmarks/dump_parsing.py $(DUMP))

clean:           ## remove what was built, not the environment
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache
