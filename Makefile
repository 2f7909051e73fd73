# Two commands matter: `make report` runs the notebooks to HTML, `make test` checks everything.
# Both set themselves up; all they need is Python 3.11 or newer and make.

PYTHON ?= python3
JOBS   ?= 2
BIN    := .venv/bin
READY  := .venv/.ready
# A worker takes whole files, so that what their tests share is made once; tests/conftest.py puts the longest first.
SPREAD := -n $(JOBS) --dist loadfile --no-loadscope-reorder

# Hundreds of processes import the package, and each would compile it anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: report test quick lint unit thorough nbval book browser moving versions fuzz lab notebooks index coursework picture lock bench clean

report: $(READY)
	$(BIN)/anonnb report --jobs $(JOBS) $(ARGS)

test: lint unit nbval book browser

quick: lint
	$(BIN)/pytest -q $(SPREAD) -m "not slow and not browser"

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The same examples in every run (hypothesis' own profile for CI); `make quick` looks for new ones.
unit: $(READY)
	$(BIN)/pytest -q $(SPREAD) -m "not browser and not thorough" --hypothesis-profile=ci

# All that `make test` tries in part: whole series of random tables, all assignments at nbgrader, every notebook of a
# wheel that reads results.
thorough: $(READY)
	ANONNB_THOROUGH=1 $(BIN)/pytest -q $(SPREAD) -m "not browser" --hypothesis-profile=ci

# Every committed output is compared with what the code gives now, and every figure must be readable (the file that
# PYTHONSTARTUP names). Coursework has tests of its own: tests/coursework.
nbval: $(READY)
	ANONNB_BATCH=1 PYTHONSTARTUP=$(CURDIR)/tests/notebooks/checked_figures.py $(BIN)/pytest -q $(SPREAD) -o addopts= \
	    --nbval --nbval-current-env --nbval-cell-timeout 300 --ignore notebooks/coursework notebooks

# The site reports/book from the last `make report`, or from the committed notebooks; a warning or a dead link fails.
book: $(READY)
	$(BIN)/python -m anonnb.book

# Without a chromium, Playwright's own is fetched; where that fails, the last line says that these tests did not run.
browser: $(READY)
	$(BIN)/pytest -q $(SPREAD) -m browser tests/browser

# Every page of the last `make report`: each control is moved and each player played, at two widths, with the net off.
moving: $(READY)
	ANONNB_REPORTS=reports/latest $(BIN)/pytest -q -s -m browser tests/browser/test_reports.py

# The fast tests on every declared Python that this machine has.
versions:
	JOBS=$(JOBS) $(PYTHON) .ci/versions.py $(ARGS)

# Random tables, methods and requirements for as long as SECONDS says, recounted from the written files.
SECONDS ?= 600
fuzz: $(READY)
	ANONNB_FUZZ_SECONDS=$(SECONDS) $(BIN)/pytest -q -n $(JOBS) tests/fuzz

lab: $(READY)
	$(BIN)/anonnb lab

# Run the notebooks in place, for committing them with their outputs.
notebooks: $(READY)
	$(BIN)/python -m anonnb.reports refresh $(ARGS)

index: $(READY)
	$(BIN)/python -m anonnb.reports index

# The student copies of the assignments.
coursework: $(READY)
	$(BIN)/anonnb coursework release

# The picture of the README, and that of the rooms in CONTRIBUTING.md.
picture: $(READY)
	$(BIN)/python notebooks/figures/readme.py
	$(BIN)/python -m tests.floor_plan

lock:
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install -q "uv>=0.9"
	$(BIN)/uv pip compile pyproject.toml --no-config --extra dev --universal --python-version 3.11 \
	    --generate-hashes --no-header --no-emit-index-url --no-emit-find-links --upgrade -q -o requirements.lock
	@! grep -nE '://|(^| )/' requirements.lock || { echo "requirements.lock holds an address or a path" >&2; exit 1; }

# All benchmarks into reports/results/benchmarks.csv, then the notebook that draws it; ARGS=--quick only tries it. The
# environments of other libraries come first, so that no measuring waits for them. Fails where something grows faster
# than promised.
bench: $(READY)
	$(BIN)/python benchmarks/run.py --install
	$(BIN)/python benchmarks/run.py $(ARGS); code=$$?; \
	    ANONNB_BATCH=1 $(BIN)/python -m anonnb.reports refresh 46 && exit $$code

clean:
	rm -rf reports/latest build dist .pytest_cache .ruff_cache .mypy_cache .hypothesis
	find anonnb tests benchmarks -name __pycache__ -prune -exec rm -rf {} +

$(READY): pyproject.toml requirements.lock
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install -q -r requirements.lock --require-hashes
	$(BIN)/pip install -q --no-deps -e .
	touch $@
