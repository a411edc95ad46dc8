"""A preview writes nothing, and a repair that expects it does that plan or refuses.

A dump of everything before and after; an operator's failure is the only difference allowed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memorepair_graphdb import RepairEvent
from memorepair_graphdb.errors import BadInput, NotFound, PlanChanged
from tests.harness import dump
from tests.harness.fake_operators import Embedder, Staff, word
from tests.harness.world_lines import contract

if TYPE_CHECKING:
    from neo4j import Driver


def laid_down(mr) -> None:
    """A record, a contract, a chain on both, and something beside."""
    mr.record(word("doc"), key="doc")
    mr.record(word("beside"), key="beside")
    mr.record(contract("weather", 1), key="tool", tool="weather")
    mr.derive(word("a"), key="a", kind="cache", influenced_by=["doc", "beside"], operator="recompute_some@1", cost=1)
    mr.derive(word("b"), key="b", kind="summary", influenced_by=["a", "tool"], operator="regen_some@1", cost=2)
    mr.derive(word("c"), key="c", kind="summary", influenced_by=["b"], operator="regen_all@1", cost=300)
    mr.derive(word("d"), key="d", kind="record", influenced_by=["doc"])
    mr.derive(word("e"), key="e", kind="summary", influenced_by=["beside"], operator="lost@1")


EVENTS = {
    "delete": lambda: RepairEvent.delete(["doc"]),
    "delete a derived one": lambda: RepairEvent.delete(["a", "beside"]),
    "correct": lambda: RepairEvent.correct({"doc": word("new doc"), "beside": word("new beside")}),
    "migrate": lambda: RepairEvent.migrate({"tool": {"name": "weather", "inputSchema": {"type": "object"}}}),
    "retire": lambda: RepairEvent.migrate({"tool": None}),
}


@pytest.mark.parametrize("name", EVENTS)
def test_a_preview_writes_nothing(memory, prepared: Driver, space: str, dimensions: int, name: str):
    staff = Staff()
    mr = memory(registry=staff.registry, embedder=Embedder(dimensions))
    laid_down(mr)
    before = dump.everything(prepared, space)
    first = mr.preview(EVENTS[name](), tradeoff="1")
    second = mr.preview(EVENTS[name](), tradeoff="1")
    assert dump.everything(prepared, space) == before
    assert first.plan_id == second.plan_id
    assert first.model_copy(update={"event": {}}) == second.model_copy(update={"event": {}})
    assert staff.calls == []


@pytest.mark.parametrize("name", EVENTS)
def test_a_repair_does_the_plan_that_it_expects(memory, dimensions: int, name: str):
    mr = memory(registry=Staff().registry, embedder=Embedder(dimensions))
    laid_down(mr)
    event = EVENTS[name]()
    shown = mr.preview(event, tradeoff="1")
    report = mr.repair(event, tradeoff="1", expect=shown.plan_id)
    published = {key for key, outcome in report.outcomes.items() if outcome == "published"}
    assert published == {candidate.key for candidate in shown.selected}
    assert set(report.outcomes) == set(shown.cascade)


def test_a_failing_operator_is_the_only_difference_to_the_plan(memory):
    staff = Staff()
    mr = memory(registry=staff.registry)
    laid_down(mr)
    event = RepairEvent.delete(["doc"])
    shown = mr.preview(event, tradeoff="0")
    assert {candidate.key for candidate in shown.selected} == {"a", "b", "c"}
    staff.moods["b"] = "raises"
    report = mr.repair(event, tradeoff="0", expect=shown.plan_id)
    assert report.outcomes == {
        "doc": "removed",
        "d": "removed",
        "a": "published",
        "b": "operator_failed",
        "c": "predecessor_missing",
    }


CHANGES = {
    "a derivation": lambda mr: mr.derive(
        word("f"), key="f", kind="summary", influenced_by=["c"], operator="regen_all@1"
    ),
    "a link": lambda mr: mr.link("doc", "e"),
    "another repair": lambda mr: mr.repair(RepairEvent.correct({"beside": word("corrected")})),
    "another withdrawal": lambda mr: mr.withdraw(RepairEvent.delete(["b"])),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_repair_refuses_and_writes_nothing_when_the_cascade_changed(
    memory, prepared: Driver, space: str, change: str
):
    mr = memory(registry=Staff().registry)
    laid_down(mr)
    event = RepairEvent.delete(["doc"])
    shown = mr.preview(event)
    CHANGES[change](mr)
    before = dump.everything(prepared, space)
    with pytest.raises(PlanChanged, match="nothing was written"):
        mr.repair(event, expect=shown.plan_id)
    assert dump.everything(prepared, space) == before
    with pytest.raises(NotFound):
        mr.status(event.id)


def test_a_change_beside_the_cascade_is_no_reason_to_refuse(memory):
    mr = memory(registry=Staff().registry)
    laid_down(mr)
    event = RepairEvent.delete(["doc"])
    shown = mr.preview(event)
    mr.record(word("more"), key="more")
    mr.derive(word("on beside"), key="on beside", kind="summary", influenced_by=["beside"], operator="regen_all@1")
    assert mr.repair(event, expect=shown.plan_id).status == "closed"


def test_a_repair_stops_behind_the_barrier_when_only_the_plan_differs(memory):
    mr = memory(registry=Staff().registry)
    laid_down(mr)
    event = RepairEvent.delete(["doc"])
    shown = mr.preview(event, tradeoff="0")
    with pytest.raises(PlanChanged, match=f"event {event.id} stays withdrawn"):
        mr.repair(event, tradeoff="1", expect=shown.plan_id)
    assert mr.status(event.id).status == "withdrawn"
    assert [mr.get(key) for key in "abcd"] == [None] * 4
    assert mr.repair(event, tradeoff="0", expect=shown.plan_id).counts == {"published": 3, "removed": 2}


def test_a_repair_stops_behind_the_barrier_when_an_operator_is_unknown_by_then(memory):
    full, fewer = Staff(), Staff(without=frozenset({"regen_all@1"}))
    mr = memory(registry=full.registry)
    laid_down(mr)
    event = RepairEvent.delete(["doc"])
    shown = mr.preview(event, tradeoff="0")
    with pytest.raises(PlanChanged, match="stays withdrawn"):
        memory(registry=fewer.registry).repair(event, tradeoff="0", expect=shown.plan_id)
    assert mr.status(event.id).status == "withdrawn"


def test_a_repair_refuses_when_somebody_planned_the_event_otherwise(memory):
    mr = memory(registry=Staff().registry)
    laid_down(mr)
    event = RepairEvent.delete(["doc"])
    shown = mr.preview(event, tradeoff="0")
    mr.withdraw(event, expect=shown.plan_id)

    def interrupt(step: str, done: int, of: int) -> None:
        if step == "execute":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memory(registry=Staff().registry, progress=interrupt).resume(event.id, tradeoff="1")
    with pytest.raises(PlanChanged, match="has its plan already"):
        mr.repair(event, tradeoff="0", expect=shown.plan_id)
    assert mr.status(event.id).status == "planned"
    mr.resume(event.id)
    with pytest.raises(PlanChanged, match="has its plan already"):
        mr.repair(event, tradeoff="0", expect=shown.plan_id)
    other = RepairEvent.delete(["tool"])
    again = mr.preview(other).plan_id
    first = mr.repair(other, expect=again)
    assert mr.repair(other, expect=again).outcomes == first.outcomes


def test_an_estimate_that_fails_costs_the_guess_and_not_the_repair(memory, caplog):
    def fails(context):
        raise ZeroDivisionError("no sources")

    staff = Staff()
    staff.registry.operator("guess@1", mode="regen", support="available", cost=fails)(lambda context: "guessed")
    mr = memory(registry=staff.registry)
    laid_down(mr)
    mr.derive(word("g"), key="g", kind="summary", influenced_by=["doc", "beside"], operator="guess@1")
    event = RepairEvent.delete(["doc"])
    shown = mr.preview(event, tradeoff="0")
    assert {one.key: one.cost for one in shown.candidates}["g"] == len(word("beside")) / 4
    assert "guess@1 cannot estimate g: ZeroDivisionError: no sources" in caplog.text
    assert mr.repair(event, tradeoff="0", expect=shown.plan_id).outcomes["g"] == "published"


async def later(context):
    return 3.0


def leaves(context):
    raise SystemExit(3)


@pytest.mark.parametrize(
    ("cost", "says"),
    [
        (lambda context: -1, "its estimate -1 is negative or not finite"),
        (lambda context: float("nan"), "its estimate nan is negative or not finite"),
        (lambda context: float("inf"), "its estimate inf is negative or not finite"),
        (lambda context: 10**400, "is too large"),
        (lambda context: "3", "its estimate '3' is no number, but str"),
        (lambda context: None, "its estimate None is no number, but NoneType"),
        (lambda context: True, "its estimate True is no number, but bool"),
        (lambda context: [3.0], "its estimate [3.0] is no number, but list"),
        (lambda context: {"characters": 3.0}["tokens"], "KeyError: 'tokens'"),
        (later, "is no number, but coroutine"),
        (leaves, "SystemExit: 3"),
    ],
)
def test_an_estimate_that_is_no_number_of_tokens_costs_the_guess_and_a_warning(memory, caplog, cost, says):
    staff = Staff()
    staff.registry.operator("guess@1", mode="regen", support="available", cost=cost)(lambda context: "guessed")
    mr = memory(registry=staff.registry)
    mr.record(word("doc"), key="doc")
    mr.record(word("kept"), key="kept")
    for key in ("g", "neighbour"):
        operator = "guess@1" if key == "g" else "regen_some@1"
        mr.derive(word(key), key=key, kind="summary", influenced_by=["doc", "kept"], operator=operator)
    event = RepairEvent.correct({"doc": word("corrected")})
    shown = mr.preview(event, tradeoff="0")
    assert {one.key: one.cost for one in shown.candidates}["g"] == (len(word("doc")) + len(word("kept"))) / 4
    (warning,) = {record.getMessage() for record in caplog.records if record.levelname == "WARNING"}
    assert warning.startswith("guess@1 cannot estimate g: ")
    assert says in warning
    report = mr.repair(event, tradeoff="0", expect=shown.plan_id)
    assert (report.status, report.outcomes["g"], report.outcomes["neighbour"]) == ("closed", "published", "published")


def test_an_estimate_beyond_all_measure_is_a_number_still(memory):
    staff = Staff()
    staff.registry.operator("guess@1", mode="regen", support="available", cost=lambda context: 1.7e308)(
        lambda context: "guessed"
    )
    mr = memory(registry=staff.registry)
    mr.record(word("doc"), key="doc")
    mr.record(word("kept"), key="kept")
    for key in ("g", "h"):
        mr.derive(word(key), key=key, kind="summary", influenced_by=["doc", "kept"], operator="guess@1")
    plan = mr.preview(RepairEvent.delete(["doc"]), tradeoff="0")
    assert plan.cost == 2e15
    assert mr.repair(RepairEvent.delete(["doc"]), tradeoff="0").outcomes["g"] == "published"


@pytest.mark.parametrize("tradeoff", ["-1", "nan", "inf", "a lot", True, float("nan"), -0.5])
def test_a_tradeoff_that_is_none_is_refused_before_anything_is_withdrawn(
    memory, prepared: Driver, space: str, tradeoff
):
    mr = memory(registry=Staff().registry)
    laid_down(mr)
    event = RepairEvent.delete(["doc"])
    closed = mr.repair(RepairEvent.delete(["d"]))
    opened = mr.withdraw(RepairEvent.delete(["e"]))
    before = dump.everything(prepared, space)
    with pytest.raises(BadInput, match="tradeoff"):
        mr.preview(event, tradeoff=tradeoff)
    with pytest.raises(BadInput, match="tradeoff"):
        mr.repair(event, tradeoff=tradeoff)
    with pytest.raises(BadInput, match="tradeoff"):
        mr.resume(opened.event_id, tradeoff=tradeoff)
    with pytest.raises(BadInput, match="tradeoff"):
        mr.retry(closed.event_id, tradeoff=tradeoff)
    assert dump.everything(prepared, space) == before


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (RepairEvent.delete(["nobody"]), "nobody"),
        (RepairEvent.correct({"tool": "x"}), "tool is a tool contract: migrate it"),
        (RepairEvent.migrate({"doc": None}), "doc is no tool contract: correct it"),
    ],
)
def test_a_preview_refuses_what_a_repair_would_refuse(memory, prepared: Driver, space: str, event, said: str):
    mr = memory(registry=Staff().registry)
    laid_down(mr)
    before = dump.everything(prepared, space)
    for do in (mr.preview, mr.withdraw, mr.repair):
        with pytest.raises((NotFound, BadInput), match=said):
            do(event)
    assert dump.everything(prepared, space) == before
