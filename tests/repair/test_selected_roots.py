"""A deletion by what its roots have in common: they are all that was committed before the barrier, and nothing after.

A writer that comes at the same time waits at the gate of the barrier, before or behind it.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from memorepair_graphdb import RepairEvent
from memorepair_graphdb.errors import BadInput, EventConflict, NotFound, PlanChanged
from memorepair_graphdb.store import keys as stored_keys
from memorepair_graphdb.store.queries import query
from tests.harness import dump

if TYPE_CHECKING:
    from neo4j import Driver

    from memorepair_graphdb import MemoRepair

_ROOTS = "MATCH (:RepairEvent {space: $space, id: 'e'})-[:ROOT]->(a) RETURN a.key AS key ORDER BY key"


def laid_down(mr: MemoRepair) -> None:
    """Two users' messages under two prefixes, and what was made of them."""
    for user in (17, 170):
        for number in range(3):
            key = f"user/{user}/{number}"
            mr.record(f"text {number} of user {user}", key=key, metadata={"user": user, "from": {"id": str(user)}})
    mr.record("of user 17, filed elsewhere", key="inbox/1", metadata={"user": 17, "from": {"id": "17"}})
    mr.derive("what 17 said", key="sum/17", kind="summary", influenced_by=["user/17/0", "inbox/1"])
    mr.derive("what 170 said", key="sum/170", kind="summary", influenced_by=["user/170/0"])


OF_17 = ["user/17/0", "user/17/1", "user/17/2"]

SELECTIONS: list[tuple[dict[str, Any], list[str]]] = [
    ({"prefix": "user/17/"}, OF_17),
    ({"where": {"metadata.user": 17}}, ["inbox/1", *OF_17]),
    ({"where": {"metadata.from.id": "17"}}, ["inbox/1", *OF_17]),
    ({"where": {"metadata.user": 17}, "prefix": "user/"}, OF_17),
    ({"where": {"metadata.user": 17, "metadata.from.id": "17"}, "prefix": "inbox"}, ["inbox/1"]),
]


@pytest.mark.parametrize(("said", "roots"), SELECTIONS, ids=[str(said) for said, _ in SELECTIONS])
def test_what_is_in_common_selects_the_roots_and_what_came_of_them_goes_too(
    memory, prepared: Driver, space: str, said: dict[str, Any], roots: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_keys, "PAGE", 2)
    mr: MemoRepair = memory()
    laid_down(mr)
    event = RepairEvent.delete(**said, id="e")
    plan = mr.preview(event)
    assert sorted(plan.event["roots"]) == roots
    report = mr.repair(event, expect=plan.plan_id)
    assert [row["key"] for row in dump.rows(prepared, _ROOTS, space=space)] == roots
    gone = {*roots, *(["sum/17"] if {"user/17/0", "inbox/1"} & set(roots) else [])}
    assert {line.key for line in mr.keys().keys} == {line.key for line in mr.keys(state="any").keys} - gone
    again = mr.repair(event)
    assert (again.done_already, again.event_id, again.affected) == (True, "e", report.affected)


def test_nothing_in_common_with_anything_is_said_before_anything_is_written(
    memory, prepared: Driver, space: str
) -> None:
    mr: MemoRepair = memory()
    laid_down(mr)
    before = dump.everything(prepared, space)
    for event in (
        RepairEvent.delete(prefix="user/9/", id="e"),
        RepairEvent.delete(where={"metadata.user": "17"}, id="e"),
        RepairEvent.delete(prefix="sum", where={"metadata.user": 17}, id="e"),
    ):
        for call in (mr.preview, mr.withdraw, mr.repair):
            with pytest.raises(NotFound, match=r"nothing .* matches .*`memorepair keys` lists"):
                call(event)
    assert dump.everything(prepared, space) == before


def test_asked_again_after_an_erasure_it_is_done_already_though_nothing_matches_now(memory) -> None:
    mr: MemoRepair = memory()
    laid_down(mr)
    event = RepairEvent.delete(where={"metadata.user": 17}, id="e")
    mr.repair(event)
    mr.erase("e")
    assert mr.repair(event).done_already
    assert mr.withdraw(event).done_already
    for other in (
        RepairEvent.delete(where={"metadata.user": 170}, id="e"),
        RepairEvent.delete(where={"metadata.user": 17}, prefix="user/", id="e"),
    ):
        with pytest.raises(EventConflict, match="another request"):
            mr.repair(other)
    assert mr.get("user/170/0") is not None


