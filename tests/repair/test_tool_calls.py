"""Caches that come from real calls: replayed under the contract of the event, or removed where a call acts twice.

The tools count how often they were called.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from memorepair_graphdb import Context, Registry, RepairEvent
from memorepair_graphdb.operators.builtin.tool_call import register
from tests.harness.graph_state import rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from memorepair_graphdb import MemoRepair

READS = {"readOnlyHint": True}
PAYS = {"readOnlyHint": False, "idempotentHint": False}


def contract(tool: str, hints: dict[str, Any], *required: str) -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": {"who": {"type": "string"}, "day": {"type": "string"}},
        "required": list(required),
    }
    return {"name": tool, "inputSchema": schema, "outputSchema": {"type": "object"}, "annotations": hints}


class Office:
    """A registry whose tools count their calls, and an operator that joins lines."""

    def __init__(self) -> None:
        self.called: Counter[str] = Counter()
        self.balance = 10
        self.registry = Registry()
        register(self.registry)
        self.registry.runner(self.run)
        self.registry.operator("lines@1", mode="regen", support="available")(self.lines)
        self.registry.operator("strict@1", mode="regen", support="all")(self.lines)

    def run(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        self.called[tool] += 1
        return {"tool": tool, "who": arguments["who"], "balance": self.balance}

    def lines(self, context: Context) -> str:
        return "\n".join(source.content for source in context.supports)


@pytest.fixture
def office() -> Office:
    return Office()


def laid_down(mr: MemoRepair, **hints: dict[str, Any]) -> None:
    mr.record("They ask what is owed, and to pay it.", key="ask")
    for tool in ("look", "pay"):
        doc = mr.record(contract(tool, hints[tool], "who"), key=f"doc/{tool}", tool=tool)
        mr.derive(
            {"old": tool},
            key=f"cache/{tool}",
            kind="cache",
            influenced_by=[doc, "ask"],
            operator="replay@2",
            recipe={"tool": tool, "arguments": {"who": "Ann"}},
        )
    caches = ["cache/look", "cache/pay"]
    mr.derive("both", key="sum/loose", kind="summary", influenced_by=caches, operator="lines@1")
    mr.derive("both", key="sum/strict", kind="summary", influenced_by=caches, operator="strict@1")


def told(report: Any, key: str) -> tuple[str, str]:
    return report.outcomes[key], report.reasons.get(key, "")


def test_what_a_call_would_do_twice_is_removed_with_that_reason_and_what_can_do_without_it_comes_back(
    memory: Callable[..., MemoRepair], office: Office
) -> None:
    mr = memory(registry=office.registry)
    laid_down(mr, look=READS, pay=PAYS)
    event = RepairEvent.correct({"ask": "They ask what is due, and to pay that."})
    plan = mr.preview(event, tradeoff=0)
    why = "a call of pay is not repeated: its contract says idempotentHint false"
    assert {gone.key: gone.reason for gone in plan.removed} == {"cache/pay": why}
    report = mr.repair(event, tradeoff=0, expect=plan.plan_id)
    assert told(report, "cache/pay") == ("removed", why)
    assert told(report, "sum/strict") == ("not_executable", f"needs cache/pay, which is removed: {why}")
    assert report.outcomes["cache/look"] == report.outcomes["sum/loose"] == "published"
    assert office.called == {"look": 2}
    found = mr.get("sum/loose")
    assert found is not None
    assert found.content == '{"balance":10,"tool":"look","who":"Ann"}'
    assert mr.get("cache/pay") is None


@pytest.mark.parametrize(("before", "after", "removed"), [(READS, PAYS, True), (PAYS, READS, False)])
def test_a_migration_is_judged_by_the_contract_that_it_brings_before_the_barrier_and_behind_it(
    memory: Callable[..., MemoRepair], office: Office, before: Any, after: Any, removed: bool
) -> None:
    mr = memory(registry=office.registry)
    laid_down(mr, look=READS, pay=before)
    event = RepairEvent.migrate({"doc/pay": contract("pay", after, "who")})
    plan = mr.preview(event, tradeoff=0)
    report = mr.repair(event, tradeoff=0, expect=plan.plan_id)
    assert [gone.key for gone in plan.removed] == (["cache/pay"] if removed else [])
    assert report.outcomes["cache/pay"] == ("removed" if removed else "published")
    assert office.called == ({} if removed else {"pay": 2})


def test_a_call_that_the_new_contract_does_not_take_is_not_made(
    memory: Callable[..., MemoRepair], office: Office
) -> None:
    mr = memory(registry=office.registry)
    laid_down(mr, look=READS, pay=PAYS)
    report = mr.repair(RepairEvent.migrate({"doc/look": contract("look", READS, "who", "day")}), tradeoff=0)
    outcome, reason = told(report, "cache/look")
    assert outcome == "operator_failed"
    assert reason.startswith("arguments: the contract of look does not take the recorded call")
    assert not office.called


def test_a_retired_tool_takes_its_caches_along(memory: Callable[..., MemoRepair], office: Office) -> None:
    mr = memory(registry=office.registry)
    laid_down(mr, look=READS, pay=PAYS)
    report = mr.repair(RepairEvent.migrate({"doc/look": None, "doc/pay": None}), tradeoff=0)
    assert told(report, "cache/look") == ("removed", "its source doc/look was retired")
    assert told(report, "cache/pay") == ("removed", "its source doc/pay was retired")


def test_a_recipe_that_cannot_be_read_fails_when_it_is_run_and_stops_nothing_else(
    memory: Callable[..., MemoRepair], office: Office
) -> None:
    mr = memory(registry=office.registry)
    laid_down(mr, look=READS, pay=READS)
    doc = mr.get("doc/look")
    assert doc is not None
    mr.derive("{}", key="cache/odd", kind="cache", influenced_by=[doc], operator="replay@2", recipe={"tool": "look"})
    rows(mr, "MATCH (a:Artifact {space: $space, key: 'cache/odd'}) SET a.recipe = '[\"look\"]'")
    report = mr.repair(RepairEvent.migrate({"doc/look": contract("look", READS)}), tradeoff=0)
    assert told(report, "cache/odd")[0] == "operator_failed"
    assert report.outcomes["cache/look"] == "published"


def test_what_the_world_says_comes_back_and_a_deleted_name_does_not(memory: Callable[..., MemoRepair]) -> None:
    """Delete "… Blindern in Norway, I mean Oslo?", keep "Weather in Oslo please."; one tool says "Norway"."""
    answers = {"weather": {"country": "Norway", "temp": 3}, "crm": {"customer": "Kowalczyk"}}
    registry = Registry()
    register(registry)
    registry.runner(lambda tool, arguments: answers[tool], reads=True)
    mr = memory(registry=registry)
    mr.record("Ann Kowalczyk: how warm is it at Blindern in Norway, I mean Oslo?", key="ask/1")
    mr.record("Weather in Oslo please.", key="ask/2")
    for tool in answers:
        doc = mr.record({"name": tool, "inputSchema": {"properties": {"q": {}}}}, key=f"doc/{tool}", tool=tool)
        recipe = {"tool": tool, "arguments": {"q": "Oslo"}}
        sources: list[Any] = [doc, {"key": "ask/1", "required": "any"}, {"key": "ask/2", "required": "any"}]
        mr.derive({}, key=f"cache/{tool}", kind="cache", influenced_by=sources, operator="replay@2", recipe=recipe)
    report = mr.repair(RepairEvent.delete("ask/1"), tradeoff=0)
    assert report.outcomes["cache/weather"] == "published", report.reasons
    assert told(report, "cache/crm") == ("rejected", "residue: the name 'Kowalczyk' is from a retracted text")


def test_after_a_correction_only_the_corrected_values_are_held_against_an_answer(
    memory: Callable[..., MemoRepair],
) -> None:
    answers = {"road": {"where": "Elm Road"}, "town": {"where": "Bergen"}}
    registry = Registry()
    register(registry)
    registry.runner(lambda tool, arguments: answers[tool], reads=True)
    mr = memory(registry=registry)
    mr.record("The office is at Elm Road in Bergen.", key="office")
    for tool in answers:
        doc = mr.record({"name": tool, "inputSchema": {"properties": {"q": {}}}}, key=f"doc/{tool}", tool=tool)
        recipe = {"tool": tool, "arguments": {"q": "where"}}
        # The corrected text is no source of the call itself: it stands behind what the call was made for.
        mr.derive("a question", key=f"ask/{tool}", kind="summary", influenced_by=["office"], operator="ask@1")
        sources: list[Any] = [doc, {"key": f"ask/{tool}"}]
        mr.derive({}, key=f"cache/{tool}", kind="cache", influenced_by=sources, operator="replay@2", recipe=recipe)
    registry.operator("ask@1", mode="regen")(lambda context: "a question")
    report = mr.repair(RepairEvent.correct({"office": "The office is at Elm Road in Oslo."}), tradeoff=0)
    assert report.outcomes["cache/road"] == "published", report.reasons
    assert told(report, "cache/town") == ("rejected", "residue: the name 'Bergen' is from a retracted text")


def test_a_tool_of_which_nothing_says_that_it_reads_is_removed_at_planning(memory: Callable[..., MemoRepair]) -> None:
    called: list[str] = []
    registry = Registry()
    register(registry)
    registry.runner(lambda tool, arguments: called.append(tool))
    mr = memory(registry=registry)
    mr.record("Merge dev, please.", key="ask")
    contract = {"name": "merge_branch", "inputSchema": {}, "annotations": {"title": "Merge a branch"}}
    doc = mr.record(contract, key="doc/merge", tool="merge_branch")
    mr.derive(
        "merged",
        key="cache/merge",
        kind="cache",
        influenced_by=[doc, {"key": "ask", "required": False}],
        operator="replay@2",
        recipe={"tool": "merge_branch"},
    )
    event = RepairEvent.delete("ask")
    plan = mr.preview(event, tradeoff=0)
    why = next(gone.reason for gone in plan.removed if gone.key == "cache/merge")
    assert why.startswith("a call of merge_branch is not repeated: nothing says that it only reads")
    report = mr.repair(event, tradeoff=0, expect=plan.plan_id)
    assert told(report, "cache/merge") == ("removed", why)
    assert not called
