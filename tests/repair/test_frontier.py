"""The frontier of an event agrees with the selection at every λ, in the caller's units."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from memorepair_graphdb.model.artifact import Kind
from memorepair_graphdb.model.plan import Candidate
from memorepair_graphdb.model.vocabulary import Mode
from memorepair_graphdb.repair.frontier import knees, trace_frontier
from memorepair_graphdb.repair.planning.selection import Tradeoff, select


def candidate(place, value, cost, needs=(), executable=True):
    return Candidate(
        key=f"k{place:03}",
        id=f"a{place:03}",
        kind=Kind.SUMMARY,
        arch=None,
        mode=Mode.REGEN,
        operator="digest@1",
        predecessors=tuple(f"k{j:03}" for j in needs),
        executable=executable,
        value=value,
        cost=cost,
        selected=False,
        reason="",
        predecessor_ids=tuple(f"a{j:03}" for j in needs),
    )


def world(rng, size):
    rows = {(i, j) for i in range(size) for j in range(i) if rng.random() < 2 / size}
    can = [rng.random() < 0.9 for _ in range(size)]
    value = [rng.randint(0, 50) / 10 for _ in range(size)]
    cost = [rng.randint(0, 900) / 4 for _ in range(size)]
    found = [candidate(i, value[i], cost[i], sorted(j for k, j in rows if k == i), can[i]) for i in range(size)]
    return rows, can, value, cost, found


@pytest.mark.parametrize("seed", range(20))
def test_at_every_tradeoff_the_frontier_holds_what_the_selection_takes(seed):
    rng = random.Random(seed)
    rows, can, value, cost, found = world(rng, rng.randint(2, 40))
    means = [float(sum(figures) / len(figures)) or 1.0 for figures in (value, cost)]
    asked = (np.array(sorted(rows), dtype=np.int64).reshape(-1, 2), np.array(can))
    report = trace_frontier("e", "0.3", found, *means)
    stops = [Fraction(point.tradeoff) for point in report.points]
    between = [(a + b) / 2 for a, b in pairwise(stops) if a - b > Fraction(1, 10**9)]
    for ratio in [Fraction(3, 10), *between]:
        chosen = select(value, cost, Tradeoff("", ratio), *asked, value_mean=means[0], cost_mean=means[1]).chosen
        above = {c.key for c in report.candidates if c.always or (c.tradeoff is not None and c.tradeoff > ratio)}
        members = {found[i].key for i in np.flatnonzero(chosen).tolist()}
        idle = {c.key for c in found if not c.value and not c.cost}  # changes no sum, so it may be in or out
        assert above - idle == members - idle
        brought = [p for p in report.points if p.tradeoff > ratio]
        last = brought[-1] if brought else None
        assert (last.value if last else 0) == pytest.approx(sum(found[i].value for i in np.flatnonzero(chosen)))
        assert (last.cost if last else 0) == pytest.approx(sum(found[i].cost for i in np.flatnonzero(chosen)))
    chosen = select(value, cost, Tradeoff.read("0.3"), *asked, value_mean=means[0], cost_mean=means[1]).chosen
    assert report.chosen.candidates == int(chosen.sum())


def test_two_candidates_by_hand():
    report = trace_frontier("e", "1", [candidate(0, 6, 1), candidate(1, 2, 3)], 4.0, 2.0)
    assert [(c.key, c.tradeoff) for c in report.candidates] == [("k000", 3.0), ("k001", pytest.approx(1 / 3))]
    assert [(p.value, p.cost, p.candidates) for p in report.points] == [(6, 1, 1), (8, 4, 2)]
    assert (report.chosen.value, report.chosen.cost) == (6, 1)
    assert (report.everything.value, report.everything.cost, report.everything.candidates) == (8, 4, 2)


def test_what_costs_nothing_is_always_selected_and_what_cannot_be_built_never():
    report = trace_frontier(
        None, "0.3", [candidate(0, 1, 0), candidate(1, 9, 1, executable=False), candidate(2, 9, 1, [1])], 1, 1
    )
    assert [(c.key, c.always, c.tradeoff) for c in report.candidates] == [
        ("k000", True, None),
        ("k001", False, None),
        ("k002", False, None),
    ]


def test_an_event_without_candidates_has_an_empty_frontier():
    report = trace_frontier(None, "0.3", [], 1.0, 1.0)
    assert (report.points, report.knees, report.chosen.candidates) == ((), (), 0)


def test_knees_are_the_ends_and_the_corners():
    cost, value = [0, 1, 2, 3, 4, 5, 6], [0, 4, 8, 9, 10, 11, 12]
    assert knees(cost, value, 3) == [0, 2, 6]
    assert knees(cost, value, 7) == [0, 2, 6]
    assert knees([], [], 5) == []
    assert knees([1], [1], 5) == [0]
    assert knees([0, 1, 2], [0, 3, 4], 9) == [0, 1, 2]
