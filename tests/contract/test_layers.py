"""The layers of the design are what import-linter checks, and `make lint` runs it with all the other tools.

Settings are read from the files that the tools read.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
SETTINGS = tomllib.loads(CHECKOUT.joinpath("pyproject.toml").read_text(encoding="utf-8"))


def _contracts(kind: str) -> list[dict[str, list[str]]]:
    return [one for one in SETTINGS["tool"]["importlinter"]["contracts"] if one["type"] == kind]


def test_imports_run_one_way() -> None:
    (layers,) = (one["layers"] for one in _contracts("layers") if one["containers"] == ["memorepair_graphdb"])
    order = {name.strip("() "): height for height, row in enumerate(layers) for name in row.split("|")}
    downwards = ["cli", "api", "repair", "store", "model", "errors"]
    assert [order[name] for name in downwards] == sorted(order[name] for name in downwards)
    assert "store | operators | (solver)" in layers, "store and operators do not know each other"
    assert order["evaluation"] < order["api"]


def test_only_the_store_knows_the_database_and_only_closure_knows_igraph() -> None:
    forbidden = {tuple(one["forbidden_modules"]): one["source_modules"] for one in _contracts("forbidden")}
    assert {"memorepair_graphdb.repair", "memorepair_graphdb.operators", "memorepair_graphdb.model"} <= set(
        forbidden["neo4j", "neomodel"]
    )
    assert "memorepair_graphdb.store" in forbidden[("igraph",)]


def test_lint_runs_every_tool() -> None:
    recipe = CHECKOUT.joinpath("Makefile").read_text(encoding="utf-8").split("\nlint:")[1].split("\n\n")[0]
    for tool in ("write_blocks.py --check", "ruff check", "ruff format --check", "mypy", "lint-imports"):
        assert tool in recipe
    assert SETTINGS["tool"]["mypy"]["strict"] is True


def test_the_layers_are_kept() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
