"""What `record` puts into service, and each of its refusals.

A refusal names the key and the way out, and writes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from neo4j import Driver

from memorepair_graphdb import MemoRepair, RepairEvent
from memorepair_graphdb.errors import BadInput, KeyTaken, NotFound, Tombstoned
from memorepair_graphdb.model.artifact import Kind, State
from tests.harness.graph_state import refused, rows

CONTRACT = {"name": "weather", "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}}}


def test_a_record_comes_back_as_it_was_given(mr: MemoRepair, dimensions: int) -> None:
    vector = [0.25] * dimensions
    made = mr.record("line\r\nline\t\0", key="a/b c", value=2, cost=1e308, metadata={"z": [1, None]}, embedding=vector)
    read = mr.get("a/b c")
    assert read == made
    assert (made.key, made.space, made.version, made.kind, made.arch) == ("a/b c", mr.space, 1, Kind.RECORD, None)
    assert (made.content, made.state, made.value, made.cost) == ("line\r\nline\t\0", State.VISIBLE, 2.0, 1e308)
    assert (made.metadata, made.embedding, made.held_by) == ({"z": [1, None]}, tuple(vector), 0)
    assert made.published_at is not None
    assert abs(made.created_at - datetime.now(UTC)) < timedelta(minutes=5)


def test_json_is_stored_in_one_form_whatever_its_order(mr: MemoRepair) -> None:
    one = mr.record({"b": 1, "a": "ü"}, key="k")
    assert one.content == '{"a":"ü","b":1}'
    assert mr.record({"a": "ü", "b": 1}, key="k") == one


def test_saying_the_same_again_returns_the_live_version(mr: MemoRepair) -> None:
    first = mr.record("said", key="k")
    assert mr.record("said", key="k", value=5) == first
    assert len(mr.versions("k")) == 1


def test_a_withdrawn_record_said_again_comes_back_with_its_state(mr: MemoRepair) -> None:
    mr.record("base", key="base")
    mr.record("said", key="k")
    mr.link("base", "k")
    mr.withdraw(RepairEvent.delete("base"))
    with refused(mr, KeyTaken, "k", "still open", "resume"):
        mr.record("said", key="k")  # it has a source by now, so it is not the same any more


def test_a_key_in_service_is_taken_and_correct_is_the_way(mr: MemoRepair) -> None:
    live = mr.record("one", key="k")
    with refused(mr, KeyTaken, "key k", live.id, "use correct to change it"):
        mr.record("two", key="k")


def test_a_contract_in_service_is_taken_and_migrate_is_the_way(mr: MemoRepair) -> None:
    mr.record(CONTRACT, key="doc/weather", tool="weather")
    with refused(mr, KeyTaken, "doc/weather", "use migrate to change it"):
        mr.record({**CONTRACT, "description": "new"}, key="doc/weather", tool="weather")


def test_a_tool_has_one_contract_in_force(mr: MemoRepair) -> None:
    mr.record(CONTRACT, key="doc/weather", tool="weather")
    with refused(mr, KeyTaken, "tool weather", "doc/weather", "migrate"):
        mr.record(CONTRACT, key="doc/other", tool="weather")


def test_another_space_may_have_the_same_key_and_tool(opened: Callable[..., MemoRepair]) -> None:
    for memory in (opened(), opened("_beside")):
        memory.record(CONTRACT, key="doc/weather", tool="weather")
        made = memory.get("doc/weather")
        assert made is not None
        assert (made.space, made.tool) == (memory.space, "weather")


def test_a_key_that_an_open_event_holds_is_taken_until_it_is_finished(mr: MemoRepair) -> None:
    mr.record("root", key="root")
    mr.derive("child", key="child", kind="summary", influenced_by=["root"], operator="digest@1")
    event = RepairEvent.delete("root")
    mr.withdraw(event)
    with refused(mr, KeyTaken, "key child", event.id, "finish it first (resume)"):
        mr.record("another", key="child")
    mr.resume(event.id)
    assert mr.record("another", key="child").version == 2


def test_what_a_closed_event_left_withdrawn_is_retired_by_the_new_version(mr: MemoRepair) -> None:
    mr.record("root", key="root")
    mr.record("other", key="other")
    sources = ["root", "other"]
    mr.derive("child", key="child", kind="summary", influenced_by=sources, operator="nobody@1")
    mr.repair(RepairEvent.correct({"root": "mended"}, id="e"))
    assert mr.versions("child")[0].state is State.WITHDRAWN
    made = mr.record("by hand", key="child")
    assert [(v.version, v.state) for v in mr.versions("child")] == [(2, State.VISIBLE), (1, State.RETIRED)]
    assert mr.status("e").outcomes["child"] == "not_executable", "the old outcome is kept"
    assert made.version == 2
    edges = rows(mr, "MATCH (:Artifact {space: $space})-[r]->(a:Artifact {key: 'child'}) RETURN type(r) AS type")
    assert sorted(edge["type"] for edge in edges) == ["INFLUENCED", "INFLUENCED", "SUPERSEDES"]


@pytest.mark.parametrize("key", ["secret", "another/key"])
def test_what_was_erased_stays_away_under_any_key(mr: MemoRepair, key: str) -> None:
    secret = "the secret of Ann Kowalczyk is flat 12 in Elm Road"
    gone = mr.record(secret, key="secret")
    event = RepairEvent.delete("secret")
    mr.repair(event)
    mr.erase(event.id)
    with refused(mr, Tombstoned, "erased", gone.id, "does not come back"):
        mr.record(secret, key=key)
    assert mr.record("something else", key=key).content == "something else"


def test_a_deleted_record_may_be_recorded_anew_until_it_is_erased(mr: MemoRepair) -> None:
    mr.record("text", key="k")
    mr.repair(RepairEvent.delete("k"))
    again = mr.record("text", key="k")
    assert (again.version, again.state) == (2, State.VISIBLE)


def test_a_space_that_was_never_set_up_reads_as_empty_and_is_set_up_by_the_first_record(
    driver: Driver, mr: MemoRepair
) -> None:
    beside = MemoRepair(driver, space=mr.space + "_beside")
    assert (beside.get("k"), beside.search("x"), beside.check().violations) == (None, (), ())
    with refused(beside, NotFound, beside.space, "setup"):
        beside.withdraw(RepairEvent.delete("k"))
    beside.record("x", key="k")
    assert [hit.artifact.key for hit in beside.search("x")] == ["k"]
    assert beside.check().violations == ()


@pytest.mark.parametrize(
    ("tool", "content", "said"),
    [
        ("t", "no JSON", "not JSON"),
        ("t", {"name": "t"}, "inputSchema"),
        ("t", {"name": "t", "inputSchema": {"type": 5}}, "no JSON Schema"),
        ("t", json.loads('{"a":' * 201 + "1" + "}" * 201), "nested"),
        ("", CONTRACT, "empty"),
        ("a\nb", CONTRACT, "control character"),
        (5, CONTRACT, "string"),
    ],
)
def test_what_is_no_contract_is_no_tools(mr: MemoRepair, tool: str, content: object, said: str) -> None:
    with refused(mr, BadInput, said):
        mr.record(content, key="doc", tool=tool)


@pytest.mark.parametrize("about", [{"blob": b"x"}, {"operator": "digest@1"}, {"arch": "chain"}, {"colour": "red"}])
def test_what_a_record_cannot_have_is_not_swallowed(mr: MemoRepair, about: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=f"unexpected keyword argument '{next(iter(about))}'"):
        mr.record("x", key="k", **about)
    assert mr.versions("k") == ()


def test_plain_cypher_that_leaves_something_out_gets_a_refused_row(mr: MemoRepair) -> None:
    from memorepair_graphdb.store.queries import query

    for draft in ({}, {"key": "k"}, {"key": "k", "content": "x"}):
        (row,) = rows(mr, query("artifact/record").text, draft=draft)
        assert (row["status"], row["rule"], row["id"]) == ("refused", "bad_input", None)
    (row,) = rows(mr, query("artifact/record").text, draft={"key": "k", "content": "x", "content_hash": "h"})
    assert row["status"] == "done"
    assert row["id"]
