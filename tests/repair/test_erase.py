"""Erase empties what an event took: no property of any node or relationship of the space holds the text, or its hash.

A canary goes in everywhere that text can go; what is in service stays as it is.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import pytest

from memorepair_graphdb import Context, Registry, RepairEvent
from memorepair_graphdb.errors import EventConflict, NotFound, Tombstoned
from tests.harness import dump
from tests.harness.fake_operators import Embedder

if TYPE_CHECKING:
    from neo4j import Driver

    from memorepair_graphdb import MemoRepair

CANARY = "canary7741"
TEXT = f"Anna keeps a {CANARY} at home."


def registry() -> Registry:
    made = Registry()

    @made.operator("write@1", mode="regen", support="available")
    def write(context: Context) -> str:
        return f"{context.key}: " + " ".join(sorted(source.content for source in context.supports))

    @made.operator("leaks@1", mode="regen", support="available")
    def leaks(context: Context) -> str:
        return TEXT

    @made.operator("fails@1", mode="regen", support="available")
    def fails(context: Context) -> str:
        raise ValueError(f"cannot read {TEXT}")

    return made


def laid_down(mr: MemoRepair) -> None:
    """The canary in content, recipe, metadata and blob, and in what goes on from there."""
    mr.record(TEXT, key="doc", metadata={"seen": CANARY})
    mr.record("kept", key="kept")
    for key, operator in (("note", "write@1"), ("leaks", "leaks@1"), ("fails", "fails@1"), ("told", "write@1")):
        about: dict[str, Any] = {"metadata": {"quote": TEXT}, "recipe": {"prompt": CANARY} if key == "told" else None}
        sources = ["doc", "kept"]
        mr.derive(f"{key} {TEXT}", key=key, kind="summary", influenced_by=sources, operator=operator, **about)
    mr.derive(f"on {TEXT}", key="on", kind="summary", influenced_by=["note", "kept"], operator="write@1")
    recipe: dict[str, Any] = {"recipe": {"prompt": CANARY}}  # where it is removed anyhow: such a recipe cannot be run
    mr.derive(f"dear {TEXT}", key="dear", kind="summary", influenced_by=["doc"], operator="write@1", cost=1e6, **recipe)
    mr.derive(TEXT, key="copy", kind="record", influenced_by=["doc"], blob=CANARY.encode())
    mr.derive("beside", key="beside", kind="summary", influenced_by=["kept"], operator="write@1")


def hashes() -> list[str]:
    texts = [TEXT, *(f"{key} {TEXT}" for key in ("note", "leaks", "fails", "on", "dear"))]
    return [hashlib.sha256(text.encode()).hexdigest() for text in texts]


def test_after_erase_nothing_in_the_space_holds_the_text(memory, prepared: Driver, space: str, dimensions: int):
    mr = memory(registry=registry(), embedder=Embedder(dimensions))
    laid_down(mr)
    event = RepairEvent.delete(["doc"])
    report = mr.repair(event, tradeoff="0")
    assert report.counts == {
        "not_executable": 1,
        "operator_failed": 1,
        "published": 2,
        "rejected": 1,
        "removed": 3,
    }
    before = {where.partition("]")[0] for where in dump.holding(prepared, space, CANARY)}
    assert before == {"['Artifact', 'Retired'", "['Artifact', 'Withdrawn'", "[AFFECTS"}
    receipt = mr.erase(event.id)
    assert dump.holding(prepared, space, CANARY) == []
    assert [where for plain in hashes() for where in dump.holding(prepared, space, plain)] == []
    assert [(one["key"], one["version"]) for one in receipt.erased] == [
        ("copy", 1),
        ("dear", 1),
        ("doc", 1),
        ("fails", 1),
        ("leaks", 1),
        ("note", 1),
        ("on", 1),
        ("told", 1),
    ]
    assert receipt.already_erased == 0
    assert any("backups" in where for where in receipt.cannot_reach)
    states = {(one["key"], one["version"]): one["states"][0] for one in dump.artifacts(prepared, space)}
    assert states == {
        **{(key, 1): "Retired" for key in ("copy", "dear", "doc", "fails", "leaks", "note", "on", "told")},
        **{(key, 2): "Visible" for key in ("note", "on")},
        **{(key, 1): "Visible" for key in ("kept", "beside")},
    }
    assert mr.get("on").content == "on: kept note: kept"
    again = mr.erase(event.id)
    assert (again.erased, again.already_erased) == ((), 8)
    assert mr.retry(event.id).counts == report.counts


def test_an_erased_text_is_refused_wherever_it_comes_from(memory):
    mr = memory(registry=registry())
    laid_down(mr)
    event = RepairEvent.delete(["doc"])
    mr.repair(event)
    mr.record(TEXT, key="before erase")
    mr.repair(RepairEvent.delete(["before erase"]))
    mr.erase(event.id)
    for put in (
        lambda: mr.record(TEXT, key="doc"),
        lambda: mr.record(TEXT, key="another"),
        lambda: mr.derive(TEXT, key="n", kind="summary", influenced_by=["kept"], operator="write@1"),
        lambda: mr.repair(RepairEvent.correct({"kept": TEXT})),
    ):
        with pytest.raises(Tombstoned, match="does not come back"):
            put()
    assert mr.get("kept").content == "kept"
    assert mr.record(f"{TEXT} And more.", key="doc").version == 2


def test_a_file_that_is_loaded_again_does_not_bring_it_back(memory, prepared: Driver, space: str):
    mr = memory(registry=registry())
    lines = [
        {"key": "doc", "kind": "record", "content": TEXT},
        {"key": "kept", "kind": "record", "content": "kept"},
        {
            "key": "note",
            "kind": "summary",
            "content": f"note {TEXT}",
            "influenced_by": ["doc", "kept"],
            "operator": "write@1",
        },
    ]
    mr.load(lines)
    event = RepairEvent.delete(["doc"])
    mr.repair(event)
    mr.erase(event.id)
    report = mr.load(lines)
    assert (report.created, report.skipped) == (0, 3)
    assert dump.holding(prepared, space, CANARY) == []
    assert (mr.get("doc"), mr.get("note").version) == (None, 2)


def test_an_event_is_closed_before_it_is_erased(memory, prepared: Driver, space: str):
    mr = memory(registry=registry())
    laid_down(mr)
    event, other = RepairEvent.delete(["doc"]), RepairEvent.delete(["kept"])
    mr.withdraw(event)
    with pytest.raises(EventConflict, match="is withdrawn: close it first"):
        mr.erase(event.id)
    mr.resume(event.id, tradeoff="1000")
    mr.withdraw(other)
    before = dump.everything(prepared, space)
    with pytest.raises(EventConflict, match=f"event {other.id} still works on a part of it"):
        mr.erase(event.id)
    assert dump.everything(prepared, space) == before
    mr.resume(other.id)
    assert len(mr.erase(event.id).erased) == 8
    with pytest.raises(NotFound, match="no event nobody"):
        mr.erase("nobody")


def test_the_request_that_brought_an_erased_text_is_emptied_with_it(memory, prepared: Driver, space: str):
    """A correction put the text there; a later event deleted it: the correction's Δ held a copy."""
    mr = memory(registry=registry())
    mr.record("harmless", key="doc")
    mr.record({"name": "bell", "inputSchema": {}}, key="tool", tool="bell")
    mr.repair(RepairEvent.correct({"doc": TEXT}, id="brought"))
    mr.repair(RepairEvent.migrate({"tool": {"name": "bell", "description": CANARY, "inputSchema": {}}}))
    event = RepairEvent.delete(["doc", "tool"], id="took")
    mr.repair(event)
    assert "['RepairEvent'].delta" in dump.holding(prepared, space, CANARY)
    mr.erase("took")
    assert dump.holding(prepared, space, CANARY) == []
    assert dump.holding(prepared, space, hashes()[0]) == []
    assert [mr.status(one).status for one in ("brought", "took")] == ["closed", "closed"]


