# demo   grade a sample class and show the report
# test   ruff, mypy, pytest
# test-all       the same, then all answers of each unit, and more faults; goes on where it stopped
# lab    open JupyterLab on the course
# build  notebooks from percent scripts, exercises from solutions
# site   lectures and exercises as web pages that need no network
# slides lectures as slides that need no network
# lint   ruff and mypy alone
# test-backends  the small set of tests on Keras with JAX and with PyTorch
# test-versions  the small set of tests on Colab's versions and on the newest
# constraints  look up the newest versions and write them to constraints.txt
#
# Each sets up what it needs in .venv/ first; a second call finds it there.
# Another Python than the first that fits: make PYTHON=python3.12 test

PYTHON ?=
VENV := .venv
BIN := $(VENV)/bin
# Empty files that say what is installed; older than these two, they count no more.
COURSE := $(VENV)/installed-course
SITE := $(VENV)/installed-site
DEV := $(VENV)/installed-dev
VERSIONS := pyproject.toml constraints.txt

# What depends on the backend and on the version of Keras.
SMALL := tests/layers tests/models tests/decoding tests/text
QUICKLY := -q -m "not slow" -p no:cacheprovider
# On Linux, pip's torch brings CUDA libraries of several gigabytes.
TORCH ?= torch==2.13.0
JAX ?= jax==0.10.2

.PHONY: demo test test-all test-backends test-versions lab build site slides lint constraints
.NOTPARALLEL:

demo: $(COURSE)
	@$(BIN)/rnnkit demo

# Tests that neither grade nor publish run several at once; the others fill all processors alone.
TOGETHER := rnnkit $(wildcard $(addprefix tests/,checks data decoding elmo experiments layers \
	metrics models plots text))
ALONE := $(filter-out $(TOGETHER) %/__pycache__,$(wildcard tests/*))
test: lint
	@$(BIN)/pytest -n auto --maxprocesses 4 --dist loadfile $(TOGETHER); together=$$?; \
		$(BIN)/pytest $(ALONE) && exit $$together

# What make test leaves out, in slices: each that has passed is run again only after a change.
TESTED := $(VENV)/tested
SLICES := $(notdir $(wildcard solutions/*))
test-all: test $(SLICES:%=$(TESTED)-%) $(TESTED)-faults

$(TESTED)-%: $(DEV) $(shell find rnnkit solutions tests/answers -name '*.py')
	RNNKIT_ANSWERS=all $(BIN)/pytest -q tests/answers -k $*
	@touch $@

$(TESTED)-faults: $(DEV) $(shell find rnnkit tests/grading -name '*.py')
	RNNKIT_STRIKES=24 $(BIN)/pytest -q -s tests/grading/test_faults.py
	@touch $@

test-backends: $(VENV)-backends/installed
	KERAS_BACKEND=tensorflow $(VENV)-backends/bin/pytest $(QUICKLY) $(SMALL)
	KERAS_BACKEND=torch $(VENV)-backends/bin/pytest $(QUICKLY) $(SMALL)
	KERAS_BACKEND=jax $(VENV)-backends/bin/pytest $(QUICKLY) $(SMALL)

test-versions: $(VENV)-colab/installed $(DEV)
	$(VENV)-colab/bin/pytest $(QUICKLY) $(SMALL)
	$(BIN)/pytest $(QUICKLY) $(SMALL)

lab: $(COURSE)
	@$(BIN)/rnnkit lab

build: $(COURSE)
	@$(BIN)/rnnkit build

site slides: $(SITE)
	@$(BIN)/rnnkit $@

lint: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

$(COURSE): $(VERSIONS)
	@.ci/make-venv $(VENV) $(PYTHON)
	@echo "Setting up $(VENV) (about 3 minutes, 3 GB) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[course,data,metrics]"
	@touch $@

$(SITE): $(COURSE)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[course,data,metrics,site]"
	@touch $@

$(DEV): $(VERSIONS)
	@.ci/make-venv $(VENV) $(PYTHON)
	@echo "Setting up $(VENV) with the tools for tests (about 3 minutes, 3 GB) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[course,data,metrics,dev]"
	@touch $@ $(COURSE) $(SITE)

$(VENV)-backends/installed: $(VERSIONS)
	@.ci/make-venv $(VENV)-backends $(PYTHON)
	@echo "Setting up $(VENV)-backends with JAX and PyTorch ..."
	@$(VENV)-backends/bin/python -m pip install --quiet --disable-pip-version-check \
		-c constraints.txt -e . pytest hypothesis "$(TORCH)" "$(JAX)"
	@touch $@

$(VENV)-colab/installed: pyproject.toml constraints-colab.txt
	@.ci/make-venv $(VENV)-colab $(PYTHON)
	@echo "Setting up $(VENV)-colab with the versions that Colab has ..."
	@$(VENV)-colab/bin/python -m pip install --quiet --disable-pip-version-check \
		-c constraints-colab.txt -e . pytest hypothesis
	@touch $@

# Into a file of its own first: a failed look-up must not empty constraints.txt.
# Only wheels, so that no machine has to compile anything.
constraints:
	@.ci/make-venv $(VENV)-3.11 $(or $(PYTHON),python3.11)
	$(VENV)-3.11/bin/python -m pip install --dry-run --ignore-installed --quiet \
		--only-binary :all: --report $(VENV)-3.11/report.json -e ".[course,data,metrics,dev]"
	$(VENV)-3.11/bin/python .ci/constraints.py < $(VENV)-3.11/report.json > $(VENV)-3.11/new
	mv $(VENV)-3.11/new constraints.txt
