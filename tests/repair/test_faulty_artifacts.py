"""What plain Cypher wrote wrongly into one artifact is named by every reader, and costs that artifact and no other."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from memorepair_graphdb import BadInput, Refused, Registry, RepairEvent
from memorepair_graphdb.model.arguments import SearchRequest
from memorepair_graphdb.store import search
from tests.harness.graph_state import rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memorepair_graphdb import Context, MemoRepair

FAULTS = {
    "a value that is a word": "SET a.value = 'high'",
    "a value that is no number": "SET a.value = toFloat('NaN')",
    "a value without end": "SET a.value = INF",
    "a value below 0": "SET a.value = -3",
    "a value that is true": "SET a.value = true",
    "a cost that is a word": "SET a.cost = 'dear'",
    "a cost that is a list": "SET a.cost = [1, 2]",
    "a cost that is no number": "SET a.cost = toFloat('NaN')",
    "an embedding of words": "SET a.embedding = ['north', 'by', 'west']",
    "an embedding that is a number": "SET a.embedding = 3",
    "metadata that is no JSON": "SET a.metadata = 'written {by hand'",
    "metadata that is a number": "SET a.metadata = 5",
    "a recipe that is no JSON": "SET a.recipe = '{\"sentences\": '",
    "a recipe with NaN": "SET a.recipe = '{\"sentences\": NaN}'",
    "a recipe that is a list": "SET a.recipe = ['two', 'lines']",
    "an operator that is a number": "SET a.operator = 7",
    "a kind that there is not": "SET a.kind = 'essay'",
    "a kind that is a number": "SET a.kind = 4",
    "no kind": "REMOVE a.kind",
    "an arch of its own": "SET a.arch = 'gothic'",
    "a version that is a word": "SET a.version = 'second'",
    "a content that is a number": "SET a.content = 42",
    "no content": "REMOVE a.content",
    "a time that is a text": "SET a.created_at = 'yesterday'",
    "a tool that is a number": "SET a.tool = 9",
    "a hash that is a number": "SET a.content_hash = 11",
    "a blob that is a text": "SET a.blob = 'bytes'",
}


def joining() -> Registry:
    """An operator that joins the sources that are there, and one that needs all of them."""
    registry = Registry()

    @registry.operator("join@1", mode="regen", support="available")
    def join(context: Context) -> str:
        return " ".join(source.content for source in context.supports)

    @registry.operator("join@2", mode="regen", support="all")
    def join_all(context: Context) -> str:
        return join(context)

    return registry


def laid_down(mr: MemoRepair) -> None:
    """Two notes of a root and of what stays, and a note on each of the two."""
    mr.record("It rains in Oslo.", key="r")
    mr.record("It is mild in Rome.", key="stays")
    for key in ("odd", "even"):
        mr.derive("n", key=key, kind="summary", influenced_by=["r", "stays"], operator="join@1", value=2.0, cost=1.0)
        mr.derive("m", key=f"on/{key}", kind="summary", influenced_by=[key, "stays"], operator="join@2", cost=1.0)


@contextmanager
def broken(mr: MemoRepair, change: str, key: str = "odd") -> Iterator[None]:
    """Write a fault into the live version of a key; put back what was there when the block ends."""
    find = "MATCH (a:Artifact {space: $space, key: $key}) WHERE a:Visible OR a:Withdrawn"
    (row,) = rows(mr, f"{find} RETURN elementId(a) AS node, properties(a) AS kept", key=key)
    rows(mr, f"CYPHER 25 {find} {change}", key=key)
    yield
    kept = {name: value for name, value in row["kept"].items() if name not in ("held_by", "retired_at")}
    rows(
        mr,
        "MATCH (a) WHERE elementId(a) = $node WITH a, a.held_by AS held SET a = $kept SET a.held_by = held",
        node=row["node"],
        kept=kept,
    )


@pytest.mark.parametrize("fault", FAULTS)
def test_it_is_barred_with_a_reason_and_its_neighbours_come_back(memory: Callable[..., MemoRepair], fault: str) -> None:
    mr = memory(registry=joining())
    laid_down(mr)
    event = RepairEvent.correct({"r": "It snows in Oslo."})
    with broken(mr, FAULTS[fault]):
        shown = mr.preview(event)
        report = mr.repair(event, expect=shown.plan_id)
        assert report.status == "closed"
        assert report.outcomes == {
            "r": "replaced",
            "odd": "not_executable",
            "on/odd": "not_executable",
            "even": "published",
            "on/even": "published",
        }
        assert report.reasons["odd"].startswith("it has ") or report.reasons["odd"].startswith("it is live and lacks")
        assert "mend it, then retry" in report.reasons["odd"]
        assert "odd" in report.reasons["on/odd"]
        assert mr.status(event.id).reasons["odd"] == report.reasons["odd"]
        assert [v.key for v in mr.check().violations if v.check == "properties"] == ["odd"]
        assert mr.retry(event.id).outcomes["odd"] == "not_executable", "and again, as long as it is not mended"
    mended = mr.retry(event.id)
    assert (mended.outcomes["odd"], mended.outcomes["on/odd"]) == ("published", "published")


@pytest.mark.parametrize("fault", FAULTS)
def test_every_reader_names_it(memory: Callable[..., MemoRepair], fault: str) -> None:
    mr = memory(registry=joining())
    laid_down(mr)
    with broken(mr, FAULTS[fault]):
        artifact = mr.get("odd")
        assert artifact is not None
        assert artifact.faults
        assert json.loads(artifact.model_dump_json())["faults"] == list(artifact.faults)
        assert [version.faults for version in mr.versions("odd")] == [artifact.faults]
        assert mr.why("odd").faults == artifact.faults
        assert mr.why("on/odd").sources
        served = {hit.artifact.key: hit.artifact.faults for hit in mr.search("n m", k=10)}
        assert served["even"] == ()
        assert served.get("odd", artifact.faults) == artifact.faults
        assert [v.key for v in mr.check().violations if v.check == "properties"] == ["odd"]
        listed = {line.key for line in mr.keys().keys}
        assert {"even", "on/odd"} <= listed
        assert ("odd" in listed) is ("kind" not in fault), "a kind that there is not is none that was asked for"
        exported = {line["key"] for line in mr.export()}
        assert {"even", "on/odd"} <= exported
        even = mr.get("even")
        assert even is not None
        assert even.faults == ()


@pytest.mark.parametrize(
    "change", ["SET a.content = 42", "REMOVE a.content", "SET a.kind = 'essay'", "SET a.metadata = 5"]
)
def test_a_source_that_cannot_be_read_costs_what_needs_it_alone(memory: Callable[..., MemoRepair], change: str) -> None:
    mr = memory(registry=joining())
    mr.record("It rains.", key="r")
    mr.record("It is mild.", key="good")
    mr.record("It is windy.", key="bad")
    for key in ("good", "bad"):
        mr.derive("n", key=f"on/{key}", kind="summary", influenced_by=["r", key], operator="join@1")
    with broken(mr, change, "bad"):
        report = mr.repair(RepairEvent.correct({"r": "It snows."}))
        assert report.outcomes["on/good"] == "published"
        if "content" in change:
            assert report.outcomes["on/bad"] == "not_executable"
            assert report.reasons["on/bad"] == "its source bad has a content that is no text"
        else:
            assert report.outcomes["on/bad"] == "published", "what it says can be read"


@pytest.mark.parametrize("change", FAULTS)
def test_a_root_with_a_fault_can_be_deleted_and_erased(memory: Callable[..., MemoRepair], change: str) -> None:
    mr = memory(registry=joining())
    laid_down(mr)
    rows(mr, f"CYPHER 25 MATCH (a:Artifact {{space: $space, key: 'r'}}) {FAULTS[change]}")
    event = RepairEvent.delete(["r"])
    assert mr.preview(event).plan_id
    report = mr.repair(event)
    assert {key: report.outcomes[key] for key in ("r", "odd", "even")} == {
        "r": "removed",
        "odd": "published",
        "even": "published",
    }
    assert "r" in {entry["key"] for entry in mr.erase(event.id).erased}
    rows(mr, "MATCH (a:Artifact {space: $space, key: 'r'}) DETACH DELETE a")


@pytest.mark.parametrize("change", ["SET e.role = 5", "SET e.required = 'perhaps'", "SET e.required = 2"])
def test_an_edge_that_says_no_need_is_read_as_silent_and_named_by_the_check(
    memory: Callable[..., MemoRepair], change: str
) -> None:
    mr = memory(registry=joining())
    laid_down(mr)
    edge = "MATCH (:Artifact {space: $space, key: 'stays'})-[e:INFLUENCES]->(:Artifact {key: 'odd'})"
    rows(mr, f"{edge} {change}")
    assert [(v.check, v.key) for v in mr.check().violations] == [("edges", "odd")]
    report = mr.repair(RepairEvent.correct({"r": "It snows."}))
    assert (report.outcomes["odd"], report.outcomes["even"]) == ("published", "published")
    assert mr.why("odd").sources
    rows(mr, "MATCH (:Artifact {space: $space})-[e:INFLUENCED]->(:Artifact {key: 'odd'}) REMOVE e.role, e.required")


@pytest.mark.parametrize(
    "change", ["REMOVE a.id", "SET a.id = 5", "SET a.id = true", "SET a.key = true", "REMOVE a.key"]
)
def test_one_without_a_name_stays_withdrawn_and_stops_nobody(memory: Callable[..., MemoRepair], change: str) -> None:
    mr = memory(registry=joining())
    laid_down(mr)
    rows(mr, f"MATCH (a:Artifact {{space: $space, key: 'odd'}}) SET a.kept = 1 {change}")
    assert "has no id or no key" in {v.detail for v in mr.check().violations}
    report = mr.repair(RepairEvent.correct({"r": "It snows."}))
    assert (report.status, report.outcomes["even"]) == ("closed", "published")
    assert "odd" not in report.outcomes
    (state,) = rows(mr, "MATCH (a {space: $space, kept: 1}) RETURN labels(a) AS labels")
    assert "Withdrawn" in state["labels"]
    assert "has no id or no key" in {v.detail for v in mr.check().violations}
    rows(mr, "MATCH (a {space: $space}) WHERE a.kept IS NOT NULL DETACH DELETE a")


def test_a_search_that_compares_every_embedding_passes_over_words(memory: Callable[..., MemoRepair]) -> None:
    mr = memory()
    for key, embedding in (
        ("near", [1.0, 0.0, 0.0, 0.0]),
        ("far", [0.0, 1.0, 0.0, 0.0]),
        ("odd", [1.0, 1.0, 0.0, 0.0]),
    ):
        mr.record(f"text of {key}", key=key, embedding=embedding)
    request = SearchRequest("", (1.0, 0.0, 0.0, 0.0), 5)
    for words in ("['north', 'by', 'north', 'west']", "4", "'north'"):
        with broken(mr, f"SET a.embedding = {words}"):
            hits = mr.transactions.read(search.answer_by_scan, mr.space, request)
            assert [hit.artifact.key for hit in hits] == ["near", "far"]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_root_with_a_fault_can_be_corrected_or_the_refusal_says_why(
    memory: Callable[..., MemoRepair], fault: str
) -> None:
    mr = memory(registry=joining())
    laid_down(mr)
    rows(mr, f"CYPHER 25 MATCH (a:Artifact {{space: $space, key: 'r'}}) {FAULTS[fault]}")
    event = RepairEvent.correct({"r": "It snows in Oslo."})
    try:
        report = mr.repair(event)
    except (Refused, BadInput):
        assert mr.open_events() == (), "refused before anything was written"
        assert fault == "a tool that is a number", "it is migrated, as a contract is"
    else:
        assert (report.outcomes["odd"], report.outcomes["even"]) == ("published", "published")
    rows(mr, "MATCH (a:Artifact {space: $space, key: 'r'}) DETACH DELETE a")
