# Each target sets up what it needs: an environment in .venv, with the versions in constraints.txt.
PYTHON ?= python3
BIN := .venv/bin
PAGE := src/branchline/client/index.html
POSTGRESQL := /usr/lib/postgresql

.PHONY: play test quick check lint types imports page-types plain bench soak screenshots postgresql nginx chromium docs

# The page is built while Python's packages are installed.
play:
	@$(MAKE) --no-print-directory -j2 .venv/playable $(PAGE)
	@$(BIN)/branchline serve --open --log-level warning

# Bytecode is kept even where the environment says otherwise: without it, each process of the tests first compiles 450 modules for five seconds.
test quick soak: export PYTHONDONTWRITEBYTECODE :=

# All checks and tests. If this machine lacks something that some of them need, the last lines say so.
test: .venv/testable postgresql nginx $(PAGE) chromium
	@$(BIN)/python -m branchline.batch.warm batches
	@$(BIN)/python -m branchline.design.warming
	$(BIN)/pytest -n 4 --dist worksteal # many wait for bots and browsers, so two cores can run four at once

# For daily work, half a minute: rules, games, records and bots, without server, database or browser.
quick: .venv/testable
	@$(BIN)/python -m branchline.batch.warm play arena
	$(BIN)/pytest -p no:schemathesis -n 2 --dist worksteal tests/rules tests/play tests/bots --ignore tests/bots/test_processes.py --ignore tests/bots/connect # which wait for other processes

check: lint types imports page-types

lint: .venv/testable
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/testable
	$(BIN)/mypy

imports: .venv/testable
	$(BIN)/lint-imports

page-types: .venv/testable
	$(BIN)/python hatch_build.py check

# The rules as plain Python: without Numba's help every number must keep its width.
plain: .venv/testable
	BRANCHLINE_MODE=plain $(BIN)/pytest -p no:schemathesis -m "not slow_when_plain" tests/rules tests/batch/test_statistics.py::test_the_example_and_a_bot_of_ones_own_in_a_simulation

bench: .venv/testable postgresql $(PAGE) chromium
	@$(BIN)/python benchmarks/run.py
	@$(BIN)/python benchmarks/server.py
	@PYTHONPATH=. $(BIN)/python benchmarks/server.py --postgresql
	@$(BIN)/python benchmarks/server_stages.py
	@PYTHONPATH=. $(BIN)/python benchmarks/servers.py
	@$(BIN)/python benchmarks/page.py
	@$(BIN)/python benchmarks/table.py

# Large counts, with a line for every finished test. If you stop it, it continues where it was; FRESH=1 starts over, ONLY=tests/server runs part of it,
# and LONG=1 raises the counts of tests that would then take hours.
soak: .venv/testable postgresql nginx $(PAGE) chromium
	@$(BIN)/python -m branchline.batch.warm batches
	@$(BIN)/python -m branchline.design.warming
	BRANCHLINE_SOAK=$(if $(FRESH),fresh,1) $(if $(LONG),BRANCHLINE_LONG=1 )$(BIN)/pytest -n 3 --dist worksteal --timeout 3600 $(ONLY)

# Pictures of every game's key moments, and what the tutorial shows, for docs/.
screenshots: .venv/testable $(PAGE) chromium
	$(BIN)/python scripts/screenshots.py
	@$(BIN)/python scripts/tutorial_outputs.py

# The documentation as a site, in build/site: open its index.html, from the disk too.
docs: .venv/documentable
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo 'The documentation is in build/site/index.html'

# Install the given packages, printing a dot every second to show that something is happening.
define install
	@printf 'Setting up in .venv '
	@$(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check --editable '$(1)' --constraint constraints.txt & \
		pip=$$!; while kill -0 $$pip 2>/dev/null; do printf .; sleep 1; done; echo; wait $$pip
	@touch $@
endef

.venv/playable: pyproject.toml constraints.txt | .venv
	$(call install,.[server])

.venv/testable: pyproject.toml constraints.txt | .venv
	$(call install,.[dev])
	@touch .venv/playable .venv/documentable

.venv/documentable: pyproject.toml constraints.txt | .venv
	$(call install,.[docs])

# Install the first of these Debian packages that there is, for the tests, if that is possible without asking for a password.
define from_debian
as_root=; [ "$$(id -u)" = 0 ] || as_root='sudo -n'; \
if command -v apt-get >/dev/null && $$as_root true 2>/dev/null; then \
	echo 'Installing $(firstword $(1)) for the tests'; \
	$$as_root apt-get update -qq && for package in $(1); do \
		DEBIAN_FRONTEND=noninteractive $$as_root apt-get install -y -qq --no-install-recommends $$package >/dev/null && break; done; \
else $(2); fi
endef

# The server's tests also run against a real PostgreSQL, if there is one.
postgresql:
	@ls $(POSTGRESQL)/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || { $(call from_debian,postgresql,true); }

# The configuration in deploy/ is tested with a real nginx, if there is one.
nginx:
	@ls /usr/sbin/nginx >/dev/null 2>&1 || command -v nginx >/dev/null || { $(call from_debian,nginx-light,true); }

# The browser tests need a real browser; without one they are left out. Chromium without windows starts and draws faster.
chromium: .venv/testable
	@for browser in chromium-headless-shell chromium chromium-browser google-chrome; do command -v $$browser >/dev/null && exit; done; \
		$(call from_debian,chromium-headless-shell chromium,$(BIN)/playwright install chromium || true)

# The page, rebuilt when any of its sources change.
$(PAGE): hatch_build.py $(shell find web src/branchline/words -type f -not -path 'web/node_modules/*' -not -name openapi.json) $(wildcard src/branchline/boards/*/picture.json) | .venv
	@echo 'Building the page'
	@$(BIN)/python hatch_build.py

.venv:
	@$(PYTHON) -c 'import sys; sys.exit("Branchline needs Python 3.11, 3.12 or 3.13; this is %d.%d" % sys.version_info[:2]) if not (3, 11) <= sys.version_info[:2] <= (3, 13) else None'
	@$(PYTHON) -m venv .venv
