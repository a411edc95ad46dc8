"""A closed event is planned again over what it still holds: another λ, a mended operator, the same scale.

Outcomes that are final stay; what came back is not made twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memorepair_graphdb import Registry, RepairEvent
from tests.harness import dump
from tests.harness.fake_operators import Staff, word

if TYPE_CHECKING:
    from neo4j import Driver

    from memorepair_graphdb import MemoRepair


def laid_down(mr: MemoRepair) -> None:
    """Worth 4 at cost 1, 1 at 1, 1 at 4; and a record."""
    mr.record(word("doc"), key="doc")
    mr.record(word("kept"), key="kept")
    for key, value, cost in (("cheap", 4, 1), ("fair", 1, 1), ("dear", 1, 4)):
        mr.derive(
            word(key),
            key=key,
            kind="summary",
            influenced_by=["doc", "kept"],
            operator="regen_some@1",
            value=value,
            cost=cost,
        )
    mr.derive(word("r"), key="r", kind="record", influenced_by=["doc"])


def scale(driver: Driver, space: str) -> tuple[float, float]:
    with driver.session() as session:
        found = session.run("MATCH (e:RepairEvent {space: $space}) RETURN e.value_mean, e.cost_mean", space=space)
        return tuple(found.single(strict=True).values())


def test_a_smaller_tradeoff_brings_more_back_on_the_scale_of_the_first_plan(memory, prepared: Driver, space: str):
    staff = Staff()
    mr = memory(registry=staff.registry)
    laid_down(mr)
    event = RepairEvent.delete(["doc"])
    first = mr.repair(event, tradeoff="1.2")
    assert first.outcomes == {
        "doc": "removed",
        "r": "removed",
        "cheap": "published",
        "fair": "not_selected",
        "dear": "not_selected",
    }
    assert scale(prepared, space) == (2.0, 2.0)
    # on a scale of their own (1 and 2.5) `fair` would be worth it at 1.2; on the event's (2 and 2) it is not
    assert mr.retry(event.id, tradeoff="1.2").outcomes == first.outcomes
    assert mr.retry(event.id).outcomes == first.outcomes
    assert mr.retry(event.id, tradeoff="0.9").outcomes == {**first.outcomes, "fair": "published"}
    last = mr.retry(event.id, tradeoff="0.2")
    assert last.counts == {"published": 3, "removed": 2}
    assert scale(prepared, space) == (2.0, 2.0)
    assert staff.calls == ["cheap", "fair", "dear"]
    assert {one["version"] for one in dump.artifacts(prepared, space) if one["key"] == "cheap"} == {1, 2}
    assert mr.retry(event.id).outcomes == last.outcomes
    assert staff.calls == ["cheap", "fair", "dear"]


def test_a_larger_tradeoff_takes_nothing_back(memory):
    mr = memory(registry=Staff().registry)
    laid_down(mr)
    event = RepairEvent.delete(["doc"])
    first = mr.repair(event, tradeoff="0")
    assert first.counts == {"published": 3, "removed": 2}
    assert mr.retry(event.id, tradeoff="1000").outcomes == first.outcomes
    assert [mr.get(key).version for key in ("cheap", "fair", "dear")] == [2, 2, 2]


def test_a_mended_operator_brings_back_what_failed_and_what_waited_for_it(memory):
    staff = Staff()
    mr = memory(registry=staff.registry)
    laid_down(mr)
    mr.derive(word("on"), key="on", kind="summary", influenced_by=["fair"], operator="regen_all@1")
    event = RepairEvent.delete(["doc"])
    staff.moods["fair"] = "raises"
    first = mr.repair(event, tradeoff="0")
    assert (first.outcomes["fair"], first.outcomes["on"]) == ("operator_failed", "predecessor_missing")
    staff.moods.clear()
    second = mr.retry(event.id)
    assert second.counts == {"published": 4, "removed": 2}
    assert second.reasons["fair"] == "worth it: value 1 against cost 1 at λ = 0"
    assert staff.calls.count("cheap") == 1
    assert (first.spent, second.spent) == (3, 6)


def test_an_operator_that_was_unknown_is_found_by_a_retry(memory):
    mr = memory(registry=Registry())
    laid_down(mr)
    event = RepairEvent.delete(["doc"])
    first = mr.repair(event, tradeoff="0")
    assert first.counts == {"not_executable": 3, "removed": 2}
    assert first.reasons["cheap"] == "its operator regen_some@1 is not registered here"
    second = memory(registry=Staff().registry).retry(event.id)
    assert second.counts == {"published": 3, "removed": 2}


def test_what_was_put_in_the_place_of_a_leftover_is_left_alone_by_a_retry(memory, prepared: Driver, space: str):
    mr = memory(registry=Staff().registry)
    laid_down(mr)
    event = RepairEvent.delete(["doc"])
    mr.repair(event, tradeoff="100")
    new = mr.derive(word("by hand"), key="dear", kind="summary", influenced_by=["kept"], operator="regen_some@1")
    assert (new.version, new.visible) == (2, True)
    report = mr.retry(event.id, tradeoff="0")
    assert report.outcomes == {
        "doc": "removed",
        "r": "removed",
        "cheap": "published",
        "fair": "published",
        "dear": "not_selected",
    }
    assert mr.get("dear").id == new.id


def test_a_deleted_source_that_was_recorded_again_serves_a_retry(memory):
    staff = Staff()
    mr = memory(registry=staff.registry)
    laid_down(mr)
    sources = [{"key": "doc", "required": True}, "kept"]
    mr.derive(word("strict"), key="strict", kind="summary", influenced_by=sources, operator="lost@1")
    first = RepairEvent.correct({"doc": word("corrected")})
    mr.repair(first, tradeoff="0")
    assert mr.status(first.id).outcomes["strict"] == "not_executable"
    mr.repair(RepairEvent.delete(["doc"]), tradeoff="0")
    staff.registry.operator("lost@1", mode="regen", cost=lambda context: 1.0)(
        lambda context: " ".join(source.content for source in context.supports)
    )
    again = mr.record(word("anew"), key="doc")
    assert again.version == 3
    report = mr.retry(first.id)
    assert report.outcomes["strict"] == "published"
    assert mr.get("strict").content == f"{word('anew')} {word('kept')}"
