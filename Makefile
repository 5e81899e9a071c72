# Each target sets up all it needs: an environment in .venv, with the versions in constraints.txt.
PYTHON ?= python3
BIN := .venv/bin
PAGE := src/branchline/client/index.html

.PHONY: play test check bench soak screenshots

# The page is built while Python's packages are installed.
play:
	@$(MAKE) --no-print-directory -j2 .venv/playable $(PAGE)
	@$(BIN)/branchline serve --open --log-level warning

test: check .venv/postgresql $(PAGE) .venv/chromium
	@$(BIN)/python -m branchline.batch.warm batches
	BRANCHLINE_MODE=plain $(BIN)/pytest -n 2 tests/rules --ignore tests/rules/test_counting_by_brute_force.py
	$(BIN)/pytest -n 3 --dist worksteal # some wait for bots and browsers: two cores have room for three

check: .venv/testable
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python hatch_build.py check

bench: .venv/testable $(PAGE) .venv/chromium
	@$(BIN)/python benchmarks/run.py
	@$(BIN)/python benchmarks/server.py
	@$(BIN)/python benchmarks/page.py

# The full counts, some hours on two cores; ONLY=tests/server takes a part of them.
soak: .venv/testable .venv/postgresql $(PAGE) .venv/chromium
	@$(BIN)/python -m branchline.batch.warm batches
	BRANCHLINE_SOAK=1 $(BIN)/pytest -n 3 --dist worksteal --timeout 3600 $(ONLY)

# Pictures of every game's key moments, for docs/.
screenshots: .venv/testable $(PAGE) .venv/chromium
	$(BIN)/python scripts/screenshots.py

# Install what is named, with a dot a second so that nobody wonders.
define install
	@printf 'Setting up in .venv '
	@$(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check --editable '$(1)' --constraint constraints.txt & \
		pip=$$!; while kill -0 $$pip 2>/dev/null; do printf .; sleep 1; done; echo; wait $$pip
	@touch $@
endef

.venv/playable: pyproject.toml constraints.txt | .venv
	$(call install,.)

.venv/testable: pyproject.toml constraints.txt | .venv
	$(call install,.[dev])
	@touch .venv/playable

# The server's tests run against a real PostgreSQL.
.venv/postgresql: | .venv
	@if ! ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 && ! command -v initdb >/dev/null; then \
		echo 'Installing PostgreSQL for the tests'; \
		as_root=; [ "$$(id -u)" = 0 ] || as_root=sudo; \
		$$as_root apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$as_root apt-get install -y -qq --no-install-recommends postgresql >/dev/null \
			|| { echo 'The tests need PostgreSQL (initdb, pg_ctl): install it and try again.'; exit 1; }; \
	fi
	@touch $@

# The page, built anew when something of it changes.
$(PAGE): hatch_build.py $(shell find web src/branchline/words -type f -not -path 'web/node_modules/*' -not -name openapi.json) $(wildcard src/branchline/boards/*/picture.json) | .venv
	@echo 'Building the page'
	@$(BIN)/python hatch_build.py

# The browser tests run in a real browser.
.venv/chromium: | .venv
	@if ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null && ! command -v google-chrome >/dev/null; then \
		echo 'Installing Chromium for the tests'; \
		as_root=; [ "$$(id -u)" = 0 ] || as_root=sudo; \
		$$as_root apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$as_root apt-get install -y -qq --no-install-recommends chromium >/dev/null \
			|| { echo 'The browser tests need Chromium: install it and try again.'; exit 1; }; \
	fi
	@touch $@

.venv:
	@$(PYTHON) -c 'import sys; sys.exit("Branchline needs Python 3.11, 3.12 or 3.13; this is %d.%d" % sys.version_info[:2]) if not (3, 11) <= sys.version_info[:2] <= (3, 13) else None'
	@$(PYTHON) -m venv .venv