def test_a_correction_is_erased_and_its_new_text_stays(memory, prepared: Driver, space: str):
    mr = memory(registry=registry())
    laid_down(mr)
    event = RepairEvent.correct({"doc": "Somebody moved."})
    mr.repair(event)
    mr.erase(event.id)
    assert dump.holding(prepared, space, CANARY) == []
    assert (mr.get("doc").content, mr.get("doc").metadata) == ("Somebody moved.", None)
    assert mr.get("note").content == "note: Somebody moved. kept"


def test_what_other_spaces_hold_is_not_touched(memory, prepared: Driver, space: str):
    mr, other = memory(registry=registry()), memory("_other", registry=registry())
    laid_down(mr)
    laid_down(other)
    before = dump.everything(prepared, other.space)
    event = RepairEvent.delete(["doc"])
    mr.repair(event)
    mr.erase(event.id)
    assert dump.everything(prepared, other.space) == before
    with pytest.raises(NotFound):
        other.erase(event.id)


EVENTS: dict[str, RepairEvent] = {
    "a deletion": RepairEvent.delete(["doc", "kept"], id="e"),
    "a correction": RepairEvent.correct({"doc": "Nobody keeps it."}, id="e"),
}


@pytest.mark.parametrize("event", EVENTS.values(), ids=EVENTS)
def test_the_same_request_after_an_erasure_is_done_already(
    memory, prepared: Driver, space: str, event: RepairEvent
) -> None:
    mr: MemoRepair = memory(registry=registry())
    laid_down(mr)
    first = mr.repair(event)
    assert not first.done_already
    assert mr.repair(event).done_already, "before the erasure too"
    mr.erase("e")
    before = dump.everything(prepared, space)
    for again in (mr.repair(event), mr.withdraw(event)):
        assert (again.event_id, again.status, again.done_already) == ("e", "closed", True)
        assert again.outcomes == first.outcomes
        assert again.notes[0].startswith("done already: event e")
    assert dump.everything(prepared, space) == before, "asking again writes nothing"


def test_another_request_under_the_id_of_an_erased_event_is_refused(memory) -> None:
    mr: MemoRepair = memory(registry=registry())
    laid_down(mr)
    mr.repair(RepairEvent.delete(["doc", "kept"], id="e"))
    mr.erase("e")
    others = (
        RepairEvent.delete("doc", id="e"),
        RepairEvent.delete(["doc", "beside"], id="e"),
        RepairEvent.delete(["doc", "kept", "beside"], id="e"),
        RepairEvent.correct({"doc": "x", "kept": "y"}, id="e"),
    )
    for other in others:
        with pytest.raises(EventConflict, match="another request"):
            mr.repair(other)


def test_a_correction_whose_new_text_was_erased_is_done_already_too(memory) -> None:
    mr: MemoRepair = memory(registry=registry())
    mr.record("old", key="doc")
    correction = RepairEvent.correct({"doc": TEXT}, id="e")
    mr.repair(correction)
    mr.repair(RepairEvent.delete("doc", id="gone"))
    mr.erase("gone")
    assert mr.repair(correction).done_already
    assert mr.get("doc") is None
