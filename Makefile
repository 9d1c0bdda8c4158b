# demo   grade a sample class and show the report
# test   ruff, mypy, pytest
# lab    open JupyterLab on the course
# build  notebooks from percent scripts, exercises from solutions
# lint   ruff and mypy alone
# constraints  look up the newest versions and write them to constraints.txt
#
# Each sets up what it needs in .venv/ first; a second call finds it there.
# Another Python than the first that fits: make PYTHON=python3.12 test

PYTHON ?=
VENV := .venv
BIN := $(VENV)/bin
# Empty files that say what is installed; older than these two, they count no more.
COURSE := $(VENV)/installed-course
DEV := $(VENV)/installed-dev
VERSIONS := pyproject.toml constraints.txt

.PHONY: demo test lab build lint constraints
.NOTPARALLEL:

demo: $(COURSE)
	@$(BIN)/rnnkit demo

test: lint
	$(BIN)/pytest

lab: $(COURSE)
	$(BIN)/jupyter lab

build: $(COURSE)
	@$(BIN)/rnnkit build

lint: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

$(COURSE): $(VERSIONS)
	@.ci/make-venv $(VENV) $(PYTHON)
	@echo "Setting up $(VENV) (about 3 minutes, 3 GB) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[course,data,metrics]"
	@touch $@

$(DEV): $(VERSIONS)
	@.ci/make-venv $(VENV) $(PYTHON)
	@echo "Setting up $(VENV) with the tools for tests (about 3 minutes, 3 GB) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[course,data,metrics,dev]"
	@touch $@ $(COURSE)

# Into a file of its own first: a failed look-up must not empty constraints.txt.
# Only wheels, so that no machine has to compile anything.
constraints:
	@.ci/make-venv $(VENV)-3.11 $(or $(PYTHON),python3.11)
	$(VENV)-3.11/bin/python -m pip install --dry-run --ignore-installed --quiet \
		--only-binary :all: --report $(VENV)-3.11/report.json -e ".[course,data,metrics,dev]"
	$(VENV)-3.11/bin/python .ci/constraints.py < $(VENV)-3.11/report.json > $(VENV)-3.11/new
	mv $(VENV)-3.11/new constraints.txt
