"""A tool that is renamed: what rests on the old name follows `x-replaces`, and no contract takes another's name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from memorepair_graphdb import Registry, RepairEvent
from memorepair_graphdb.errors import BadInput, KeyTaken
from memorepair_graphdb.operators.builtin.chain.operator import register as register_chain
from memorepair_graphdb.operators.builtin.note import note_2
from memorepair_graphdb.operators.builtin.tool_call import register as register_calls
from tests.harness.graph_state import rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from memorepair_graphdb import MemoRepair

CHAIN = "def chain(place):\n    return weather(city=place)\n"
MOVED = "def chain(place):\n    return forecast(city=place)\n"


def contract(name: str, **more: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    return {"name": name, "description": f"{name} of a city.", "inputSchema": schema, **more}


@pytest.fixture
def mr(memory: Callable[..., MemoRepair]) -> MemoRepair:
    """A chain and a note that rest on one tool alone."""
    registry = Registry()
    register_chain(registry)
    note_2.register(registry)
    held = memory(registry=registry)
    held.record(contract("weather"), key="doc/weather", tool="weather")
    held.derive(
        CHAIN,
        key="chain",
        kind="skill",
        arch="chain",
        influenced_by=["doc/weather"],
        operator="chain@1",
        recipe={"contracts": {"weather": contract("weather")}},
    )
    held.derive(
        "about weather",
        key="note",
        kind="skill",
        arch="prompt",
        influenced_by=["doc/weather"],
        operator="note@2",
        recipe={"tool": "weather"},
    )
    return held


def test_a_cache_of_a_retired_tool_is_the_answer_of_the_one_that_replaces_it(memory: Callable[..., MemoRepair]) -> None:
    registry, called = Registry(), []

    @registry.tool("forecast", reads=True)
    def forecast(city: str) -> dict[str, str]:
        called.append(city)
        return {"sky": f"blue over {city}"}

    register_calls(registry)
    mr = memory(registry=registry)
    mr.record(contract("weather"), key="doc/weather", tool="weather")
    mr.record(contract("forecast", **{"x-replaces": "weather"}), key="doc/forecast", tool="forecast")
    mr.derive(
        {"sky": "grey"},
        key="cache",
        kind="cache",
        influenced_by=["doc/weather"],
        operator="replay@2",
        recipe={"tool": "weather", "arguments": {"city": "Oslo"}},
    )
    report = mr.repair(RepairEvent.migrate({"doc/weather": None}))
    assert report.outcomes["cache"] == "published", report.reasons
    assert text(mr, "cache") == '{"sky":"blue over Oslo"}'
    assert set(called) == {"Oslo"}
    assert sources_of(mr, "cache") == ["doc/forecast"]


def text(mr: MemoRepair, key: str) -> str:
    artifact = mr.get(key)
    assert artifact is not None
    return str(artifact.content)


def sources_of(mr: MemoRepair, key: str) -> list[str]:
    found = rows(mr, "MATCH (s)-[:INFLUENCES]->(a:Visible {space: $space, key: $key}) RETURN s.key AS key", key=key)
    return sorted(row["key"] for row in found)


def assert_followed(mr: MemoRepair, event: RepairEvent) -> None:
    """Both come back in the words of the new tool, by the plan that the preview showed."""
    planned = mr.preview(event)
    report = mr.repair(event, expect=planned.plan_id)
    assert report.outcomes["chain"] == report.outcomes["note"] == "published", report.reasons
    assert text(mr, "chain") == MOVED
    assert "`forecast`" in text(mr, "note")
    assert "`weather`" not in text(mr, "note")
    assert mr.check().violations == ()


def test_what_rests_on_a_retired_tool_alone_follows_the_one_in_force_that_replaces_it(mr: MemoRepair) -> None:
    mr.record(contract("forecast", **{"x-replaces": "weather"}), key="doc/forecast", tool="forecast")
    assert_followed(mr, RepairEvent.migrate({"doc/weather": None}))
    assert sources_of(mr, "chain") == sources_of(mr, "note") == ["doc/forecast"]


def test_the_successor_may_come_in_the_same_event(mr: MemoRepair) -> None:
    mr.record(contract("forecast"), key="doc/forecast", tool="forecast")
    taken_over = contract("forecast", **{"x-replaces": ["rain", "weather"]})
    assert_followed(mr, RepairEvent.migrate({"doc/weather": None, "doc/forecast": taken_over}))
    assert sources_of(mr, "chain") == ["doc/forecast"]


@pytest.mark.parametrize("claims", [(), ("forecast", "outlook")])
def test_a_retired_tool_that_none_or_two_replace_takes_with_it_what_rests_on_it(
    mr: MemoRepair, claims: tuple[str, ...]
) -> None:
    for name in claims:
        mr.record(contract(name, **{"x-replaces": "weather"}), key=f"doc/{name}", tool=name)
    report = mr.repair(RepairEvent.migrate({"doc/weather": None}))
    assert report.outcomes == {"doc/weather": "removed", "chain": "removed", "note": "removed"}
    assert report.reasons["chain"] == "all its sources are gone: doc/weather"


def test_a_successor_that_is_retired_with_it_takes_no_place(mr: MemoRepair) -> None:
    mr.record(contract("forecast", **{"x-replaces": "weather"}), key="doc/forecast", tool="forecast")
    event = RepairEvent.migrate({"doc/weather": None, "doc/forecast": None})
    planned = mr.preview(event)
    report = mr.repair(event, expect=planned.plan_id)
    assert report.outcomes["chain"] == report.outcomes["note"] == "removed"


def test_a_tool_that_is_renamed_inside_its_contract_is_refused_with_the_way_out(mr: MemoRepair) -> None:
    way_out = r'calls itself forecast: retire it, and record the new one with "x-replaces": "weather"'
    event = RepairEvent.migrate({"doc/weather": contract("forecast")})
    with pytest.raises(BadInput, match=way_out):
        mr.preview(event)
    with pytest.raises(BadInput, match=way_out):
        mr.repair(event)
    weather = mr.get("doc/weather")
    assert weather is not None
    assert weather.version == 1
    assert text(mr, "chain") == CHAIN


def test_a_contract_that_takes_another_tools_name_is_refused_at_every_door(mr: MemoRepair) -> None:
    mr.record(contract("rain"), key="doc/rain", tool="rain")
    with pytest.raises(BadInput, match="contract of sun: it calls itself 'rain'"):
        mr.record(contract("rain"), key="doc/sun", tool="sun")
    with pytest.raises(BadInput, match="contract of sun: it calls itself 'rain'"):
        mr.load([{"key": "doc/sun", "kind": "record", "content": contract("rain"), "tool": "sun"}])
    with pytest.raises(BadInput, match="calls itself weather"):
        mr.repair(RepairEvent.migrate({"doc/rain": contract("weather")}))
    with pytest.raises(KeyTaken, match="tool rain has a contract in force under key doc/rain"):
        mr.record(contract("rain"), key="doc/other", tool="rain")
    assert mr.get("doc/sun") is None


def test_a_parameter_that_is_described_in_other_words_is_said_in_the_report(mr: MemoRepair) -> None:
    new = contract("weather")
    new["inputSchema"]["properties"]["city"]["description"] = "Name of a town, in its own language."
    report = mr.repair(RepairEvent.migrate({"doc/weather": new}))
    assert report.outcomes["chain"] == "published", report.reasons
    assert report.reasons["chain"].endswith("; described in other words now: weather.city")
