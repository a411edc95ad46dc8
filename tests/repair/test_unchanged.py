"""A correction or a migration that changes nothing touches nothing, and metadata is edited without a cascade.

What a correction takes out goes from the metadata too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from memorepair_graphdb import MemoRepair, RepairEvent
from memorepair_graphdb.errors import BadInput, EventConflict, NotFound, OutOfService
from tests.harness import dump
from tests.harness.fake_operators import Staff, word

if TYPE_CHECKING:
    from neo4j import Driver

OPERATOR = "regen_some@1"
CONTRACT = {"name": "weather", "description": "the weather", "inputSchema": {"type": "object", "properties": {}}}
TURNED = {"inputSchema": {"properties": {}, "type": "object"}, "description": "the weather", "name": "weather"}
OTHER = {**CONTRACT, "description": "other"}


def laid_down(memory: Any) -> tuple[MemoRepair, Staff]:
    staff = Staff()
    mr = memory(registry=staff.registry)
    mr.record(word("doc"), key="doc")
    mr.record('{"b": 1, "a": [1, 2]}', key="json", metadata={"m": 1})
    mr.record(CONTRACT, key="doc/weather", tool="weather")
    sources = ["doc", "json", "doc/weather"]
    mr.derive(word("note"), key="note", kind="summary", influenced_by=sources, operator=OPERATOR, metadata={"m": 1})
    mr.derive(word("on"), key="on", kind="summary", influenced_by=["note"], operator=OPERATOR)
    return mr, staff


def artifacts(prepared: Driver, mr: MemoRepair) -> Any:
    """Every artifact and every edge between artifacts, as the server has them."""
    statement = """MATCH (a:Artifact {space: $s}) OPTIONAL MATCH (a)-[r]->(b:Artifact)
    RETURN labels(a) AS labels, properties(a) AS a, collect([type(r), properties(r), b.id]) AS edges ORDER BY a.id"""
    return [record.data() for record in prepared.execute_query(statement, s=mr.space).records]


SAME = {
    "a text": RepairEvent.correct({"doc": word("doc")}, id="e"),
    "a summary": RepairEvent.correct({"note": word("note")}, id="e"),
    "JSON in another order": RepairEvent.correct({"json": {"a": [1, 2], "b": 1}}, id="e"),
    "JSON with other spaces": RepairEvent.correct({"json": '{"a":[1,2],   "b":1}\n'}, id="e"),
    "several": RepairEvent.correct({"json": {"a": [1, 2], "b": 1}, "note": word("note")}, id="e"),
    "a contract": RepairEvent.migrate({"doc/weather": TURNED}, id="e"),
    "a contract as text": RepairEvent.migrate({"doc/weather": str(TURNED).replace("'", '"')}, id="e"),
}


@pytest.mark.parametrize("how", ["repair", "withdraw", "expected"])
@pytest.mark.parametrize("event", SAME.values(), ids=list(SAME))
def test_what_changes_nothing_closes_at_once_and_touches_nothing(
    memory, prepared: Driver, event: RepairEvent, how: str
) -> None:
    mr, staff = laid_down(memory)
    before = artifacts(prepared, mr)
    plan = mr.preview(event)
    assert (plan.cascade, len(plan.candidates), plan.event["unchanged"]) == ((), 0, sorted(event.roots))
    if how == "withdraw":
        report = mr.withdraw(event)
    else:
        report = mr.repair(event, expect=plan.plan_id if how == "expected" else None)
    assert (report.status, report.outcomes, report.affected) == ("closed", {}, 0)
    assert report.notes == tuple(f"{key} holds this content already: it was left as it is" for key in event.roots)
    assert artifacts(prepared, mr) == before
    assert staff.calls == []
    asked_again = mr.repair(event)
    assert (asked_again.done_already, asked_again.notes[1:]) == (True, report.notes)
    assert mr.resume("e").notes == mr.retry("e").notes == mr.status("e").notes == report.notes
    assert mr.erase("e").erased == ()
    assert artifacts(prepared, mr) == before
    with pytest.raises(EventConflict):
        mr.repair(RepairEvent.delete("doc", id="e"))


def test_of_several_roots_only_those_that_change_are_corrected(memory) -> None:
    mr, _ = laid_down(memory)
    event = RepairEvent.correct({"note": word("note"), "doc": "a new doc", "json": {"b": 1, "a": [1, 2]}})
    plan = mr.preview(event)
    report = mr.repair(event, expect=plan.plan_id)
    assert report.outcomes == {"doc": "replaced", "note": "published", "on": "published"}
    assert {note for note in report.notes if "left as it is" in note} == {
        f"{key} holds this content already: it was left as it is" for key in ("note", "json")
    }
    versions = {key: [version.version for version in mr.versions(key)] for key in ("doc", "json", "note", "on")}
    assert versions == {"doc": [2, 1], "json": [1], "note": [2, 1], "on": [2, 1]}
    assert [version.operator for version in mr.versions("note")] == [OPERATOR, OPERATOR]


@pytest.mark.parametrize(
    "content",
    [{"b": True, "a": [1, 2]}, {"b": 1, "a": [2, 1]}, {"b": "1", "a": [1, 2]}, '{"b":2,"b":1,"a":[1,2]}', "[]"],
    ids=str,
)
def test_json_that_is_almost_equal_is_a_correction(memory, content: Any) -> None:
    mr, _ = laid_down(memory)
    assert mr.repair(RepairEvent.correct({"json": content})).outcomes["json"] == "replaced"


def test_what_was_left_as_it_is_does_not_count_as_retracted(memory) -> None:
    """Its text is no residue for what is built on it later."""
    mr, _ = laid_down(memory)
    mr.repair(RepairEvent.correct({"note": word("note")}))
    report = mr.repair(RepairEvent.migrate({"doc/weather": OTHER}))
    assert report.outcomes == {"doc/weather": "replaced", "note": "published", "on": "published"}


def test_a_withdrawn_text_is_corrected_to_itself_back_into_service(memory) -> None:
    mr, _ = laid_down(memory)
    mr.repair(RepairEvent.correct({"doc": "new doc"}), tradeoff="1000")
    assert mr.get("note") is None
    assert mr.repair(RepairEvent.correct({"note": word("note")}), tradeoff="0").outcomes["note"] == "replaced"
    assert [version.state for version in mr.versions("note")] == ["Visible", "Retired"]


# metadata ------------------------------------------------------------------------------------------------------------

ANN = "Ann Kowalczyk lives at Elm Road 4."
FIELDS = {"title": ANN, "of": {"street": ["Elm Road"]}, "lang": "en", "by": "Ann", "n": 7, "Kowalczyk": "name"}


def test_metadata_that_says_what_a_correction_took_out_goes_with_it(memory, prepared: Driver) -> None:
    mr, _ = laid_down(memory)
    mr.record(ANN, key="ann", metadata=FIELDS)
    report = mr.repair(RepairEvent.correct({"ann": "Ann moved away."}, id="moved"))
    assert mr.versions("ann")[0].metadata == {"lang": "en", "by": "Ann", "n": 7}
    told = "the metadata of ann lost a field whose name says it, its of, its title, which said what was corrected"
    assert told in report.notes
    assert told in mr.status("moved").notes
    mr.erase("moved")
    assert dump.holding(prepared, mr.space, "Elm Road") == dump.holding(prepared, mr.space, "Kowalczyk") == []


@pytest.mark.parametrize(
    ("metadata", "kept"), [({"title": ANN}, None), ([ANN], None), (ANN, None), (["en"], ["en"]), (None, None), (5, 5)]
)
def test_metadata_of_every_form_is_held_to_it(memory, metadata: Any, kept: Any) -> None:
    mr, _ = laid_down(memory)
    mr.record(ANN, key="ann", metadata=metadata)
    mr.repair(RepairEvent.correct({"ann": "Ann moved away."}))
    assert [version.metadata for version in mr.versions("ann")] == [kept, metadata]


@pytest.mark.parametrize(("given", "becomes"), [({"title": "moved"}, {"title": "moved"}), (None, None)])
@pytest.mark.parametrize("content", ["Ann moved away.", ANN], ids=["another content", "the same content"])
def test_a_correction_brings_new_metadata(memory, content: str, given: Any, becomes: Any) -> None:
    mr, _ = laid_down(memory)
    mr.record(ANN, key="ann", metadata=FIELDS)
    event = RepairEvent.correct({"ann": content}, metadata={"ann": given}, id="moved")
    report = mr.repair(event)
    artifact = mr.versions("ann")[0]
    assert (artifact.content, artifact.metadata, artifact.visible) == (content, becomes, True)
    if content == ANN:
        assert artifact.version == 1
        assert report.notes == ("ann holds this content already: it got other metadata, and no more",)
    assert mr.repair(event).outcomes == report.outcomes
    if given:
        with pytest.raises(EventConflict):
            mr.repair(RepairEvent.correct({"ann": content}, metadata={"ann": {"title": "another"}}, id="moved"))


def test_metadata_that_changes_between_the_look_and_the_barrier_is_dropped_and_told(
    memory, prepared: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memorepair_graphdb.repair import barrier as barriers
    from memorepair_graphdb.repair.corrections import compare

    mr, _ = laid_down(memory)
    mr.record(ANN, key="ann", metadata={"lang": "en"})

    def compare_and_wait(env: Any, event: RepairEvent) -> Any:
        changes = compare(env, event)
        mr.set_metadata("ann", {"title": ANN})
        return changes

    monkeypatch.setattr(barriers, "compare", compare_and_wait)
    report = mr.repair(RepairEvent.correct({"ann": "Ann moved away."}))
    assert mr.versions("ann")[0].metadata is None
    assert "the metadata of ann was dropped: it changed while it was read" in report.notes


def test_metadata_alone_is_edited_and_nothing_leaves_service(memory, prepared: Driver) -> None:
    mr, staff = laid_down(memory)
    before = artifacts(prepared, mr)
    note = mr.get("note")
    assert note is not None
    assert mr.set_metadata("note", {"m": 2}).metadata == {"m": 2}
    changed = artifacts(prepared, mr)
    assert [one for one in changed if one not in before] == [one for one in changed if one["a"]["key"] == "note"]
    assert mr.set_metadata(note, {"m": 1}) == note
    assert artifacts(prepared, mr) == before
    assert mr.set_metadata(note.id, None).metadata is None
    assert (mr.events(), staff.calls) == ((), [])


def test_metadata_of_what_is_out_of_service_or_unknown_is_not_edited(memory) -> None:
    mr, _ = laid_down(memory)
    old = mr.versions("doc")[0].id
    mr.repair(RepairEvent.correct({"doc": "new"}), tradeoff="1000")
    for ref in (old, "note"):
        with pytest.raises(OutOfService):
            mr.set_metadata(ref, {})
    with pytest.raises(NotFound):
        mr.set_metadata("nobody", {})
    with pytest.raises(NotFound):
        memory("_beside").set_metadata(old, {})
    with pytest.raises(BadInput):
        mr.set_metadata("doc", {"x": float("nan")})


def test_an_event_file_brings_metadata_with_a_correction_alone() -> None:
    file = {"type": "correct", "replacements": {"k": "new"}, "metadata": {"k": {"b": 1, "a": None}}}
    assert RepairEvent.from_json(file).metadata == {"k": '{"a":null,"b":1}'}
    for wrong in (
        {"type": "delete", "roots": ["k"], "metadata": {}},
        {**file, "metadata": {"other": 1}},
        {**file, "metadata": [1]},
    ):
        with pytest.raises(BadInput):
            RepairEvent.from_json(wrong)
