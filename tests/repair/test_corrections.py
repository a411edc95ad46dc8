"""A correction of something derived keeps the edges from its parents, and its text is never rewritten.

A person's text may be removed later, no more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memorepair_graphdb import RepairEvent
from tests.harness.fake_operators import Staff, word, written

if TYPE_CHECKING:
    from memorepair_graphdb import MemoRepair

OPERATOR = "regen_some@1"


def laid_down(mr: MemoRepair) -> None:
    """doc and kept → note → on; doc → aside → note."""
    for key in ("doc", "kept"):
        mr.record(word(key), key=key)
    mr.derive(word("aside"), key="aside", kind="summary", influenced_by=["doc"], operator=OPERATOR)
    sources: list[Any] = [{"key": "doc", "role": "text", "required": True}, {"key": "kept", "required": "any"}, "aside"]
    mr.derive(
        word("note"), key="note", kind="summary", influenced_by=sources, operator=OPERATOR, value=3, metadata={"m": 1}
    )
    mr.derive(word("on"), key="on", kind="summary", influenced_by=["note"], operator=OPERATOR)


def edges(mr: MemoRepair, key: str) -> set[tuple]:
    """(source, its state, role, required) of the version in service."""
    return {(s["key"], s["state"], s["role"], s["required"]) for s in mr.why(key).sources}


def test_a_corrected_summary_keeps_its_parents_and_loses_its_operator(memory):
    mr = memory(registry=Staff().registry)
    laid_down(mr)
    report = mr.repair(RepairEvent.correct({"note": "what a person wrote"}))
    assert report.outcomes == {"note": "replaced", "on": "published"}
    note = mr.get("note")
    assert (note.content, note.version, note.operator, note.recipe) == ("what a person wrote", 2, None, None)
    assert (note.value, note.metadata, note.kind) == (3, {"m": 1}, "summary")
    assert edges(mr, "note") == {
        ("doc", "Visible", "text", True),
        ("kept", "Visible", None, "any"),
        ("aside", "Visible", None, None),
    }
    assert mr.get("on").content == written(OPERATOR, "on", [("note", None, "what a person wrote")])


def test_a_later_cascade_removes_a_persons_text_and_never_rewrites_it(memory):
    staff = Staff()
    mr = memory(registry=staff.registry)
    laid_down(mr)
    mr.repair(RepairEvent.correct({"note": "what a person wrote"}))
    staff.calls.clear()
    report = mr.repair(RepairEvent.delete(["kept"]))
    assert report.outcomes == {"kept": "removed", "note": "removed", "on": "removed"}
    assert report.reasons["note"] == "it names no operator that could make it again"
    assert staff.calls == []
    assert [mr.get(key) for key in ("note", "on")] == [None, None]


def test_a_parent_that_is_corrected_with_it_is_kept_as_its_replacement_and_a_withdrawn_one_is_not(memory):
    mr = memory(registry=Staff().registry)
    laid_down(mr)
    report = mr.repair(RepairEvent.correct({"doc": "new doc", "note": "new note"}))
    assert report.outcomes == {"doc": "replaced", "note": "replaced", "aside": "published", "on": "published"}
    assert edges(mr, "note") == {("doc", "Visible", "text", True), ("kept", "Visible", None, "any")}
    assert [mr.get("doc").version, mr.get("note").version, mr.get("aside").version] == [2, 2, 2]
    gone = mr.repair(RepairEvent.delete(["doc"]))
    assert gone.outcomes == {"doc": "removed", "note": "removed", "aside": "removed", "on": "removed"}


def test_what_is_corrected_by_its_id_is_corrected(memory):
    mr = memory(registry=Staff().registry)
    laid_down(mr)
    note = mr.get("note")
    mr.repair(RepairEvent.correct({note.id: "by id"}))
    assert mr.get("note").content == "by id"
    assert [one.version for one in mr.versions("note")] == [2, 1]


def test_a_withdrawn_leftover_can_be_corrected_back_into_service(memory):
    mr = memory(registry=Staff().registry)
    laid_down(mr)
    mr.repair(RepairEvent.correct({"doc": "new doc"}), tradeoff="1000")
    assert [mr.get(key) for key in ("aside", "note", "on")] == [None] * 3
    mr.repair(RepairEvent.correct({"note": "by hand"}), tradeoff="0")
    assert mr.get("note").content == "by hand"
    assert edges(mr, "note") == {("kept", "Visible", None, "any")}
    assert mr.get("on").content == written(OPERATOR, "on", [("note", None, "by hand")])
