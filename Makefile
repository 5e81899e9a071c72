# Each target sets up all it needs: an environment in .venv, with the versions in constraints.txt.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: play test check bench soak

play: .venv/ready
	@$(BIN)/branchline play

test: check
	@$(BIN)/python -m branchline.warm
	BRANCHLINE_MODE=plain $(BIN)/pytest -n 2 tests/rules --ignore tests/rules/test_counting_by_brute_force.py
	$(BIN)/pytest -n 2 --dist worksteal

check: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/ready
	@$(BIN)/python benchmarks/run.py

soak: .venv/ready
	@$(BIN)/python -m branchline.warm
	BRANCHLINE_SOAK=1 $(BIN)/pytest -n 2 --dist worksteal --timeout 3600

.venv/ready: pyproject.toml constraints.txt
	@echo "Setting up the environment in .venv (less than a minute) …"
	@$(PYTHON) -c 'import sys; sys.exit("Branchline needs Python 3.11, 3.12 or 3.13; this is %d.%d" % sys.version_info[:2]) if not (3, 11) <= sys.version_info[:2] <= (3, 13) else None'
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --disable-pip-version-check --progress-bar on --editable '.[dev]' --constraint constraints.txt
	@touch .venv/ready
