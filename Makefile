# Everything runs in .venv, which is made on first use and again when pyproject.toml changes.
PYTHON ?= python3
VENV := .venv
READY := $(VENV)/.ready

.PHONY: demo demo-stop test lint bench torture

demo: $(READY)
	$(VENV)/bin/memorepair demo

demo-stop: $(READY)
	$(VENV)/bin/memorepair db stop --name demo

test: $(READY)
	$(VENV)/bin/pytest

torture: $(READY)
	$(VENV)/bin/pytest -m torture

bench: $(READY)
	$(VENV)/bin/memorepair bench $(NAME)

lint: $(READY)
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

$(READY): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed; set PYTHON")'
	test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(VENV)/bin/python -m pip install --quiet --editable '.[local,fast,bench]' --group dev
	touch $@
