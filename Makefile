# Everything runs in .venv, made here from the lock files. `make demo` and `make test` need Python 3.11 or newer with pip
# and venv, make and git; what else is missing they fetch, or they print the exact line that does.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install -qq --root-user-action=ignore
export NO_PROXY := 127.0.0.1,localhost,::1,$(NO_PROXY)

.PHONY: demo test lint types bench doctor frozen clean lock setup setup-dev

demo: setup
	@$(BIN)/signalbox demo

# Several at once, each file's tests one after the other. More than four would want more memory than some machines have.
test: setup-dev lint types
	$(BIN)/pytest -q -n auto --maxprocesses 4 --dist loadfile

lint: .venv/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/lint-imports --no-logo

types: .venv/.dev
	$(BIN)/mypy

bench: setup-dev
	$(BIN)/python -m tests.benchmarks

doctor: .venv/.runtime
	@$(BIN)/signalbox doctor

setup: .venv/.runtime .venv/.system

setup-dev: .venv/.dev .venv/.system .venv/.tools

.venv/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Signalbox needs Python 3.11 or newer as \
	'$(PYTHON)'. Name another one: make PYTHON=python3.12 ..." >&2; exit 3; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "This Python has no venv. On Debian and Ubuntu: \
	sudo apt-get install -y python3-venv" >&2; exit 3; }
	@echo "Making .venv and fetching the pinned packages (some 400 MB on disk)"
	@rm -rf .venv && $(PYTHON) -m venv .venv
	@touch $@

.venv/.runtime: .venv/.made requirements.lock pyproject.toml
	@$(PIP) --require-hashes -r requirements.lock
	@$(PIP) --no-build-isolation --no-deps -e .
	@touch $@

.venv/.dev: .venv/.runtime requirements-dev.lock tests/conformance/pages.lock
	@$(PIP) --require-hashes -r requirements-dev.lock
	@$(PIP) --require-hashes --no-deps -r tests/conformance/pages.lock
	@touch $@

# Qt's system libraries, fonts and a browser. Later calls trust the stamp; `make doctor` looks again.
.venv/.system: .venv/.runtime
	@$(BIN)/signalbox doctor --fix
	@touch $@

# A virtual display, a tracer, a key store: some tests use them and are skipped without. Nobody is asked for a password.
TOOLS := xvfb openbox xdotool strace bubblewrap dbus gnome-keyring tigervnc-standalone-server
.venv/.tools: .venv/.system
	@missing=; for tool in Xvfb openbox xdotool strace bwrap dbus-daemon gnome-keyring-daemon Xtigervnc; do \
		command -v $$tool >/dev/null || missing=1; done; \
	if [ -z "$$missing" ]; then :; \
	elif command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
		echo "Installing what some tests use: $(TOOLS) …"; \
		DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $(TOOLS) </dev/null >/dev/null || \
		echo "It could not be installed; those tests are skipped." >&2; \
	else \
		echo "Some tests are skipped without: sudo apt-get install -y --no-install-recommends $(TOOLS)"; \
	fi
	@touch $@

frozen: .venv/.dev
	$(BIN)/pyinstaller --noconfirm --log-level WARN build.spec
	dist/signalbox/signalbox doctor
	dist/signalbox/signalbox demo --unattended

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Needs uv. Good for Linux, Windows and macOS and for Python 3.11 to 3.14; names no index.
UVLOCK = uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	--no-emit-index-url --no-emit-find-links $(UPGRADE) pyproject.toml --group build
lock:
	$(UVLOCK) -o requirements.lock
	$(UVLOCK) --group dev --group frozen -c requirements.lock -o requirements-dev.lock
