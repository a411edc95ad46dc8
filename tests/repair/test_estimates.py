"""What a repair is expected to cost: by its operator's estimate, times what past repairs of the space taught."""

from __future__ import annotations

import itertools
import statistics
from typing import TYPE_CHECKING, Any

import pytest

from memorepair_graphdb import Context, Payload, Registry, RepairEvent
from memorepair_graphdb.operators.protocol.context import SourceChange
from memorepair_graphdb.repair.planning.estimates import weigh_median
from tests.harness.graph_state import rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from memorepair_graphdb import MemoRepair


def test_a_recipe_that_an_estimate_cannot_read_stops_nobody_elses_repair(memory: Callable[..., MemoRepair]) -> None:
    mr = memory()
    mr.record("It rains in Oslo. It is mild.", key="a")
    mr.record("It snows in Rome. It is cold.", key="b")
    for key, recipe in (("odd", {}), ("even", {"sentences": 2})):
        mr.derive("n", key=key, kind="summary", influenced_by=["a", "b"], operator="summary@1", recipe=recipe)
    rows(mr, "MATCH (a:Artifact {space: $space, key: 'odd'}) SET a.recipe = '[\"no\", \"object\"]'")
    report = mr.repair(RepairEvent.delete(["a"]))
    assert report.status == "closed"
    assert report.outcomes == {"a": "removed", "odd": "operator_failed", "even": "published"}


def wasteful() -> Registry:
    """An operator that spends three times what it estimates, and one that spends what it says."""
    registry = Registry()

    @registry.operator("dear@1", mode="regen", support="available", cost=lambda context: 10.0 * len(context.supports))
    def dear(context: Context) -> Payload:
        return Payload(" ".join(source.content for source in context.supports), spent=30.0 * len(context.supports))

    @registry.operator("true@1", mode="regen", support="available", cost=lambda context: 7.0)
    def true(context: Context) -> Payload:
        return Payload(" ".join(source.content for source in context.supports), spent=7.0)

    return registry


def laid_down(mr: MemoRepair, count: int, **about: Any) -> None:
    """A root `r`, and `count` summaries of it and of what stays, by each operator."""
    mr.record("It rains.", key="r")
    mr.record("It is mild.", key="stays")
    for n in range(count):
        for operator in ("dear@1", "true@1"):
            mr.derive(
                "n", key=f"{operator}/{n}", kind="summary", influenced_by=["r", "stays"], operator=operator, **about
            )


def costs(mr: MemoRepair, root: str = "r") -> tuple[dict[str, float], set[float], set[float]]:
    """The factors of a plan, and the costs of the candidates of each operator."""
    plan = mr.preview(RepairEvent.correct({root: "It thunders."}))
    found = {name: {c.cost for c in plan.candidates if c.operator == name} for name in ("dear@1", "true@1")}
    return plan.factors, found["dear@1"], found["true@1"]


def test_what_repairs_did_cost_corrects_the_next_estimates(memory: Callable[..., MemoRepair]) -> None:
    mr = memory(registry=wasteful())
    laid_down(mr, 10)
    assert costs(mr) == ({}, {20.0}, {7.0})
    mr.repair(RepairEvent.correct({"r": "It snows."}), tradeoff="0")
    assert costs(mr) == ({"dear@1": 3.0}, {60.0}, {7.0})
    mr.repair(RepairEvent.correct({"r": "It hails."}), tradeoff="0")
    assert costs(mr) == ({"dear@1": 3.0}, {60.0}, {7.0}), "a corrected estimate is not corrected again"


def test_an_estimate_knows_which_sources_changed_and_no_text(memory: Callable[..., MemoRepair]) -> None:
    seen: list[Context] = []
    registry = Registry()

    def cost(context: Context) -> float:
        seen.extend([context] if context.key == "n" and context.change is not None else [])
        return 1.0

    @registry.operator("learns@1", mode="param", support="available", cost=cost)
    def learns(context: Context) -> Payload:
        return Payload("weights", blob=b"w")

    mr = memory(registry=registry)
    for key in ("r", "s", "stays"):
        mr.record(f"text of {key}", key=key)
    mr.derive("d", key="d", kind="summary", influenced_by=["s"], operator="learns@1")
    skill = {"kind": "skill", "arch": "neural", "operator": "learns@1"}
    sources = [{"key": "r", "role": "row"}, {"key": "stays", "role": "row"}, {"key": "d", "role": "told"}]
    mr.load([{"key": "n", "content": "weights", "influenced_by": sources, **skill}])
    mr.preview(RepairEvent.delete(["r"]))
    assert seen[0].change == SourceChange(frozenset({("r", "row")}), blob=False)
    assert [(one.key, one.content) for one in seen[0].supports] == [("d", ""), ("stays", "")]
    assert mr.repair(RepairEvent.delete(["r"])).outcomes["n"] == "published"
    assert seen[1:] == seen[:1], "behind the barrier as before it"
    seen.clear()
    mr.preview(RepairEvent.correct({"s": "another"}))
    assert seen[0].change == SourceChange(frozenset({("d", "told")}), blob=True)
    mr.repair(RepairEvent.correct({"s": "another"}))
    assert seen[1:] == seen[:1]


def test_a_few_repairs_teach_nothing_yet(memory: Callable[..., MemoRepair]) -> None:
    mr = memory(registry=wasteful())
    laid_down(mr, 4)
    mr.repair(RepairEvent.correct({"r": "It snows."}), tradeoff="0")
    mr.repair(RepairEvent.correct({"r": "It hails."}), tradeoff="0")
    assert costs(mr)[0] == {}
    mr.repair(RepairEvent.correct({"r": "It pours."}), tradeoff="0")
    assert costs(mr)[0] == {"dear@1": 3.0}, "twelve in three events are enough"


def test_a_cost_that_the_caller_gave_is_neither_corrected_nor_learned_from(memory: Callable[..., MemoRepair]) -> None:
    mr = memory(registry=wasteful())
    laid_down(mr, 12, cost=5.0)
    mr.repair(RepairEvent.correct({"r": "It snows."}), tradeoff="0")
    assert costs(mr) == ({}, {5.0}, {5.0})


def test_another_spaces_repairs_teach_nothing(memory: Callable[..., MemoRepair]) -> None:
    mr = memory(registry=wasteful())
    laid_down(mr, 10)
    mr.repair(RepairEvent.correct({"r": "It snows."}), tradeoff="0")
    other = memory(beside="_b", registry=wasteful())
    laid_down(other, 2)
    assert costs(other)[0] == {}


def test_the_plan_that_was_shown_is_the_plan_that_is_done_with_factors_too(memory: Callable[..., MemoRepair]) -> None:
    mr = memory(registry=wasteful())
    laid_down(mr, 10)
    mr.repair(RepairEvent.correct({"r": "It snows."}), tradeoff="0")
    event = RepairEvent.correct({"r": "It hails."})
    shown = mr.preview(event, tradeoff="0")
    report = mr.repair(event, tradeoff="0", expect=shown.plan_id)
    assert report.status == "closed"
    assert report.spent == pytest.approx(shown.cost)


@pytest.mark.parametrize(
    ("weighed", "median"),
    [
        ([(3.0, 10)], 3.0),
        ([(1.0, 1), (2.0, 1), (9.0, 1)], 2.0),
        ([(9.0, 1), (1.0, 1), (4.0, 1), (25.0, 1)], 6.0),  # √(4 · 9)
        ([(1.0, 5), (4.0, 5)], 2.0),  # √(1 · 4)
        ([(1.0, 6), (4.0, 5)], 1.0),
        ([(0.0, 3), (7.0, 4)], 7.0),
        ([(2.0, 11), (1e12, 1)], 2.0),
    ],
)
def test_the_median_counts_each_ratio_by_its_weight(weighed: list[tuple[float, int]], median: float) -> None:
    assert weigh_median(weighed) == pytest.approx(median)
    written_out = [ratio for ratio, weight in weighed for _ in range(weight)]
    if len(written_out) % 2:
        assert weigh_median(weighed) == statistics.median(written_out)


def outliers(odd: float) -> Registry:
    """An operator that spends between 80 and 125 % of its estimate, and once, for `n/odd`, what it is told."""
    registry = Registry()
    honest = itertools.cycle([8.0, 10.0, 12.5])

    @registry.operator("dear@1", mode="regen", support="available", cost=lambda context: 10.0)
    def dear(context: Context) -> Payload:
        text = " ".join(source.content for source in context.supports)
        return Payload(text, spent=odd if context.key == "n/odd" else next(honest))

    return registry


@pytest.mark.parametrize("odd", [1e12, 2_000_000 / 4, 0.0])
@pytest.mark.parametrize("apart", [True, False])
def test_one_answer_moves_no_estimate_by_more_than_a_factor_of_two(
    memory: Callable[..., MemoRepair], odd: float, apart: bool
) -> None:
    """A reported count of 1e12, the tokens of an answer of 2 MB, and nothing at all; in an event of its own, or not."""
    mr = memory(registry=outliers(odd))
    mr.record("It rains.", key="r")
    mr.record("It rains there.", key="s")
    mr.record("It is mild.", key="stays")
    for n in [*range(11), "odd"]:
        root = "s" if apart and n == "odd" else "r"
        mr.derive("n", key=f"n/{n}", kind="summary", influenced_by=[root, "stays"], operator="dear@1")
    mr.repair(RepairEvent.correct({"s": "It snows there."}), tradeoff="0")
    mr.repair(RepairEvent.correct({"r": "It snows."}), tradeoff="0")
    plan = mr.preview(RepairEvent.correct({"r": "It hails."}))
    assert {candidate.cost for candidate in plan.candidates if candidate.key != "n/odd"} <= {8.0, 10.0, 12.5}
