"""Fifty memories too large for trying every set: the selection against HiGHS, the cascade against networkx.

Λ selects a fifth to four fifths, so that the set says something.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import networkx as nx
import pytest

from memorepair_graphdb import RepairEvent
from tests.harness import dump
from tests.harness.fake_operators import Staff, word
from tests.harness.world_lines import lines_of
from tests.oracle import planning
from tests.oracle.graphs import large_world
from tests.oracle.highs import highs_selection

if TYPE_CHECKING:
    from neo4j import Driver

    from memorepair_graphdb import MemoRepair
    from memorepair_graphdb.model.plan import Plan
    from tests.oracle.graphs import World

TRADEOFFS = ("1", "1.2", "1.1", "1.3", "1.15", "1.25", "1.4", "1.5", "0.9", "0.7", "1.6", "1.8", "0.5")


def reachable(world: World) -> set[str]:
    graph = nx.DiGraph((source.key, target) for target, source in world.edges)
    return {"doc/0"} | nx.descendants(graph, "doc/0")


def telling_plan(mr: MemoRepair, event: RepairEvent) -> Plan:
    """A preview at a λ that selects 20 to 80 %."""
    for tradeoff in TRADEOFFS:
        made = mr.preview(event, tradeoff=tradeoff)
        if 0.2 <= len(made.selected) / len(made.candidates) <= 0.8:
            return made
    pytest.fail("no tradeoff selects a share between 20 and 80 %")


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=[] if seed % 5 == 0 else pytest.mark.torture) for seed in range(50)]
)
def test_the_selection_on_a_larger_graph_is_the_smallest_optimum(memory, prepared: Driver, space: str, seed: int):
    world = large_world(seed, size=60 + 5 * seed)
    staff = Staff()
    mr = memory(registry=staff.registry)
    mr.load(lines_of(world, lambda key: word(seed, key)))
    event = RepairEvent.delete(["doc/0"])
    made = telling_plan(mr, event)
    expected = planning.expected(world)
    chosen = {candidate.key for candidate in made.selected}
    assert set(made.cascade) == reachable(world)
    assert chosen == highs_selection(expected, made.tradeoff)

    if seed % 20 == 0:
        report = mr.repair(event, tradeoff=made.tradeoff, expect=made.plan_id)
        assert {key for key, outcome in report.outcomes.items() if outcome == "published"} == chosen
        assert {key for key, outcome in report.outcomes.items() if outcome == "removed"} == expected.removed
        states = Counter((a["key"], *a["states"]) for a in dump.artifacts(prepared, space))
        assert {key for key in chosen if states[key, "Visible"] == 1 and states[key, "Retired"] == 1} == chosen
        assert sorted(staff.calls) == sorted(
            [*chosen, *(key for key in chosen if expected.fates[key].mode == "recompute")]
        )


def test_a_retry_of_a_larger_event_takes_up_what_was_not_worth_it(memory):
    world = large_world(7, size=100)
    mr = memory(registry=Staff().registry)
    mr.load(lines_of(world, lambda key: word("retried", key)))
    event = RepairEvent.delete(["doc/0"])
    made = telling_plan(mr, event)
    assert max(candidate.level for candidate in made.candidates) >= 5
    first = mr.repair(event, tradeoff=made.tradeoff)
    assert first.counts["not_selected"] >= 10
    second = mr.retry(event.id, tradeoff="0")
    published = {key for key, outcome in second.outcomes.items() if outcome == "published"}
    assert published == highs_selection(planning.expected(world), "0")
