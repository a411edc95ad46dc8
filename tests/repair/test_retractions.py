"""Nothing deleted returns: not as `previous`, not as text, not through a takeover, a retry or metadata.

An operator that keeps whatever it is shown, and one that remembers what it should not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memorepair_graphdb import Context, Registry, RepairEvent
from memorepair_graphdb.operators.protocol.payload import Payload
from tests.harness import dump

if TYPE_CHECKING:
    from neo4j import Driver

    from memorepair_graphdb import MemoRepair

SECRET = "Anna Karlsson lives at Nybrogatan 17 in Stockholm."
KEPT = "The office opens at nine."


class Keeper:
    """An operator that wants its previous text, and notes what it was given."""

    def __init__(self) -> None:
        self.previous: dict[str, str | None] = {}
        self.leak = ""
        self.registry = Registry()
        self.registry.operator("keep@1", mode="regen", support="available", previous=True)(self.keep)
        self.registry.operator("train@1", mode="param", support="available")(self.train)

    def keep(self, context: Context) -> str:
        self.previous[context.key] = context.previous
        live = " ".join(sorted(source.content for source in context.supports))
        return f"{context.previous or ''} {live} {self.leak}".strip()

    def train(self, context: Context) -> str:
        self.previous[context.key] = context.previous
        return "weights"


@pytest.fixture
def keeper() -> Keeper:
    return Keeper()


def laid_down(mr: MemoRepair) -> None:
    mr.record(SECRET, key="secret")
    mr.record(KEPT, key="kept")
    mr.record("It rains.", key="weather")
    mr.record({"name": "bell", "description": "rings", "inputSchema": {}}, key="tool", tool="bell")
    sources = ["secret", "kept", "weather", "tool"]
    mr.derive(f"{SECRET} It rains.", key="note", kind="summary", influenced_by=sources, operator="keep@1")
    mr.derive(f"On {SECRET}", key="on note", kind="summary", influenced_by=["note"], operator="keep@1")


def new_contract(description: str) -> dict:
    return {"name": "bell", "description": description, "inputSchema": {}}


def test_previous_is_given_where_nothing_retracted_stands_behind(memory, keeper: Keeper):
    mr = memory(registry=keeper.registry)
    laid_down(mr)
    report = mr.repair(RepairEvent.migrate({"tool": new_contract("chimes")}))
    assert report.counts == {"published": 2, "replaced": 1}
    assert keeper.previous == {"note": f"{SECRET} It rains.", "on note": f"On {SECRET}"}


@pytest.mark.parametrize("event", [RepairEvent.delete(["secret"]), RepairEvent.correct({"secret": "Somebody moved."})])
def test_previous_is_kept_from_what_rests_on_something_retracted(memory, keeper: Keeper, event: RepairEvent):
    mr = memory(registry=keeper.registry)
    laid_down(mr)
    assert mr.repair(event).counts["published"] == 2
    assert keeper.previous == {"note": None, "on note": None}


def test_unlearning_starts_from_the_previous_weights_whatever_was_retracted(memory, keeper: Keeper):
    mr = memory(registry=keeper.registry)
    laid_down(mr)
    sources = ["secret", "kept"]
    mr.derive(
        "old weights", key="net", kind="skill", arch="neural", influenced_by=sources, operator="train@1", blob=b"w"
    )
    assert mr.repair(RepairEvent.delete(["secret"])).outcomes["net"] == "published"
    assert keeper.previous["net"] == "old weights"


def test_a_takeover_does_not_bring_back_what_an_earlier_event_deleted(memory, keeper: Keeper):
    """The migration retracts nothing itself; the note that it took from a deletion still rests on the deleted one."""
    mr = memory(registry=keeper.registry)
    laid_down(mr)
    first, second = RepairEvent.delete(["secret"]), RepairEvent.migrate({"tool": new_contract("chimes")})
    mr.withdraw(first)
    keeper.leak = "Karlsson"
    report = mr.repair(second)
    assert keeper.previous == {"note": None}
    assert report.outcomes == {"tool": "replaced", "note": "rejected", "on note": "predecessor_missing"}
    assert report.reasons["note"] == "residue: the name 'Karlsson' is from a retracted text"
    assert mr.resume(first.id).outcomes == {"secret": "removed"}

    keeper.leak = ""
    again = mr.retry(second.id)
    assert again.outcomes == {"tool": "replaced", "note": "published", "on note": "published"}
    assert keeper.previous == {"note": None, "on note": None}
    assert "Karlsson" not in mr.get("note").content
    mr.repair(RepairEvent.migrate({"tool": new_contract("tolls")}))
    bell = '{"description":"chimes","inputSchema":{},"name":"bell"}'
    assert keeper.previous["note"] == f"It rains. {KEPT} {bell}"


def test_a_deletion_that_takes_over_from_a_correction_minds_both_texts(memory, keeper: Keeper):
    mr = memory(registry=keeper.registry)
    laid_down(mr)
    mr.withdraw(RepairEvent.correct({"secret": "Berta Lindqvist moved in."}))
    second = RepairEvent.delete(["weather"])
    for leak, outcome in (("Karlsson", "rejected"), ("It rains.", "rejected"), ("Lindqvist", "published")):
        keeper.leak = leak
        report = mr.repair(second) if mr.events()[0].seq == 1 else mr.retry(second.id)
        assert (leak, report.outcomes["note"]) == (leak, outcome)
    bell = '{"description":"rings","inputSchema":{},"name":"bell"}'
    assert mr.get("note").content == f"Berta Lindqvist moved in. {KEPT} {bell} Lindqvist"


def test_a_text_that_was_recorded_again_is_no_residue(memory, keeper: Keeper):
    mr = memory(registry=keeper.registry)
    laid_down(mr)
    event = RepairEvent.delete(["secret"])
    mr.withdraw(event)
    mr.record(f"Found again: {SECRET}", key="found")
    mr.link("found", "note")
    report = mr.resume(event.id)
    assert report.outcomes["note"] == "published"
    assert SECRET in mr.get("note").content


def test_metadata_of_the_old_version_goes_on_unless_it_says_what_was_retracted(
    memory, keeper: Keeper, prepared: Driver, space: str
):
    mr = memory(registry=keeper.registry)
    mr.record(SECRET, key="secret")
    mr.record(KEPT, key="kept")
    for key, metadata in (
        ("tells", {"about": "Karlsson"}),
        ("tells deep", {"a": [{"b": SECRET}]}),
        ("silent", {"user": "u1"}),
    ):
        mr.derive(
            f"{key}: {SECRET}",
            key=key,
            kind="summary",
            influenced_by=["secret", "kept"],
            operator="keep@1",
            metadata=metadata,
        )
    mr.repair(RepairEvent.delete(["secret"]))
    assert {key: mr.get(key).metadata for key in ("tells", "tells deep", "silent")} == {
        "tells": None,
        "tells deep": None,
        "silent": {"user": "u1"},
    }
    visible = [one["key"] for one in dump.artifacts(prepared, space) if "Visible" in one["states"]]
    assert sorted(visible) == ["kept", "silent", "tells", "tells deep"]


def test_metadata_goes_on_through_a_migration_as_it_is(memory, keeper: Keeper):
    mr = memory(registry=keeper.registry)
    laid_down(mr)
    about = {"about": "bell rings"}
    mr.derive("n", key="n", kind="summary", influenced_by=["tool"], operator="keep@1", metadata=about)
    mr.repair(RepairEvent.migrate({"tool": new_contract("chimes")}))
    assert (mr.get("n").version, mr.get("n").metadata) == (2, about)


def test_what_an_operator_says_of_its_successor_stands_over_what_was_said_of_the_old_version(memory):
    registry = Registry()

    @registry.operator("signs@1", mode="regen", support="available")
    def signs(context: Context) -> Payload:
        return Payload(context.supports[0].content, metadata={"by": "signs@1", "round": 2})

    mr = memory(registry=registry)
    mr.record(SECRET, key="secret")
    mr.record(KEPT, key="kept")
    for key, metadata in (("plain", {"user": "u1", "round": 1}), ("tells", {"about": "Karlsson"})):
        mr.derive("n", key=key, kind="summary", influenced_by=["secret", "kept"], operator="signs@1", metadata=metadata)
    mr.repair(RepairEvent.delete(["secret"]))
    assert mr.get("plain").metadata == {"user": "u1", "by": "signs@1", "round": 2}
    assert mr.get("tells").metadata == {"by": "signs@1", "round": 2}


def test_the_key_of_a_live_source_is_no_residue(memory):
    registry = Registry()

    @registry.operator("cites@1", mode="regen", support="available")
    def cites(context: Context) -> Payload:
        return Payload("an order", metadata={"sources": [source.key for source in context.supports]})

    mr = memory(registry=registry)
    mr.record("order 88127 is late", key="secret")
    mr.record("an order came", key="order/88127")
    mr.derive("n", key="n", kind="summary", influenced_by=["secret", "order/88127"], operator="cites@1")
    report = mr.repair(RepairEvent.delete(["secret"]))
    assert report.outcomes["n"] == "published", report.reasons


def test_what_is_only_rewritten_is_not_planned_behind_a_retraction_and_comes_back_from_a_migration(memory):
    registry = Registry()

    @registry.operator("rewrite@1", mode="regen", support="available", rewrites=True)
    def rewrite(context: Context) -> str:
        return f"{context.previous} again"

    def laid_down_in(mr: MemoRepair) -> MemoRepair:
        mr.record(SECRET, key="secret")
        mr.record(new_contract("rings"), key="tool", tool="bell")
        mr.derive("steps", key="chain", kind="summary", influenced_by=["secret", "tool"], operator="rewrite@1")
        return mr

    retracted = laid_down_in(memory(registry=registry))
    event = RepairEvent.delete(["secret"])
    (candidate,) = retracted.preview(event).candidates
    report = retracted.repair(event)
    assert not candidate.executable
    assert report.outcomes["chain"] == "not_executable"
    assert report.spent == 0
    assert report.reasons["chain"] == (
        "its operator rewrite@1 rewrites what was there, and that rests on what was retracted"
    )
    migrated = laid_down_in(memory(beside="_b", registry=registry))
    assert migrated.repair(RepairEvent.migrate({"tool": new_contract("chimes")})).outcomes["chain"] == "published"
    chain = migrated.get("chain")
    assert chain is not None
    assert chain.content == "steps again"
