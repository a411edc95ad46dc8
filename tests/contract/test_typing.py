"""The examples of README.md pass mypy and pyright in a project of a user, who has the package from its wheel.

The wheel is installed in an environment of its own, beside the dependencies of this one, so that the checkers find
the package where they look for packages, and believe it only for its py.typed. Needs no server.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pydantic
import pytest

from tests.harness.pages import PAGES, blocks

MISTAKES = """
from memorepair_graphdb import Artifact, KeyTaken, Kind, MemoRepair, Outcome, Plan, RepairEvent
from memorepair_graphdb import MemoRepare  # wrong

def use(memory: MemoRepair, kind: str) -> str:
    source: Artifact = memory.record("x", key="a", value=1)
    memory.record("x", key="a", worth=1)  # wrong
    memory.record("x")  # wrong
    memory.derive("x", key="b", kind="summary", influenced_by=[source, "c", {"key": "d", "required": True}])
    memory.derive("x", key="b", kind=Kind.SKILL, arch="chain", influenced_by=source, hold=True)
    memory.derive("x", key="b", kind="sumary", influenced_by=[source])  # wrong
    memory.derive("x", key="b", kind=kind, influenced_by=[source])  # wrong
    memory.search("x", by="words")  # wrong
    memory.search("x", by="text", k=3)
    plan: Plan = memory.preview(RepairEvent.delete("a"), tradeoff=0.5, budget="50%")
    memory.repair(RepairEvent.delete("a"), expect=plan)  # wrong
    memory.get("a").content  # wrong
    try:
        outcome: Outcome = memory.status("e").outcomes["a"]
    except KeyTaken as error:
        return error.key  # wrong
    return outcome

MemoRepair.connect("bolt://host", ("neo4j", "secret"), space="s", workers=2).close()
MemoRepair.connect("bolt://host", ("neo4j", "secret"), spaces="s")  # wrong
MemoRepair.from_env(embedder=lambda texts: [[0.5] for _ in texts]).close()
MemoRepair.from_env(embedder=lambda text: 0.5)  # wrong
"""
WRONG = [number for number, line in enumerate(MISTAKES.splitlines(), start=1) if line.endswith("# wrong")]


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the interpreter of an environment that has the wheel, and reads the dependencies from this environment."""
    home = tmp_path_factory.mktemp("user")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    (packages,) = home.glob("lib/python*/site-packages")
    command = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(packages), str(wheel)]
    subprocess.run([sys.executable, *command], check=True)
    # Not a .pth file of this environment is read there, so its editable install of the checkout is not seen.
    (packages / "dependencies.pth").write_text(f"{Path(pydantic.__file__).parents[1]}\n", encoding="utf-8")
    return home / "bin" / "python"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a directory with a page's examples, those that name no file in one, and a program with mistakes."""
    root = tmp_path_factory.mktemp("project")
    examples: dict[str, list[str]] = {}
    for page in PAGES:
        for block in blocks(page):
            if block.language == "python":
                named = re.match(r"# (\w+\.py)\n", block.body)
                name = f"{Path(page).stem}_{named[1] if named else 'example.py'}"
                examples.setdefault(name, []).append(block.body)
    assert len(examples) > 1
    for name, bodies in examples.items():
        (root / name).write_text("\n".join(bodies), encoding="utf-8")
    (root / "mistakes.py").write_text(MISTAKES, encoding="utf-8")
    return root


Faults = dict[str, dict[int, str]]
"""File → line → what a checker says of it."""


def mypy(python: Path, project: Path) -> Faults:
    """The errors that mypy finds in the project, with its strictest settings."""
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--python-executable", str(python)]
    command += ["--output", "json", "--cache-dir", str(project / ".mypy_cache"), "."]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    faults: Faults = {}
    for fault in map(json.loads, done.stdout.splitlines()):
        if fault["severity"] == "error":
            faults.setdefault(fault["file"], {})[fault["line"]] = fault["message"]
    return faults


def pyright(python: Path, project: Path) -> Faults:
    """The errors that pyright finds in the project."""
    command = [sys.executable, "-m", "pyright", "--pythonpath", str(python), "--outputjson", "."]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    faults: Faults = {}
    for fault in json.loads(done.stdout)["generalDiagnostics"]:
        if fault["severity"] == "error":
            line = fault["range"]["start"]["line"] + 1
            faults.setdefault(Path(fault["file"]).name, {})[line] = fault["message"]
    return faults


@pytest.mark.parametrize("checker", [mypy, pyright])
def test_a_checker_passes_the_examples_and_finds_every_mistake(
    checker: Callable[[Path, Path], Faults], python: Path, project: Path
) -> None:
    faults = checker(python, project)
    assert faults.keys() == {"mistakes.py"}, faults
    assert sorted(faults["mistakes.py"]) == WRONG, faults


def test_without_its_marker_the_package_is_not_believed(python: Path, project: Path) -> None:
    (marker,) = python.parents[1].glob("lib/python*/site-packages/memorepair_graphdb/py.typed")
    marker.unlink()
    try:
        faults = mypy(python, project)
    finally:
        marker.touch()
    assert "missing library stubs or py.typed" in faults["README_example.py"][1]
