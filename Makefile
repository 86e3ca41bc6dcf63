# Two environments: .venv holds the base install alone, .venv-dev everything the checks need.
# Each is made from a bare clone when missing and again when pyproject.toml changes.

PYTHON ?= python3
PHRASE ?= hello new york
TESTS ?=
PARALLEL ?= -n auto --dist loadscope --no-loadscope-reorder

BASE := .venv
DEV := .venv-dev
DEMO := demo_output
CODE := src tests tools examples benchmarks

.PHONY: help demo test coverage check format reference clean

help:
	@echo "make demo       spell a phrase with the base install, into ./$(DEMO)"
	@echo "make test       run the tests"
	@echo "make coverage   run the tests and count the lines that they reach"
	@echo "make check      lint, types, layers, sizes"
	@echo "make format     put the code into its one format"
	@echo "make reference  write docs/reference/ anew"
	@echo "make clean      remove environments, caches and output"

demo: $(BASE)/.stamp
	@mkdir -p $(DEMO)
	@echo "\"$(PHRASE)\" is fingerspelled into"
	@$(BASE)/bin/signloom produce "$(PHRASE)" \
	    $(foreach suffix,pose mp4 gif png,-o "$(CURDIR)/$(DEMO)/phrase.$(suffix)")

# The second pass runs what the shape checker of the first would break: tracing and compiling.
test: $(DEV)/.stamp
	$(DEV)/bin/python -m pytest $(PARALLEL) -m "not compiled" $(TESTS)
	JAXTYPING_DISABLE=1 $(DEV)/bin/python -m pytest $(PARALLEL) -m compiled $(TESTS) \
	    || test $$? -eq 5

# The same tests, which take nearly twice as long when every line is counted.
coverage: $(DEV)/.stamp
	$(DEV)/bin/python -m pytest $(PARALLEL) --cov --cov-report= -m "not compiled" $(TESTS)
	JAXTYPING_DISABLE=1 $(DEV)/bin/python -m pytest $(PARALLEL) --cov --cov-append --cov-report= \
	    -m compiled $(TESTS) || test $$? -eq 5
	$(DEV)/bin/python -m coverage report --fail-under=90

check: $(DEV)/.stamp
	$(DEV)/bin/ruff check $(CODE)
	$(DEV)/bin/ruff format --check $(CODE)
	$(DEV)/bin/mypy
	$(DEV)/bin/lint-imports
	$(DEV)/bin/python tools/check_sizes.py $(CODE)

format: $(DEV)/.stamp
	$(DEV)/bin/ruff check --fix $(CODE)
	$(DEV)/bin/ruff format $(CODE)

reference: $(DEV)/.stamp
	$(DEV)/bin/python tools/write_cli_reference.py docs/reference/cli.md

clean:
	rm -rf $(BASE) $(DEV) $(DEMO) build dist .coverage \
	    .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests tools examples -name __pycache__ -type d -prune -exec rm -rf {} +

define new_environment
@command -v $(PYTHON) >/dev/null 2>&1 || { \
    echo "error: signloom needs Python 3.11 or newer, but \`$(PYTHON)\` was not found." \
         "Install it, or name another: make PYTHON=/path/to/python" >&2; exit 1; }
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
    echo "error: signloom needs Python 3.11 or newer, but \`$(PYTHON)\` is" \
         "$$($(PYTHON) --version 2>&1). Name another: make PYTHON=/path/to/python" >&2; exit 1; }
@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
    echo "error: signloom needs Python's \`venv\` and \`ensurepip\` modules, which \`$(PYTHON)\`" \
         "lacks. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
$(PYTHON) -m venv --clear $(@D)
endef

$(BASE)/.stamp: pyproject.toml
	$(new_environment)
	$(BASE)/bin/python -m pip install --quiet --editable .
	@touch $@

$(DEV)/.stamp: pyproject.toml
	$(new_environment)
	$(DEV)/bin/python -m pip install --quiet --no-compile --editable ".[dev]"
	@touch $@
