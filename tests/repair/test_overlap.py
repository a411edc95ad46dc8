"""A later event takes what an earlier one held: conflict there, never service; a retry plans the rest.

The later barrier falls while the earlier event's operators run, in every place it can.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memorepair_graphdb import Context, Registry, RepairEvent
from tests.harness import dump

if TYPE_CHECKING:
    from collections.abc import Callable

    from neo4j import Driver

    from memorepair_graphdb import MemoRepair

CONFLICT = "a later event took it, or something that it rests on, while it was rebuilt"


class Interrupted:
    """An operator that does something else when it comes to a key, once."""

    def __init__(self) -> None:
        self.registry = Registry()
        self.registry.operator("write@1", mode="regen", support="available")(self.write)
        self.registry.operator("read@1", mode="regen", support="available")(self.read)
        self.at: dict[str, Callable[[], object]] = {}
        self.previous: dict[str, str | None] = {}

    def write(self, context: Context) -> str:
        self.at.pop(context.key, lambda: None)()
        return f"{context.key} of " + ", ".join(sorted(source.content for source in context.supports))

    def read(self, context: Context) -> str:
        described = context.interfaces["weather"]["description"]
        return f"{self.write(context)} for {described}"


@pytest.fixture
def staff() -> Interrupted:
    return Interrupted()


def laid_down(mr: MemoRepair) -> None:
    """one → a → b → c, two → b; one → z, far from it all."""
    for key in ("one", "two", "kept"):
        mr.record(f"text {key}", key=key)
    for key, sources in (("a", ["one", "kept"]), ("b", ["a", "two", "kept"]), ("c", ["b"]), ("z", ["one", "kept"])):
        mr.derive(f"old {key}", key=key, kind="summary", influenced_by=sources, operator="write@1")


def states(driver: Driver, space: str) -> dict[str, str]:
    return {f"{one['key']}#{one['version']}": one["states"][0] for one in dump.artifacts(driver, space)}


def test_what_a_later_event_takes_while_it_is_rebuilt_ends_in_conflict(
    memory, staff: Interrupted, prepared: Driver, space: str
):
    mr = memory(registry=staff.registry)
    laid_down(mr)
    first, second = RepairEvent.delete(["one"]), RepairEvent.delete(["two"])
    staff.at["b"] = lambda: mr.withdraw(second)
    report = mr.repair(first)
    assert report.outcomes == {"one": "removed", "a": "published", "z": "published", "b": "conflict", "c": "conflict"}
    assert report.reasons["b"] == CONFLICT
    assert report.reasons["c"] == "needs b, which ended as conflict"
    assert [mr.get(key) for key in "bc"] == [None, None]
    assert mr.status(second.id).outcomes == {"b": "pending", "c": "pending"}
    assert mr.check().violations == ()

    later = mr.resume(second.id)
    assert later.outcomes == {"two": "removed", "b": "published", "c": "published"}
    assert mr.get("b").content == "b of a of text kept, text kept"
    assert mr.retry(first.id).outcomes == report.outcomes
    assert states(prepared, space) == {
        **{f"{key}#2": "Visible" for key in "abcz"},
        **{f"{key}#1": "Retired" for key in [*"abcz", "one", "two"]},
        "kept#1": "Visible",
    }


def test_what_a_later_event_takes_before_it_is_planned_is_no_part_of_the_plan(memory, staff: Interrupted):
    mr = memory(registry=staff.registry)
    laid_down(mr)
    first, second = RepairEvent.delete(["one"]), RepairEvent.delete(["two"])
    mr.withdraw(first)
    mr.withdraw(second)
    assert mr.resume(first.id).outcomes == {"one": "removed", "a": "published", "z": "published"}
    assert mr.resume(second.id).outcomes == {"two": "removed", "b": "published", "c": "published"}


def test_a_required_source_that_another_event_holds_is_waited_for_and_a_retry_brings_it(memory, staff: Interrupted):
    mr = memory(registry=staff.registry)
    for key in ("one", "two"):
        mr.record(f"text {key}", key=key)
    mr.derive("old a", key="a", kind="summary", influenced_by=[{"key": "one", "required": True}], operator="write@1")
    needs = [{"key": "a", "required": True}, {"key": "two", "required": True}]
    mr.derive("old b", key="b", kind="summary", influenced_by=needs, operator="write@1")
    first, second = RepairEvent.correct({"one": "new one"}), RepairEvent.correct({"two": "new two"})
    mr.withdraw(first)
    report = mr.repair(second)
    assert report.outcomes == {"two": "replaced", "b": "not_executable"}
    assert report.reasons["b"] == "needs a, which is held by another event"
    assert mr.resume(first.id).outcomes == {"one": "replaced", "a": "published"}
    assert mr.retry(second.id).outcomes == {"two": "replaced", "b": "published"}
    assert mr.get("b").content == "b of a of new one, new two"


def test_a_successor_whose_source_leaves_service_meanwhile_is_refused_and_retried(
    memory, staff: Interrupted, prepared: Driver, space: str
):
    """a is published already when a later event takes its source: b, built from a, must not be served."""
    mr = memory(registry=staff.registry)
    laid_down(mr)
    first, second = RepairEvent.delete(["one"]), RepairEvent.correct({"kept": "kept anew"})
    mr.record("text three", key="three")
    staff.at["a"] = lambda: None
    staff.at["b"] = lambda: mr.withdraw(second)
    report = mr.repair(first)
    assert report.outcomes == {"one": "removed", "a": "published", "z": "published", "b": "conflict", "c": "conflict"}
    assert [mr.get(key) for key in "abcz"] == [None] * 4
    assert mr.check().violations == ()
    done = mr.resume(second.id)
    assert done.outcomes == dict.fromkeys("abcz", "published") | {"kept": "replaced"}
    assert mr.get("c").content == "c of b of a of kept anew, kept anew, text two"
    versions = {key: mr.get(key).version for key in "abcz"}
    assert versions == {"a": 3, "b": 2, "c": 2, "z": 3}


def test_a_contract_that_is_migrated_while_it_is_read_makes_a_conflict_and_a_retry_reads_the_new_one(
    memory, staff: Interrupted, prepared: Driver, space: str
):
    mr = memory(registry=staff.registry)
    mr.record({"name": "weather", "description": "old ways", "inputSchema": {}}, key="tool", tool="weather")
    mr.record("text", key="doc")
    mr.record("kept", key="kept")
    mr.derive("old n", key="n", kind="summary", influenced_by=["doc", "kept"], operator="read@1")
    mr.derive("old m", key="m", kind="summary", influenced_by=["n"], operator="write@1")
    event = RepairEvent.delete(["doc"])
    new = {"name": "weather", "description": "new ways", "inputSchema": {}}
    staff.at["n"] = lambda: mr.repair(RepairEvent.migrate({"tool": new}))
    report = mr.repair(event)
    assert report.outcomes == {"doc": "removed", "n": "conflict", "m": "conflict"}
    assert [one["states"] for one in dump.artifacts(prepared, space) if one["key"] in "nm"] == [["Withdrawn"]] * 2
    assert mr.retry(event.id).outcomes == {"doc": "removed", "n": "published", "m": "published"}
    assert mr.get("n").content == "n of kept for new ways"
    sources = {(one["key"], one["role"]) for one in mr.why("n").sources}
    assert sources == {("kept", None), ("tool", "interface")}
    assert mr.repair(RepairEvent.migrate({"tool": None})).outcomes == {
        "tool": "removed",
        "n": "operator_failed",
        "m": "predecessor_missing",
    }


def test_a_later_event_that_takes_everything_leaves_the_earlier_one_nothing_to_do(memory, staff: Interrupted):
    mr = memory(registry=staff.registry)
    laid_down(mr)
    first, second = RepairEvent.delete(["one"]), RepairEvent.delete(["kept"])
    staff.at["a"] = lambda: mr.withdraw(second)
    report = mr.repair(first)
    assert report.counts == {"conflict": 4, "removed": 1}
    assert mr.retry(first.id).counts == {"conflict": 4, "removed": 1}
    done = mr.resume(second.id)
    assert done.outcomes == {"kept": "removed", "a": "removed", "z": "removed", "b": "published", "c": "published"}


def test_what_is_not_selected_and_taken_by_a_later_event_ends_in_conflict_too(memory, staff: Interrupted):
    mr = memory(registry=staff.registry)
    laid_down(mr)
    mr.derive("dear", key="dear", kind="summary", influenced_by=["two", "one"], operator="write@1", value=0)
    mr.derive("odd", key="odd", kind="record", influenced_by=["two", "one"])
    first, second = RepairEvent.delete(["one"]), RepairEvent.delete(["two"])
    staff.at["z"] = lambda: mr.withdraw(second)
    report = mr.repair(first)
    assert {key: report.outcomes[key] for key in ("dear", "odd", "z")} == {
        "dear": "conflict",
        "odd": "conflict",
        "z": "published",
    }
    assert report.reasons["dear"] == "a later event took it"
    assert mr.check().violations == ()


def test_what_a_later_event_takes_while_a_retry_is_interrupted_ends_in_conflict(memory, staff: Interrupted):
    mr = memory(registry=staff.registry)
    laid_down(mr)
    first, second = RepairEvent.delete(["one"]), RepairEvent.delete(["two"])
    assert mr.repair(first, tradeoff="100").counts == {"not_selected": 4, "removed": 1}

    def interrupt(step: str, done: int, of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memory(registry=staff.registry, progress=interrupt).retry(first.id, tradeoff="0")
    assert mr.status(first.id).counts == {"pending": 4, "removed": 1}
    mr.withdraw(second)
    report = mr.resume(first.id)
    assert report.outcomes == {"one": "removed", "a": "published", "z": "published", "b": "conflict", "c": "conflict"}