def test_the_erasure_leaves_nothing_of_what_was_selected_by(memory, prepared: Driver, space: str) -> None:
    mr: MemoRepair = memory()
    mr.record("x", key="k", metadata={"user": "canary7741"})
    mr.repair(RepairEvent.delete(where={"metadata.user": "canary7741"}, id="e"))
    assert dump.holding(prepared, space, "canary7741") != []
    mr.erase("e")
    assert dump.holding(prepared, space, "canary7741") == []


def test_a_match_that_was_added_after_the_preview_changes_the_plan(memory) -> None:
    mr: MemoRepair = memory()
    laid_down(mr)
    event = RepairEvent.delete(prefix="user/17/", id="e")
    plan = mr.preview(event)
    mr.record("late", key="user/17/late")
    with pytest.raises(PlanChanged):
        mr.repair(event, expect=plan.plan_id)
    assert mr.get("user/17/0") is not None


def test_a_writer_inside_its_transaction_is_waited_for_and_its_artifact_is_a_root(
    memory, prepared: Driver, space: str
) -> None:
    mr: MemoRepair = memory()
    laid_down(mr)
    draft = {"key": "user/17/late", "content": "late", "content_hash": "0" * 64}
    names = ("id", "tombstone", "embedding", "value", "cost", "metadata", "tool")
    draft |= dict.fromkeys(names, None) | {"kind": "record"}  # type: ignore[arg-type]
    barrier = threading.Thread(target=mr.withdraw, args=(RepairEvent.delete(prefix="user/17/", id="e"),))
    with prepared.session() as session, session.begin_transaction() as tx:
        assert query("artifact/record").one(tx, space=space, draft=draft)["status"] == "done"
        barrier.start()
        time.sleep(1.0)
        assert barrier.is_alive(), "the barrier waits for the writer"
        tx.commit()
    barrier.join(60)
    assert [row["key"] for row in dump.rows(prepared, _ROOTS, space=space)] == [*OF_17, "user/17/late"]
    mr.record("later", key="user/17/later")
    mr.resume("e")
    assert mr.get("user/17/later") is not None, "what comes behind the barrier is no root"


def test_under_writers_every_match_is_a_root_or_in_service_and_none_of_before_is_left(
    memory, prepared: Driver, space: str
) -> None:
    mr: MemoRepair = memory()
    stop, acknowledged = threading.Event(), list[list[str]]([[], [], []])

    def write(writer: int) -> None:
        number = 0
        while not stop.is_set():
            key = f"user/17/{writer}-{number}"
            mr.record(f"text {key}", key=key)
            acknowledged[writer].append(key)
            number += 1

    writers = [threading.Thread(target=write, args=(n,)) for n in range(len(acknowledged))]
    for writer in writers:
        writer.start()
    while not all(len(keys) >= 3 for keys in acknowledged):
        time.sleep(0.01)
    before = {key for keys in acknowledged for key in keys}
    mr.withdraw(RepairEvent.delete(prefix="user/17/", id="e"))
    stop.set()
    for writer in writers:
        writer.join(60)
    roots = {row["key"] for row in dump.rows(prepared, _ROOTS, space=space)}
    served = {line.key for line in mr.keys().keys}
    assert before <= roots
    assert roots | served == {key for keys in acknowledged for key in keys}
    assert roots & served == set()
    mr.resume("e")


def test_a_selection_that_says_nothing_or_stands_beside_roots_is_refused() -> None:
    nothing: list[dict[str, Any]] = [{}, {"where": {}}, {"roots": "k", "prefix": "k"}, {"roots": []}]
    for said in nothing:
        with pytest.raises(BadInput):
            RepairEvent.delete(**said)
    for file in ({"type": "delete", "prefix": ""}, {"type": "correct", "replacements": {"k": "x"}, "prefix": "k"}):
        with pytest.raises(BadInput):
            RepairEvent.from_json(file)
    event = RepairEvent.from_json({"type": "delete", "where": {"metadata.user": 17}, "prefix": "user/", "id": "e"})
    assert event == RepairEvent.delete(where={"metadata.user": 17}, prefix="user/", id="e")
    assert RepairEvent.checked(event.model_dump()) == event
