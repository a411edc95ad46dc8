"""A derivation whose sources left service meanwhile is kept, withdrawn, under the event that took them.

It comes before the plan, during it, and after it; nobody is served it in between.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memorepair_graphdb import Context, Registry, RepairEvent
from memorepair_graphdb.errors import KeyTaken, MemoRepairError, OutOfService
from tests.harness import dump
from tests.harness.fake_operators import Staff, word, written

if TYPE_CHECKING:
    from neo4j import Driver

    from memorepair_graphdb import MemoRepair
    from memorepair_graphdb.model.artifact import Artifact

OPERATOR = "regen_some@1"


def laid_down(mr: MemoRepair) -> Artifact:
    """doc and kept → note; the note as it was read."""
    for key in ("doc", "kept"):
        mr.record(word(key), key=key)
    return mr.derive(word("note"), key="note", kind="summary", influenced_by=["doc", "kept"], operator=OPERATOR)


def kept(mr: MemoRepair, *sources, key: str = "late", **about) -> Artifact:
    return mr.derive(word(key), key=key, kind="summary", influenced_by=sources, operator=OPERATOR, hold=True, **about)


def test_what_comes_before_the_plan_is_planned_and_published(memory):
    mr = memory(registry=Staff().registry)
    note = laid_down(mr)
    event = RepairEvent.delete(["doc"])
    mr.withdraw(event)
    with pytest.raises(OutOfService, match=r"note \(.*\) is out of service"):
        mr.derive(word("late"), key="late", kind="summary", influenced_by=[note], operator=OPERATOR)
    late = kept(mr, note, mr.get("kept"))
    assert (late.state, late.held_by, mr.get("late")) == ("Withdrawn", 1, None)
    assert kept(mr, note, mr.get("kept")).id == late.id
    assert mr.status(event.id).outcomes == {"note": "pending", "late": "pending"}
    later = kept(mr, late, key="later")
    assert later.state == "Withdrawn"
    assert mr.check().violations == ()
    report = mr.resume(event.id)
    assert report.outcomes == {"doc": "removed", "note": "published", "late": "published", "later": "published"}
    new_note = written(OPERATOR, "note", [("kept", None, word("kept"))])
    assert mr.get("late").content == written(OPERATOR, "late", [("note", None, new_note), ("kept", None, word("kept"))])


def test_what_comes_while_it_is_planned_is_planned_too(memory):
    staff = Staff()
    arrived: list[Artifact] = []
    mr = memory(registry=staff.registry)
    note = laid_down(mr)
    mr.derive(word("asks"), key="asks", kind="summary", influenced_by=[note], operator="asks@1")

    def asks(context: Context) -> float:
        if not arrived:
            arrived.append(kept(mr, note))
        return 1.0

    staff.registry.operator("asks@1", mode="regen", cost=asks)(lambda context: "asked")
    report = mr.repair(RepairEvent.delete(["doc"]), tradeoff="0")
    assert arrived[0].state == "Withdrawn"
    assert report.outcomes == {"doc": "removed", "note": "published", "asks": "published", "late": "published"}


def test_what_comes_after_the_plan_waits_for_a_retry(memory, prepared: Driver, space: str):
    arrived: list[Artifact] = []
    registry = Registry()
    mr = memory(registry=registry)
    note = laid_down(mr)

    @registry.operator(OPERATOR, mode="regen", support="available")
    def write(context: Context) -> str:
        if not arrived:
            arrived.append(kept(mr, note, mr.get("kept")))
        return f"new {context.key}"

    event = RepairEvent.delete(["doc"])
    report = mr.repair(event)
    assert report.outcomes == {"doc": "removed", "note": "published", "late": "not_executable"}
    assert report.reasons["late"] == "came after the plan"
    assert mr.get("late") is None
    assert mr.check().violations == ()
    again = mr.retry(event.id)
    assert again.outcomes == {"doc": "removed", "note": "published", "late": "published"}
    assert {(s["key"], s["state"]) for s in mr.why("late").sources} == {("note", "Visible"), ("kept", "Visible")}


def test_what_was_read_before_a_repair_and_comes_while_it_is_tried_again_is_planned(memory):
    """Its source was succeeded in the first attempt: nothing leads from the event to it but that it is held."""
    staff = Staff()
    arrived: list[Artifact] = []
    mr = memory(registry=staff.registry)
    note = laid_down(mr)
    mr.derive(word("other"), key="other", kind="summary", influenced_by=["doc", "kept"], operator="regen_all@1")
    mr.derive(word("rest"), key="rest", kind="summary", influenced_by=["doc", "kept"], operator=OPERATOR, cost=1000)
    event = RepairEvent.delete(["doc"])
    assert mr.repair(event).outcomes["note"] == "published"

    def interrupt(step: str, done: int, of: int) -> None:
        if not arrived:
            arrived.append(kept(mr, note))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memory(registry=staff.registry, progress=interrupt).retry(event.id)
    assert (arrived[0].state, mr.status(event.id).status) == ("Withdrawn", "withdrawn")
    assert mr.check().violations == ()
    assert mr.status(event.id).outcomes["late"] == "pending"
    report = mr.resume(event.id, tradeoff="0")
    assert report.outcomes["late"] == "published"
    assert [source["key"] for source in mr.why("late").sources] == ["note"]


def test_nothing_is_kept_where_no_open_event_took_a_source(memory):
    mr = memory(registry=Staff().registry)
    note = laid_down(mr)
    event = RepairEvent.delete(["doc"])
    mr.repair(event)
    with pytest.raises(OutOfService, match="no open event holds a source of late: read again what is in service"):
        kept(mr, note)
    with pytest.raises(MemoRepairError, match="nobody"):
        kept(mr, "nobody")


def test_a_key_names_no_version_that_was_read_so_nothing_is_kept_for_it(memory):
    mr = memory(registry=Staff().registry)
    laid_down(mr)
    mr.withdraw(RepairEvent.delete(["doc"]))
    with pytest.raises(OutOfService, match=r"note is a key .* name the version that was read"):
        kept(mr, "note")


def test_a_key_that_is_live_is_not_kept_twice(memory):
    mr = memory(registry=Staff().registry)
    note = laid_down(mr)
    mr.withdraw(RepairEvent.delete(["doc"]))
    with pytest.raises(KeyTaken, match="kept"):
        kept(mr, note, key="kept")
    with pytest.raises(KeyTaken, match="note"):
        mr.derive("otherwise", key="note", kind="summary", influenced_by=[note], operator=OPERATOR, hold=True)


def test_what_is_kept_is_held_by_the_latest_of_the_events_over_its_sources(memory):
    mr = memory(registry=Staff().registry)
    note = laid_down(mr)
    other = mr.record(word("other"), key="other")
    first, second = RepairEvent.delete(["doc"]), RepairEvent.correct({"other": word("new other")})
    mr.withdraw(first)
    mr.withdraw(second)
    late = kept(mr, note, other)
    assert late.held_by == 2
    assert mr.resume(second.id).outcomes == {"other": "replaced", "late": "published"}
    assert [source["key"] for source in mr.why("late").sources] == ["other"]
    assert mr.resume(first.id).outcomes == {"doc": "removed", "note": "published"}


def test_a_derivation_in_service_is_not_held_though_asked_to(memory, prepared: Driver, space: str):
    mr = memory(registry=Staff().registry)
    note = laid_down(mr)
    made = kept(mr, note)
    assert (made.state, made.held_by) == ("Visible", 0)
    assert len(dump.artifacts(prepared, space)) == 4
