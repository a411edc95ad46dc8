"""Events that are left open: by an interrupt, by hand, or for want of an operator; and who finishes them."""

from __future__ import annotations

import json
import signal
import subprocess
import time

import pytest
from neo4j import Driver

from memorepair_graphdb import MemoRepair, RepairEvent
from tests.cli.conftest import CommandLine
from tests.harness.places import CHECKOUT as ROOT
from tests.harness.waiting import soon

OPERATORS = """
import pathlib, time
from memorepair_graphdb import Context, Registry

registry = Registry.default()

@registry.operator("copy@1", mode="regen", support="available")
def copy(context: Context) -> str:
    return " ".join(source.content for source in context.supports)

@registry.operator("slow@1", mode="regen", support="available")
def slow(context: Context) -> str:
    pathlib.Path("begun").touch()
    while pathlib.Path("wait").exists():
        time.sleep(0.05)
    return " ".join(source.content for source in context.supports)
"""


@pytest.fixture
def worker(line: CommandLine, memory: MemoRepair) -> CommandLine:
    """Give a command line whose directory has operators; three artifacts rest on what Ann said."""
    line.write("my_operators.py", OPERATORS)
    ann = memory.record("Ann waits.", key="msg/1")
    other = memory.record("Others wait too.", key="msg/2")
    for key, operator in (("sum/copy", "copy@1"), ("sum/slow", "slow@1"), ("sum/built-in", "summary@1")):
        memory.derive(
            "Ann waits. Others wait too.", key=key, kind="summary", influenced_by=[ann, other], operator=operator
        )
    return line


