"""An event is finished from wherever it is, whoever opened it.

Nothing but the graph says how far it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from memorepair_graphdb import RepairEvent
from memorepair_graphdb.store.queries import folder
from tests.harness import dump
from tests.harness.fake_operators import Staff, word, written
from tests.harness.world_lines import contract

if TYPE_CHECKING:
    from neo4j import Driver

WITHDRAW = (folder() / "barrier" / "withdraw.cypher").read_text(encoding="utf-8")


def laid_down(mr) -> None:
    mr.record(word("doc"), key="doc")
    mr.record(word("kept"), key="kept")
    mr.record(contract("weather", 1), key="tool", tool="weather")
    mr.derive(word("a"), key="a", kind="summary", influenced_by=["doc", "kept"], operator="regen_some@1")
    mr.derive(word("b"), key="b", kind="summary", influenced_by=["a", "tool"], operator="regen_all@1")


def by_hand(driver: Driver, space: str, **request) -> dict:
    """What a person types into Browser."""
    whole = {"space": space, "replacements": [], "delta": "", "reason": "typed", "actor": "a person", **request}
    with driver.session() as session:
        return session.run(WITHDRAW, whole).single(strict=True).data()


BY_HAND: dict[str, tuple[dict[str, Any], dict[str, str]]] = {
    "delete": ({"type": "delete", "roots": ["doc"]}, {"doc": "removed", "a": "published", "b": "published"}),
    "correct": (
        {
            "type": "correct",
            "roots": ["doc"],
            "replacements": [{"root": "doc", "content": "typed anew", "content_hash": "h"}],
        },
        {"doc": "replaced", "a": "published", "b": "published"},
    ),
    "migrate": (
        {
            "type": "migrate",
            "roots": ["tool"],
            "replacements": [{"root": "tool", "content": contract("weather", 2), "content_hash": "h"}],
        },
        {"tool": "replaced", "b": "published"},
    ),
    "retire": ({"type": "migrate", "roots": ["tool"]}, {"tool": "removed", "b": "removed"}),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_an_event_opened_in_plain_cypher_is_finished_by_a_worker(memory, prepared: Driver, space: str, name: str):
    request, outcomes = BY_HAND[name]
    mr = memory(registry=Staff().registry)
    laid_down(mr)
    row = by_hand(prepared, space, event_id="mine", **request)
    assert (row["status"], row["detail"], row["seq"]) == ("done", "", 1)
    assert [(one.event_id, one.status, one.lease_seconds) for one in mr.open_events()] == [("mine", "withdrawn", 0)]
    waiting = {key for key, outcome in outcomes.items() if outcome != "replaced" and key not in ("doc", "tool")}
    assert mr.status("mine").outcomes == dict.fromkeys(waiting, "pending")
    assert [mr.get(key) for key in waiting] == [None] * len(waiting)
    report = mr.resume("mine")
    assert (report.status, report.outcomes) == ("closed", outcomes)
    assert (report.type, report.reason) == (request["type"], "typed")
    for key, outcome in outcomes.items():
        assert (mr.get(key) is None) == (outcome == "removed")


def test_an_event_is_planned_with_the_tradeoff_it_was_opened_with_and_else_with_three_tenths(
    memory, prepared: Driver, space: str
):
    mr = memory(registry=Staff().registry)
    laid_down(mr)
    by_hand(prepared, space, event_id="mine", type="delete", roots=["doc"])
    mr.resume("mine")
    event = RepairEvent.delete(["kept"])
    mr.repair(event, tradeoff="1.25")
    mr.retry(event.id)
    with prepared.session() as session:
        asked = session.run(
            "MATCH (e:RepairEvent {space: $space}) RETURN e.tradeoff AS tradeoff ORDER BY e.seq", space=space
        ).value("tradeoff")
    assert asked == ["0.3", "1.25"]


def test_a_withdrawn_event_is_resumed_by_its_own_repair(memory):
    staff = Staff()
    mr = memory(registry=staff.registry)
    laid_down(mr)
    event = RepairEvent.delete(["doc"])
    withdrawn = mr.withdraw(event)
    assert (withdrawn.status, withdrawn.affected, withdrawn.counts) == ("withdrawn", 3, {"pending": 2})
    again = mr.withdraw(event)
    assert again.done_already
    assert again.model_copy(update={"done_already": False, "notes": withdrawn.notes}) == withdrawn
    assert staff.calls == []
    report = mr.repair(event)
    assert (report.status, report.counts) == ("closed", {"published": 2, "removed": 1})
    kept = [("kept", None, word("kept"))]
    assert mr.get("a").content == written("regen_some@1", "a", kept)


def test_an_interrupted_worker_gives_its_lease_back(memory, prepared: Driver, space: str):
    staff = Staff()
    mr = memory(registry=staff.registry)
    laid_down(mr)
    event = RepairEvent.delete(["doc"])

    def interrupt(step: str, done: int, of: int) -> None:
        if step == "execute":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memory(registry=staff.registry, progress=interrupt).repair(event)
    waiting = mr.open_events()
    assert [(one.event_id, one.status, one.lease_seconds) for one in waiting] == [(event.id, "planned", 0)]
    assert mr.check().violations == ()
    assert mr.resume(event.id).counts == {"published": 2, "removed": 1}
    assert {one["states"][0] for one in dump.artifacts(prepared, space)} == {"Visible", "Retired"}


def test_an_operator_unknown_to_the_resumer_but_not_to_the_planner_fails_and_says_so(memory):
    full, fewer = Staff(), Staff(without=frozenset({"regen_all@1"}))
    mr = memory(registry=full.registry)
    laid_down(mr)
    event = RepairEvent.delete(["doc"])

    def interrupt(step: str, done: int, of: int) -> None:
        if step == "execute":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memory(registry=full.registry, progress=interrupt).repair(event)
    other = memory(registry=fewer.registry)
    assert other.unknown_operators(event.id) == ("regen_all@1",)
    report = other.resume(event.id)
    assert report.outcomes == {"doc": "removed", "a": "published", "b": "operator_failed"}
    assert report.reasons["b"] == "operator regen_all@1 is not registered here"
    assert mr.retry(event.id).outcomes == {"doc": "removed", "a": "published", "b": "published"}
