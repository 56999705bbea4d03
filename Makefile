# The one place that knows how to build, test and measure this project: people and CI call the same targets. Each sets up what it
# needs in a local .venv, from pyproject.toml's lists; nothing outside the checkout is written to but cargo's and pip's caches.

PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
MATURIN := PIP_QUIET=2 VIRTUAL_ENV=$(CURDIR)/$(VENV) $(VENV)/bin/maturin
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo develop test test-rust test-python lint format bench instructions instructions-baseline memory long \
	release wheels check-wheels docs mutants clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1 	\2/p' $(MAKEFILE_LIST) | expand -t 22

demo: ## validate two answers and print the verdicts (without a Rust toolchain: on the pure engine)
	@if command -v cargo >/dev/null; then \
		$(MAKE) --no-print-directory develop && PY=$(PY) sh examples/demo.sh; \
	else \
		echo "No Rust toolchain found: this is the pure Python engine. Same reports, only slower."; \
		PY=$(PYTHON) PYTHONPATH=python ELEMENTGUARD_ENGINE=python sh examples/demo.sh; \
	fi

test: test-rust test-python ## run the Rust tests, then the Python suite on both engines

lint: develop ## formatters, clippy, rustdoc, ruff, mypy --strict, stubtest, generated files
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps -p elementguard
	$(PY) -m ruff check
	$(PY) -m ruff format --check
	$(PY) -m mypy
	cd python && ../$(PY) -m mypy.stubtest elementguard._core
	$(PY) tools/generate.py --check
	$(PY) tools/vectors.py --check
	$(PY) tools/pack_vectors.py --check

format: $(VENV)/ready ## let the formatters write
	cargo fmt --all
	$(PY) -m ruff check --fix-only --quiet
	$(PY) -m ruff format

bench: release ## elementguard beside its peers, as ratios of medians (BENCH="--rounds 5 tiny chat" for less)
	$(PY) benches/bench.py $(BENCH)

instructions: | $(VENV)/bin/python ## instructions a byte under callgrind, held against benches/instructions.json
	$(PY) benches/instructions.py --check $(INSTRUCTIONS)

instructions-baseline: | $(VENV)/bin/python ## write benches/instructions.json anew
	$(PY) benches/instructions.py --write $(INSTRUCTIONS)

memory: release ## the memory a check takes, on clean answers and under attack (MEMORY=--check to fail over it)
	$(PY) benches/memory.py $(MEMORY)

# The wheel is built from the sdist, whose files carry old times: only an empty build folder is sure to hold no stale build.
wheels: $(VENV)/ready-wheels ## dist/: the compiled wheel, the pure py3-none-any wheel, the sdist
	rm -rf dist build/wheels
	PATH="$(CURDIR)/$(VENV)/bin:$$PATH" $(MATURIN) build --release --strip --locked --zig --sdist \
		--target-dir $(CURDIR)/build/wheels --out dist
	$(PY) -m hatchling build --target wheel --directory dist
	@ls -l dist

check-wheels: wheels ## install each built file in a fresh environment and run its selftest (slow)
	$(PY) tools/check_wheels.py dist

# The pages are made from the sources as they are read: no engine need be built for it. Not `--quiet`: it would hide the
# warnings from `--strict` too.
docs: $(VENV)/ready-docs ## build/site/: the documentation, warnings as errors, each link and load of it looked at
	NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict
	PYTHONPATH=python ELEMENTGUARD_ENGINE=python $(PY) tools/check_site.py build/site

long: develop ## 100,000 examples on which the engines must agree, then 20,000 of each property of the receiver's side (slow)
	$(PY) tests/long_run.py
	$(PY) tests/long_properties.py

mutants: develop ## break the rules on purpose, in both engines, and list what no test notices (slow)
	command -v cargo-mutants >/dev/null || cargo install cargo-mutants --locked
	status=0; \
	$(PY) tools/core_mutants.py || status=1; \
	$(PY) tools/python_mutants.py || status=1; \
	exit $$status

clean: ## remove what the other targets made
	rm -rf $(VENV) build dist target benches/corpus python/elementguard/_core*.so

# --- what the targets above stand on -------------------------------------------------------------

# The extension as the tests want it: optimised, with overflow checks and debug assertions (Cargo.toml, `checked`).
develop: $(VENV)/ready
	$(MATURIN) develop --profile checked --locked --quiet

# The extension as it ships.
release: $(VENV)/ready-bench
	$(MATURIN) develop --release --locked --quiet

test-rust:
	cargo test --locked --profile checked

# The suite runs every test on both engines itself; the documentation's examples run on the one that is chosen outside. A suite
# that quietly ran on one engine would prove nothing of the other: each must be there before a test runs.
test-python: develop
	ELEMENTGUARD_ENGINE=rust $(PY) -c 'import elementguard as e; assert e.engine == "rust", e.engine'
	ELEMENTGUARD_ENGINE=python $(PY) -c 'import elementguard as e; assert e.engine == "python", e.engine'
	ELEMENTGUARD_ENGINE=rust $(PY) -m pytest $(PYTEST)
	ELEMENTGUARD_ENGINE=python $(PY) -m pytest python

# `$(call install,NAMES)`: what pyproject.toml lists under these names; the target is touched when all of it is there.
define install
	@$(PY) -c 'import sys, tomllib; p = tomllib.load(open("pyproject.toml", "rb")); \
		lists = {"build": p["build-system"]["requires"], **p["project"]["optional-dependencies"]}; \
		print(*[line for name in sys.argv[1:] for line in lists[name]], sep="\n")' $(1) > $@.txt
	$(PY) -m pip install --quiet --disable-pip-version-check -r $@.txt
	@touch $@
endef

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Python 3.11 or later is needed; say which with: make PYTHON=/path/to/python"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/ready: pyproject.toml | $(VENV)/bin/python
	$(call install,build test lint)

$(VENV)/ready-bench: pyproject.toml | $(VENV)/bin/python
	$(call install,build bench)

$(VENV)/ready-wheels: pyproject.toml | $(VENV)/bin/python
	$(call install,build wheels)

$(VENV)/ready-docs: pyproject.toml | $(VENV)/bin/python
	$(call install,docs)
