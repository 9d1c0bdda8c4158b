# demo   grade a sample class and show the report
# test   ruff, mypy, pytest
# test-all       the same, then all answers of each unit, and more faults; goes on where it stopped
# lab    open JupyterLab on the course
# build  notebooks from percent scripts, exercises from solutions
# site   lectures and exercises as web pages that need no network
# slides lectures as slides that need no network
# lint   ruff and mypy alone
# test-backends  the small set of tests on Keras with JAX and with PyTorch
# test-versions  the small set of tests on the oldest supported versions and on the newest
# test-newest    the tests on what is newest today, also where it is not supported yet
# test-colab     all exercises and lectures on Colab's versions; goes on where it stopped
# gpu    set up grading on a GPU: TensorFlow with its CUDA libraries
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
GPU := $(VENV)/installed-gpu
VERSIONS := pyproject.toml constraints.txt

# What depends on the backend and on the version of Keras.
SMALL := tests/layers tests/models tests/decoding tests/text
# What depends on the versions of nbgrader, JupyterLab and their libraries.
# Pages and slides are left out: they need the extra `site`, whose packages touch no other.
INSTRUCTORS := tests/course --ignore=tests/course/site tests/test_setup.py
PYTEST ?= # what test-newest tests: all by default
QUICKLY := -q -m "not slow" -p no:cacheprovider
# On Linux, pip's torch brings CUDA libraries of several gigabytes.
TORCH ?= torch==2.13.0
JAX ?= jax==0.10.2

# Colab's own Python first. One that is not on the PATH: make COLAB_PYTHON=/path/to/python3.13 ...
COLAB_PYTHON ?= python3.13 python3.12 python3.11

.PHONY: demo test test-all test-backends test-versions test-newest test-colab
.PHONY: lab build site slides lint constraints gpu
.NOTPARALLEL:

demo: $(COURSE)
	@$(BIN)/rnnkit demo

# Graders and browsers fill all processors alone and hold to times; all other tests run side by side.
ALONE := $(addprefix tests/,answers browser grading)
test: lint
	@$(BIN)/pytest -n auto --maxprocesses 4 --dist loadfile rnnkit tests $(ALONE:%=--ignore=%); \
		together=$$?; $(BIN)/pytest $(ALONE) && exit $$together

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

test-versions: $(VENV)-oldest/installed $(DEV)
	$(VENV)-oldest/bin/pytest $(QUICKLY) $(SMALL) $(INSTRUCTORS)
	$(BIN)/pytest $(QUICKLY) $(SMALL) $(INSTRUCTORS)

test-newest: $(VENV)-newest/installed
	$(VENV)-newest/bin/pip list --disable-pip-version-check
	$(VENV)-newest/bin/pytest $(PYTEST)

test-colab: $(COURSE) $(VENV)-colab/installed
	@$(BIN)/rnnkit colab --python $(VENV)-colab/bin/python

gpu: $(GPU)

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

# Without rnnkit: the first cell of each published notebook installs it, as on Colab.
$(VENV)-colab/installed: constraints-colab.txt
	@.ci/make-venv $(VENV)-colab "$(COLAB_PYTHON)"
	@echo "Setting up $(VENV)-colab with the versions that Colab has ..."
	@$(VENV)-colab/bin/python -m pip install --quiet --disable-pip-version-check \
		-r constraints-colab.txt
	@touch $@

# Python 3.11, because numpy 2.0 has no wheel for 3.13.
$(VENV)-oldest/installed: pyproject.toml .ci/oldest.py
	@.ci/make-venv $(VENV)-oldest "$(or $(PYTHON),python3.11 python3.12)"
	@echo "Setting up $(VENV)-oldest with the oldest versions that are supported ..."
	@$(VENV)-oldest/bin/python .ci/oldest.py > $(VENV)-oldest/constraints.txt
	@$(VENV)-oldest/bin/python -m pip install --quiet --disable-pip-version-check \
		-c $(VENV)-oldest/constraints.txt -e ".[course,data]" pytest hypothesis
	@touch $@

# The second line goes past the upper limits of pyproject.toml; pip then says so, and goes on.
$(VENV)-newest/installed: pyproject.toml
	@.ci/make-venv $(VENV)-newest $(PYTHON)
	@echo "Setting up $(VENV)-newest with the newest versions that there are ..."
	@$(VENV)-newest/bin/python -m pip install --quiet --disable-pip-version-check \
		-e ".[course,data,metrics,dev]"
	@$(VENV)-newest/bin/python -m pip install --quiet --disable-pip-version-check --upgrade \
		tensorflow tensorflow-text keras nbgrader jupyterlab
	@touch $@

$(GPU): $(COURSE)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[course,data,metrics,gpu]"
	@touch $@

# Into a file of its own first: a failed look-up must not empty constraints.txt.
# Only wheels, so that no machine has to compile anything.
constraints:
	@.ci/make-venv $(VENV)-3.11 $(or $(PYTHON),python3.11)
	$(VENV)-3.11/bin/python -m pip install --dry-run --ignore-installed --quiet \
		--only-binary :all: --report $(VENV)-3.11/report.json -e ".[course,data,metrics,dev]"
	$(VENV)-3.11/bin/python .ci/constraints.py < $(VENV)-3.11/report.json > $(VENV)-3.11/new
	mv $(VENV)-3.11/new constraints.txt
