"""What a barrier refuses, and that it then writes nothing.

The bare statement is asked, in a transaction that commits, and all of the space is compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from memorepair_graphdb.errors import BadInput, EventConflict, NotFound, Tombstoned
from memorepair_graphdb.model.content import content_hash, keyed_hash
from memorepair_graphdb.model.event import RepairEvent
from tests.harness.store_space import CONTRACT, Memory, new_content

if TYPE_CHECKING:
    from collections.abc import Callable

    from neo4j import Driver


@pytest.fixture
def settled(memory: Memory, driver: Driver) -> dict[str, str]:
    """Give names of things in every state: a label → an id; the live keys are doc, note, weather, hidden."""
    doc = memory.record("doc")
    note = memory.derive("note", doc)
    memory.record("weather", tool="weather")
    before = memory.record("gone")
    hidden = memory.derive("hidden", before)
    memory.withdraw(RepairEvent.delete("gone", id="first"))
    beside = Memory(driver, f"{memory.space}_2").record("beside")
    return {"doc": doc.id, "note": note.id, "retired": before.id, "hidden": hidden.id, "elsewhere": beside.id}


Asked = dict[str, Any]
REFUSALS: dict[str, tuple[str, Callable[[dict[str, str]], Asked]]] = {
    "a key that is not there": ("not_found", lambda ids: {"roots": ["doc", "nowhere"]}),
    "a key whose versions are all history": ("not_found", lambda ids: {"roots": ["gone"]}),
    "an id that is retired": ("not_found", lambda ids: {"roots": [ids["retired"]]}),
    "an id of another space": ("not_found", lambda ids: {"roots": [ids["elsewhere"]]}),
    "a key of another space": ("not_found", lambda ids: {"roots": ["beside"]}),
    "no root": ("bad_input", lambda ids: {"roots": []}),
    "a root named twice": ("bad_input", lambda ids: {"roots": ["doc", ids["doc"]]}),
    "an unknown type": ("bad_input", lambda ids: {"type": "forget", "roots": ["doc"]}),
    "a deletion that replaces": (
        "bad_input",
        lambda ids: {"roots": ["doc"], "replacements": [new_content("doc", "x")]},
    ),
    "a correction without content": ("bad_input", lambda ids: {"type": "correct", "roots": ["doc"]}),
    "a replacement of no root": (
        "bad_input",
        lambda ids: {"type": "correct", "roots": ["doc"], "replacements": [new_content("note", "x")]},
    ),
    "two replacements of one root": (
        "bad_input",
        lambda ids: {"type": "correct", "roots": ["doc"], "replacements": [new_content("doc", x) for x in "xy"]},
    ),
    "a replacement that is empty": (
        "bad_input",
        lambda ids: {"type": "correct", "roots": ["doc"], "replacements": [{"root": "doc"}]},
    ),
    "a correction of a contract": (
        "bad_input",
        lambda ids: {"type": "correct", "roots": ["weather"], "replacements": [new_content("weather", "x")]},
    ),
    "a migration of what is no contract": ("bad_input", lambda ids: {"type": "migrate", "roots": ["doc"]}),
    "an event id that stands for another request": (
        "event_conflict",
        lambda ids: {"event_id": "first", "roots": ["doc"]},
    ),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_a_refused_barrier_writes_nothing(memory: Memory, settled: dict[str, str], case: str) -> None:
    rule, asked = REFUSALS[case]
    before = memory.dump()
    row = memory.withdraw_alone(**{"event_id": "second", **asked(settled)})
    assert (row["status"], row["rule"]) == ("refused", rule)
    assert row["detail"]
    assert memory.dump() == before


@pytest.mark.parametrize(
    ("event", "error", "says"),
    [
        (RepairEvent.delete("nowhere"), NotFound, "nowhere has no version in service or withdrawn in this space"),
        (RepairEvent.correct({"weather": "x"}), BadInput, "weather is a tool contract: migrate it"),
        (RepairEvent.migrate({"doc": CONTRACT}), BadInput, "doc is no tool contract: correct it"),
        (RepairEvent.delete("doc", id="first"), EventConflict, "give this one an id of its own"),
    ],
)
def test_a_refusal_is_an_error_that_names_the_way_out(
    memory: Memory, settled: dict[str, str], event: RepairEvent, error: type[Exception], says: str
) -> None:
    before = memory.dump()
    with pytest.raises(error, match=says):
        memory.withdraw(event)
    assert memory.dump() == before


@pytest.mark.parametrize("state", ["retired", "elsewhere"])
def test_an_id_that_cannot_be_a_root_is_told_apart(memory: Memory, settled: dict[str, str], state: str) -> None:
    said = {"retired": r"is history \(Retired\); name the live version", "elsewhere": "belongs to another space"}
    with pytest.raises(NotFound, match=said[state]):
        memory.withdraw(RepairEvent.delete(settled[state]))


def test_a_staged_draft_is_no_root(memory: Memory, settled: dict[str, str]) -> None:
    draft = memory.lay_draft("hidden", settled["doc"])
    before = memory.dump()
    with pytest.raises(NotFound, match="Staged"):
        memory.withdraw(RepairEvent.delete(draft))
    assert memory.dump() == before


def test_a_correction_does_not_bring_back_what_was_erased(memory: Memory) -> None:
    secret = "Ann Kowalczyk asks for a refund of order 881."
    doc = memory.record("doc", secret)
    memory.record("other")
    memory.withdraw(RepairEvent.delete("doc"))
    tombstone = keyed_hash(memory.key, content_hash(secret))
    memory.rows("MATCH (a:Artifact {id: $id}) SET a.tombstone = $tombstone RETURN 1", id=doc.id, tombstone=tombstone)
    before = memory.dump()
    with pytest.raises(Tombstoned, match="does not come back"):
        memory.withdraw(RepairEvent.correct({"other": secret}))
    assert memory.dump() == before


def test_a_refused_barrier_in_a_space_that_was_never_set_up_leaves_only_its_gates(driver: Driver, space: str) -> None:
    bare = object.__new__(Memory)
    bare.driver, bare.space = driver, space
    row = bare.withdraw_alone(event_id="e", roots=["doc"])
    assert (row["status"], row["rule"]) == ("refused", "not_found")
    nodes, edges = bare.dump()
    assert [node["labels"] for node in nodes] == [["Gate"]] * 16
    assert edges == []
