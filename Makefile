# Two commands do everything on a fresh machine: `make demo` sets up and runs the main job, `make test` sets up and passes
# the tests. All of them use the environment in .venv, and constraints.txt says which versions go into it.
PYTHON ?= python3
BIN := .venv/bin
# Two files of tests at a time: the suite is one long line of single threads and compiling otherwise.
SIDE_BY_SIDE := -n 2 --dist loadfile

.PHONY: help setup game-records database browser prometheus katago web docs warm test demo check format soak soak-serve bench bench-peers clean

help:  ## show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: .venv/ready  ## make .venv and install playmill with everything the tests need

.venv/ready: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "playmill needs Python 3.11 or newer, this is " + sys.version.split()[0])'
	test -x $(BIN)/pip || $(PYTHON) -m venv .venv || (apt-get update && apt-get install -y python3-venv && $(PYTHON) -m venv --clear .venv)
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	$(MAKE) --no-print-directory game-records database browser prometheus katago
	touch $@
	@echo 'ready; `make warm` compiles all kernels ahead, so that no first run waits for that'

# 596 professional games of Go, which the tests clean and replay; without root or apt those tests are skipped.
game-records:
	@test -d /usr/share/goban || ! command -v apt-get >/dev/null || test "$$(id -u)" != 0 || (apt-get update && apt-get install -y --no-install-recommends goban-original-games) || echo 'goban-original-games could not be installed; tests that need it are skipped'

# PostgreSQL, into which the tests load puzzles, on a server of their own; without root or apt those tests are skipped.
database:
	@ls -d /usr/lib/postgresql/*/bin >/dev/null 2>&1 || command -v initdb >/dev/null || ! command -v apt-get >/dev/null || test "$$(id -u)" != 0 || (apt-get update && apt-get install -y --no-install-recommends postgresql) || echo 'postgresql could not be installed; tests that need it are skipped'

# Chromium, which the tests drive through the web page; without root or apt those tests are skipped.
browser:
	@command -v chromedriver >/dev/null || ! command -v apt-get >/dev/null || test "$$(id -u)" != 0 || (apt-get update && apt-get install -y --no-install-recommends chromium chromium-driver fonts-dejavu-core) || echo 'chromium could not be installed; tests that need it are skipped'

# Prometheus, which the tests let scrape a run and a server. Its program alone is taken out of Debian's package, into .venv:
# installed, the package would start a service. Without apt those tests are skipped.
prometheus:
	@test -x $(BIN)/prometheus || command -v prometheus >/dev/null || ! command -v apt-get >/dev/null || (folder=$$(mktemp -d) && chmod 755 $$folder && cd $$folder && (apt-get download -qq prometheus 2>/dev/null || (apt-get update -qq && apt-get download -qq prometheus)) && dpkg-deb -x prometheus_*.deb . && cp usr/bin/prometheus "$(CURDIR)/$(BIN)/" && rm -r $$folder) || echo 'prometheus could not be fetched; tests that need it are skipped'

web: web/node_modules/ready  ## build the web page into the package, after its own tests (needs Node 20.19 or newer)
	cd web && npm test && npm run build

# Not `npm ci`: the lock names the builds for Linux alone, and other systems take theirs in the same versions.
web/node_modules/ready: web/package-lock.json
	cd web && npm install --no-save
	touch $@

# Not with --quiet: MkDocs then counts no warnings, and --strict lets everything pass.
docs: setup  ## build the docs as a site, site/index.html, to be read without a network
	$(BIN)/mkdocs build --strict

# The engine that finds and judges Go puzzles, into the user's cache; where it can't be had, tests that need it are skipped.
katago:
	@$(BIN)/playmill katago install || echo 'KataGo could not be installed; tests that need it are skipped'

warm: setup  ## compile all kernels ahead, on all cores
	$(BIN)/playmill warmup

test: warm  ## all tests: compiled, then the rules once more as plain Python
	$(BIN)/pytest -m 'not slow' $(SIDE_BY_SIDE)
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -m 'not slow and not jit' $(SIDE_BY_SIDE) tests/core tests/diplomacy_rules tests/games tests/sim

demo: setup  ## the main job: train a Yatzy player from nothing, in a few minutes, and report
	$(BIN)/playmill run configs/yatzy_demo.yaml --out runs/demo
	$(BIN)/playmill verify runs/demo
	$(BIN)/playmill report runs/demo

check: setup  ## format, lint, types, room order
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup  ## put the sources into shape
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

soak: setup  ## the long tests that `make test` leaves out
	$(BIN)/pytest -m slow --deselect tests/serve/test_load.py

soak-serve: setup  ## an inference server at full load for half an hour, and a million changed frames
	$(BIN)/pytest -m slow tests/serve

bench: setup  ## every benchmark, one JSON line each
	$(BIN)/playmill bench

bench-peers: .venv-peers/ready  ## install OpenSpiel, Pgx, mctx and diplomacy beside, so that `playmill bench` measures them too

.venv-peers/ready: benchmarks/peers.txt
	$(PYTHON) -m venv .venv-peers
	.venv-peers/bin/pip install --quiet --disable-pip-version-check -r benchmarks/peers.txt
	touch $@

clean:  ## remove what set-up and tools made
	rm -rf .venv .venv-peers site web/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis
