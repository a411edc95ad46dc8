"""Those who only repair import nothing of what measures the package.

Each case runs in a process of its own: in this one other tests have imported everything.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from memorepair_graphdb import MemoRepair
from tests.harness.server import Server

REPAIR = """
from memorepair_graphdb import MemoRepair, RepairEvent

with MemoRepair.connect({uri!r}, auth={auth!r}, space={space!r}) as memory:
    memory.setup()
    memory.load([
        {{"key": "a", "kind": "record", "content": "Ann pays in March."}},
        {{"key": "b", "kind": "record", "content": "Rain falls in Oslo."}},
        {{
            "key": "s", "kind": "summary", "content": "Ann pays in March. Rain falls in Oslo.",
            "influenced_by": ["a", "b"], "operator": "summary@1",
        }},
    ])
    assert memory.search("Oslo")
    assert memory.repair(RepairEvent.delete(["a"])).status == "closed"
"""
COMMAND = """
import sys
from memorepair_graphdb.cli.main import main

sys.argv = ["memorepair", *{words!r}]
try:
    main()
except SystemExit:
    pass
"""


def evaluation_after(code: str, directory: Path) -> list[str]:
    """Return the modules of `evaluation` that a process has imported after the code."""
    tail = (
        "\nimport json, sys\n"
        "print(json.dumps([m for m in sys.modules if m.startswith('memorepair_graphdb.evaluation')]))\n"
    )
    checkout = str(Path(__file__).parents[2])
    ended = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {checkout!r})\n{code}{tail}"],
        cwd=directory,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    modules: list[str] = json.loads(ended.stdout.splitlines()[-1])
    return modules


@pytest.mark.parametrize(
    "code",
    [
        "import memorepair_graphdb, memorepair_graphdb.api",
        COMMAND.format(words=["--help"]),
        COMMAND.format(words=["repair", "--help"]),
        COMMAND.format(words=["operators", "--json"]),
    ],
)
def test_neither_the_package_nor_its_help_imports_the_evaluation(code: str, tmp_path: Path) -> None:
    assert evaluation_after(code, tmp_path) == []


def test_loading_searching_and_repairing_import_nothing_of_it(server: Server, space: str, tmp_path: Path) -> None:
    code = REPAIR.format(uri=server.uri, auth=(server.username, server.password), space=space)
    assert evaluation_after(code, tmp_path) == []
    with MemoRepair.connect(server.uri, auth=(server.username, server.password), space=space) as memory:
        assert memory.get("a") is None


def test_a_workload_imports_the_workloads_and_no_more_of_it(tmp_path: Path) -> None:
    modules = evaluation_after(COMMAND.format(words=["load", "--workload", "nothing", "."]), tmp_path)
    assert modules
    assert [
        name
        for name in modules
        if not (name + ".").startswith("memorepair_graphdb.evaluation.workloads.")
        and name != "memorepair_graphdb.evaluation"
    ] == []


def test_the_catalogue_imports_no_measurement_before_it_runs(tmp_path: Path) -> None:
    modules = evaluation_after(COMMAND.format(words=["bench", "--help"]), tmp_path)
    assert sorted(modules) == [
        "memorepair_graphdb.evaluation",
        "memorepair_graphdb.evaluation.catalogue",
        "memorepair_graphdb.evaluation.conditions",
        "memorepair_graphdb.evaluation.runs",
    ]