def interrupted(worker: CommandLine, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command that waits in the slow operator, and press Ctrl-C there."""
    (worker.directory / "wait").touch()
    begun = worker.begin("--app", "my_operators:registry", *arguments)
    soon(lambda: (worker.directory / "begun").exists() or begun.poll() is not None)
    begun.send_signal(signal.SIGINT)
    out, err = begun.communicate(timeout=120)
    (worker.directory / "wait").unlink()
    (worker.directory / "begun").unlink()
    return subprocess.CompletedProcess(arguments, begun.returncode, out, err)


def test_ctrl_c_leaves_an_event_that_resume_finishes(worker: CommandLine, memory: MemoRepair) -> None:
    said = interrupted(worker, "repair", "--delete", "msg/1", "--event-id", "e1")
    assert said.returncode == 130
    assert said.stdout == ""
    assert "event e1 is open" in said.stderr
    assert "`memorepair --app my_operators:registry resume e1`" in said.stderr
    assert "Traceback" not in said.stderr
    assert memory.get("sum/slow") is None
    assert memory.check().violations == ()

    again = interrupted(worker, "resume", "e1", "--json")
    assert (again.returncode, again.stdout) == (130, "")
    error = json.loads(again.stderr)
    assert (error["kind"], error["event_id"]) == ("Interrupted", "e1")
    assert error["resume"] == "memorepair --app my_operators:registry resume e1"

    report = worker.run("--app", "my_operators:registry", "resume", "e1", "--json").json
    assert report["status"] == "closed"
    assert report["counts"] == {"published": 3, "removed": 1}
    found = memory.get("sum/slow")
    assert found is not None
    assert found.content == "Others wait too."
    assert memory.check().violations == ()


def test_an_event_made_by_hand_is_finished_by_resume(
    worker: CommandLine, memory: MemoRepair, driver: Driver, space: str
) -> None:
    statement = (ROOT / "cypher" / "barrier" / "withdraw.cypher").read_text(encoding="utf-8")
    given = {"space": space, "event_id": "by-hand", "type": "delete", "roots": ["msg/1"], "replacements": []}
    row = driver.execute_query(statement, {**given, "delta": "{}", "reason": "by hand", "actor": "me"}).records[0]
    assert (row["status"], row["affected"]) == ("done", 4)
    assert memory.get("sum/copy") is None
    said = worker.run("--app", "my_operators:registry", "resume", "by-hand", "--json").json
    assert said["counts"] == {"published": 3, "removed": 1}
    assert worker.run("check").code == 0


def test_the_environment_brings_the_operators_too(worker: CommandLine) -> None:
    worker.environment["MEMOREPAIR_APP"] = "my_operators:registry"
    assert "copy@1" in worker.run("operators").out
    said = worker.run("repair", "--delete", "msg/1", "--json").json
    assert said["counts"] == {"published": 3, "removed": 1}


def test_a_plain_resume_plans_what_it_does_not_know_as_not_executable(worker: CommandLine, memory: MemoRepair) -> None:
    memory.withdraw(RepairEvent.delete("msg/1", id="e1"))
    said = worker.run("resume", "--json").json
    (report,) = said["reports"]
    assert report["counts"] == {"not_executable": 2, "published": 1, "removed": 1}
    retried = worker.run("--app", "my_operators:registry", "retry", "e1", "--json").json
    assert retried["counts"] == {"published": 3, "removed": 1}


def test_a_watcher_leaves_open_what_needs_an_operator_that_it_does_not_know(
    worker: CommandLine, memory: MemoRepair
) -> None:
    memory.record("Bob waits.", key="msg/3")
    memory.derive("Bob waits.", key="sum/3", kind="summary", influenced_by=["msg/3"], operator="summary@1")
    memory.withdraw(RepairEvent.delete("msg/1", id="strange"))
    memory.withdraw(RepairEvent.delete("msg/3", id="known"))
    watcher = worker.begin("resume", "--watch", "--every", "0.1", "--json")
    soon(lambda: memory.status("known").status == "closed" or watcher.poll() is not None)
    time.sleep(1)
    watcher.send_signal(signal.SIGINT)
    out, err = watcher.communicate(timeout=120)
    assert watcher.returncode == 130
    assert [json.loads(line)["event_id"] for line in out.splitlines()] == ["known"]
    assert err.count("event strange is left open: copy@1, slow@1") == 1
    assert memory.status("strange").status == "withdrawn"


def test_a_watcher_that_gives_up_finishes_it(worker: CommandLine, memory: MemoRepair) -> None:
    memory.withdraw(RepairEvent.delete("msg/1", id="strange"))
    said = worker.run("resume", "strange", "--watch", "--give-up", "--json")
    assert said.code == 0
    assert said.json["counts"] == {"not_executable": 2, "published": 1, "removed": 1}


def test_a_watcher_with_the_operators_waits_for_its_event_and_ends(worker: CommandLine, memory: MemoRepair) -> None:
    memory.withdraw(RepairEvent.delete("msg/1", id="mine"))
    said = worker.run("--app", "my_operators:registry", "resume", "mine", "--watch", "--json")
    assert said.code == 0
    assert said.json["counts"] == {"published": 3, "removed": 1}


@pytest.mark.parametrize(
    "application",
    [
        "class Brought:\n    from my_operators import registry\n    embedder = staticmethod(lambda texts: [[1.0]])\n",
        "def Brought():\n    from my_operators import registry\n    return registry\n",
        "class There:\n    from my_operators import registry\n\nBrought = There()\n",
    ],
)
def test_an_application_is_a_registry_or_has_one_or_makes_one(
    worker: CommandLine, application: str, space: str
) -> None:
    worker.write(f"app_{space}.py", application)
    said = worker.run("--app", f"app_{space}:Brought", "operators", "--json")
    assert "copy@1" in {operator["name"] for operator in said.json["operators"]}


def test_a_module_alone_is_asked_for_its_registry(worker: CommandLine) -> None:
    assert "slow@1" in worker.run("--app", "my_operators", "operators").out


def test_an_application_that_fails_is_told_with_its_name(worker: CommandLine, space: str) -> None:
    worker.write(f"broken_{space}.py", "def make():\n    raise KeyError('weights')\n")
    said = worker.run("--app", f"broken_{space}:make", "operators")
    assert said.code == 2
    assert "fails: KeyError" in said.err
