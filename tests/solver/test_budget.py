"""Budgets against enumeration and CP-SAT. Whatever comes back is closed and within the budget."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from ortools.sat.python import cp_model

from memorepair_graphdb.errors import BadInput
from memorepair_graphdb.evaluation.speed.networks import hard
from memorepair_graphdb.solver.closure import Topology, frontier, within_budget
from memorepair_graphdb.solver.knapsack import Knapsack
from memorepair_graphdb.solver.local_search import search_neighbourhoods


def pairs(rows):
    return np.array(sorted(rows), dtype=np.int64).reshape(-1, 2)


def best_by_enumeration(gain, cost, rows, forbidden, budget):
    """The greatest Σ gain of a closure within the budget, over all 2^n masks."""
    size = len(gain)
    member = (np.arange(1 << size)[:, None] >> np.arange(size)) & 1
    fits = (member @ cost <= budget) & ~member[:, forbidden].any(axis=1)
    for i, j in rows:
        fits &= member[:, i] <= member[:, j]
    return int((member @ gain)[fits].max())


def is_sound(found, value, cost, rows, forbidden, budget, tradeoff):
    assert found.cost == int(cost[found.chosen].sum()) <= budget
    assert not (found.chosen & forbidden).any()
    assert all(found.chosen[j] for i, j in rows.tolist() if found.chosen[i])
    assert found.value == int(value[found.chosen].sum()) - tradeoff * found.cost <= found.bound


def random_case(rng, most):
    size = rng.randint(0, most)
    spread = rng.choice([1, 3, 30, 1000, 10**9])
    value, cost = (
        np.array([rng.randint(0, spread) if rng.random() < 0.8 else 0 for _ in range(size)], np.int64) for _ in "wc"
    )
    density, cyclic = rng.choice([0.1, 0.3]), rng.random() < 0.2
    rows = {(i, j) for i in range(size) for j in range(size) if i != j and (cyclic or j < i) and rng.random() < density}
    return value, cost, pairs(rows), np.array([rng.random() < 0.05 for _ in range(size)], bool)


def holds(rng, most):
    value, cost, rows, forbidden = random_case(rng, most)
    tradeoff = rng.choice([Fraction(0), Fraction(0), Fraction(1, 2), Fraction(1), Fraction(3, 10)])
    budget = rng.randint(0, int(cost.sum()) + 1)
    found = within_budget(value, cost, rows, budget, forbidden, gap=0, tradeoff=tradeoff)
    gain = tradeoff.denominator * value - tradeoff.numerator * cost
    best = Fraction(best_by_enumeration(gain, cost, rows.tolist(), forbidden, budget), tradeoff.denominator)
    is_sound(found, value, cost, rows, forbidden, budget, tradeoff)
    assert (found.value, found.bound, found.gap, found.status) == (best, best, 0.0, "optimal")


@pytest.mark.parametrize("seed", range(4))
def test_the_best_within_a_budget_equals_enumeration(seed):
    rng = random.Random(seed)
    for _ in range(60):
        holds(rng, 12)


@pytest.mark.parametrize("seed", range(3))
def test_figures_of_very_different_size_leave_the_bound_honest(seed):
    rng = random.Random(seed)
    for _ in range(40):
        value, cost, rows, forbidden = random_case(rng, 10)
        value, cost = value * rng.choice([1, 2**10]), cost * np.array([rng.choice([1, 2**14]) for _ in cost], np.int64)
        budget = rng.randint(0, int(cost.sum()) + 1)
        found = within_budget(value, cost, rows, budget, forbidden, gap=0)
        is_sound(found, value, cost, rows, forbidden, budget, 0)
        assert found.value <= best_by_enumeration(value, cost, rows.tolist(), forbidden, budget) <= found.bound


@pytest.mark.torture
@pytest.mark.parametrize("seed", range(40))
def test_up_to_eighteen_candidates_equal_enumeration(seed):
    rng = random.Random(1000 + seed)
    for _ in range(50):
        holds(rng, 18 if rng.random() < 0.2 else 14)


def layered(seed, size, spread):
    rng = np.random.default_rng(seed)
    i = rng.integers(1, size, size * 2)
    j = i - 1 - (rng.random(i.size) ** 2 * np.minimum(i, 40)).astype(np.int64)
    rows = np.unique(np.stack([i, j], axis=1), axis=0)
    value = np.where(rng.random(size) < 0.4, rng.integers(1, spread, size), 0)
    return value, rng.integers(1, spread, size), rows, rng.random(size) < 0.01


def best_by_cp_sat(value, cost, rows, forbidden, budget):
    model = cp_model.CpModel()
    chosen = [model.new_bool_var(str(i)) for i in range(value.size)]
    for i, j in rows.tolist():
        model.add_implication(chosen[i], chosen[j])
    for i in np.flatnonzero(forbidden).tolist():
        model.add(chosen[i] == 0)
    model.add(cp_model.LinearExpr.weighted_sum(chosen, cost.tolist()) <= budget)
    model.maximize(cp_model.LinearExpr.weighted_sum(chosen, value.tolist()))
    solver = cp_model.CpSolver()
    solver.parameters.linearization_level = 2
    solver.parameters.num_workers = 2
    assert solver.solve(model) == cp_model.OPTIMAL
    return round(solver.objective_value)


@pytest.mark.parametrize("share", [0.1, 0.4, 0.8])
def test_larger_graphs_equal_cp_sat(share):
    value, cost, rows, forbidden = layered(int(share * 10), 120, 100)
    budget = int(cost.sum() * share)
    found = within_budget(value, cost, rows, budget, forbidden, gap=0, time_limit=60)
    is_sound(found, value, cost, rows, forbidden, budget, 0)
    assert found.status == "optimal"
    assert found.value == best_by_cp_sat(value, cost, rows, forbidden, budget)


@pytest.mark.torture
@pytest.mark.parametrize("seed", range(20))
def test_graphs_of_hundreds_equal_cp_sat(seed):
    value, cost, rows, forbidden = layered(100 + seed, 300, 100)
    budget = int(cost.sum() * (seed + 1) / 22)
    found = within_budget(value, cost, rows, budget, forbidden, gap=0, time_limit=120)
    assert found.value <= best_by_cp_sat(value, cost, rows, forbidden, budget) <= found.bound
    assert found.status != "optimal" or found.value == found.bound


@pytest.mark.parametrize("limit", [0, 0.05])
def test_when_time_is_over_the_best_found_comes_with_its_honest_gap(limit):
    value, cost, rows, forbidden = layered(7, 3000, 1000)
    budget = int(cost.sum()) // 3
    found = within_budget(value, cost, rows, budget, forbidden, gap=0, time_limit=limit)
    is_sound(found, value, cost, rows, forbidden, budget, 0)
    assert found.gap == float((found.bound - found.value) / found.bound)
    assert found.status == ("optimal" if found.value == found.bound else "time_limit")
    longer = within_budget(value, cost, rows, budget, forbidden, gap=1e-3, time_limit=20)
    assert found.value <= longer.bound
    assert longer.value <= found.bound


def test_a_gap_that_is_allowed_ends_the_search():
    value, cost, rows, forbidden = layered(8, 3000, 1000)
    budget = int(cost.sum()) // 2
    found = within_budget(value, cost, rows, budget, forbidden, gap=0.5)
    assert found.status in ("gap", "optimal")
    assert found.gap <= 0.5


def test_a_budget_for_everything_gives_the_unbounded_optimum():
    value, cost, rows, forbidden = layered(9, 500, 100)
    found = within_budget(value, cost, rows, int(cost.sum()), forbidden, tradeoff=Fraction(1, 3))
    assert (found.chosen == frontier(value, cost, rows, forbidden).at(Fraction(1, 3))).all()
    assert (found.gap, found.status) == (0.0, "optimal")


def test_a_budget_of_nothing_takes_what_costs_nothing():
    found = within_budget(np.array([5, 6, 1]), np.array([0, 2, 0]), pairs({(2, 1)}), 0)
    assert found.chosen.tolist() == [True, False, False]
    assert [found.value, found.cost, found.bound] == [5, 0, 5]
    assert found.status == "optimal"


def test_nothing_is_printed(capfd):
    value, cost, rows, forbidden = layered(3, 200, 100)
    within_budget(value, cost, rows, int(cost.sum()) // 3, forbidden, gap=0, time_limit=1)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"budget": -1}, "budget"),
        ({"budget": 1.5}, "budget"),
        ({"budget": 1, "gap": -0.1}, "gap"),
        ({"budget": 1, "time_limit": float("nan")}, "time limit"),
        ({"budget": 1, "tradeoff": Fraction(-1, 2)}, "tradeoff"),
        ({"budget": 1, "tradeoff": 0.3}, "tradeoff"),
        ({"budget": 1, "tradeoff": Fraction(1, 2**51)}, "digits"),
    ],
)
def test_wrong_limits_are_refused_with_the_reason(asked, says):
    with pytest.raises(BadInput, match=says):
        within_budget(np.array([1]), np.array([1]), pairs(set()), **asked)


@pytest.mark.parametrize("seed", range(1, 6))
def test_where_the_frontier_leaps_over_the_budget_the_gap_is_small_after_two_seconds(seed):
    network = hard(1000, seed)
    budget = int(network.cost.sum()) // 2
    found = within_budget(network.value, network.cost, network.requires, budget, gap=1e-4, time_limit=2.0)
    is_sound(found, network.value, network.cost, network.requires, np.zeros(1000, bool), budget, 0)
    traced = frontier(network.value, network.cost, network.requires)
    assert found.gap <= 0.05 < 1 - best_that_fits(traced.curve(), budget) / float(found.bound)


def best_that_fits(curve, budget):
    return max((point.value for point in curve if point.cost <= budget), default=0)


def test_exchange_stays_closed_and_within_the_budget_and_mostly_reaches_the_best():
    reached = [exchange_reaches_the_best(random.Random(seed)) for seed in range(40)]
    assert sum(reached) >= 35


def exchange_reaches_the_best(rng):
    value, cost, rows, _ = random_case(rng, 12)
    topology = Topology.of(value.size, rows)
    budget = rng.randint(0, int(cost.sum()) + 1)
    task = Knapsack(
        topology.layers, topology.gathered(value).astype(np.int64), topology.gathered(cost).astype(np.int64), budget
    )
    seen = []

    def go_on(found):
        assert task.holds(found)
        seen.append(task.worth(found))
        return len(seen) < 60

    found = search_neighbourhoods(task, np.zeros(topology.layers.size, bool), go_on)
    assert seen == sorted(seen)
    best = best_by_enumeration(value, cost, rows.tolist(), np.zeros(value.size, bool), budget)
    assert max(seen) <= task.worth(found) <= best
    return task.worth(found) == best
