"""The closure against enumeration and integer programming. Every oracle is written anew here."""

from __future__ import annotations

import random
import time

import highspy
import numpy as np
import pytest

from memorepair_graphdb.errors import BadInput
from memorepair_graphdb.repair.planning.eligibility import order_by_influence
from memorepair_graphdb.solver.closure import maximum_closure


def pairs(rows):
    return np.array(sorted(rows), dtype=np.int64).reshape(-1, 2)


def optima(profit, rows, forbidden):
    """All optimal closures, as bit masks, by trying every subset."""
    size = len(profit)
    needs = [0] * size
    for i, j in rows:
        needs[i] |= 1 << j
    ban = sum(1 << i for i in range(size) if forbidden[i])
    best = None
    found: list[int] = []
    for mask in range(1 << size):
        members = [i for i in range(size) if mask >> i & 1]
        if mask & ban or any(needs[i] & ~mask for i in members):
            continue
        worth = sum(profit[i] for i in members)
        if best is None or worth > best:
            best, found = worth, []
        if worth == best:
            found.append(mask)
    return best, found


def mask_of(chosen):
    return sum(1 << i for i, member in enumerate(chosen.tolist()) if member)


def random_needs(rng, size, density, cyclic):
    return {(i, j) for i in range(size) for j in range(size) if i != j and (cyclic or j < i) and rng.random() < density}


@pytest.mark.parametrize("seed", range(8))
def test_value_smallest_and_largest_set_equal_enumeration(seed):
    rng = random.Random(seed)
    for _ in range(500):
        size = rng.randint(0, 8 if rng.random() < 0.9 else 10)
        spread = rng.choice([1, 2, 5, 1000])
        profit = [rng.randint(-spread, spread) for _ in range(size)]
        rows = random_needs(rng, size, rng.choice([0.1, 0.2, 0.4]), cyclic=rng.random() < 0.5)
        forbidden = [rng.random() < 0.1 for _ in range(size)]
        best, found = optima(profit, rows, forbidden)
        smallest = min(found, key=lambda mask: mask.bit_count())
        largest = max(found, key=lambda mask: mask.bit_count())
        asked = (np.array(profit, dtype=np.int64), pairs(rows), np.array(forbidden, dtype=bool))
        assert mask_of(maximum_closure(*asked)) == smallest
        assert mask_of(maximum_closure(*asked, tie="largest")) == largest
        assert sum(p for i, p in enumerate(profit) if smallest >> i & 1) == best


def highs_smallest(profit, rows):
    """The smallest optimal closure by integer programming: profits scaled so that size breaks ties."""
    size = len(profit)
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("mip_rel_gap", 0.0)
    solver.setOptionValue("mip_abs_gap", 0.5)
    chosen = [solver.addVariable(0, 1, -(p * (size + 1) - 1), highspy.HighsVarType.kInteger) for p in profit]
    for i, j in rows:
        solver.addConstr(chosen[i] - chosen[j] <= 0)
    solver.run()
    assert solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return np.array(solver.getSolution().col_value) > 0.5


@pytest.mark.parametrize("seed", range(12))
def test_larger_graphs_equal_the_smallest_optimum_of_integer_programming(seed):
    rng = np.random.default_rng(seed)
    size = int(rng.integers(100, 400))
    spread = int(rng.choice([1, 3, 50]))
    profit = rng.integers(-spread, spread + 1, size)
    i = rng.integers(1, size, size * 2)
    j = (rng.random(size * 2) * i).astype(np.int64)
    rows = np.unique(np.stack([i, j], axis=1), axis=0)
    chosen = maximum_closure(profit, rows)
    assert (chosen == highs_smallest(profit.tolist(), rows.tolist())).all()
    if spread < 50:
        assert (maximum_closure(profit, rows, tie="largest") >= chosen).all()


def test_a_chain_of_a_hundred_thousand_is_chosen_whole_or_not_at_all():
    size = 100_000
    rows = np.stack([np.arange(1, size), np.arange(size - 1)], axis=1)
    profit = np.full(size, -1, dtype=np.int64)
    profit[-1] = size - 1
    assert not maximum_closure(profit, rows).any()
    assert maximum_closure(profit, rows, tie="largest").all()
    profit[-1] = size
    assert maximum_closure(profit, rows).all()
    assert not maximum_closure(profit, rows, np.arange(size) == 0).any()


def test_a_hundred_thousand_nodes_take_seconds():
    rng = np.random.default_rng(0)
    i = rng.integers(1, 100_000, 300_000)
    rows = np.unique(np.stack([i, (rng.random(i.size) * i).astype(np.int64)], axis=1), axis=0)
    started = time.perf_counter()
    chosen = maximum_closure(rng.integers(-100, 100, 100_000), rows)
    assert time.perf_counter() - started < 60
    assert (chosen[rows[:, 0]] <= chosen[rows[:, 1]]).all()


def test_profits_just_below_the_limit_are_still_decided_by_one_unit():
    half = 2**50 - 1
    rows = pairs({(0, 1)})
    assert maximum_closure(np.array([half, -half + 1]), rows).all()
    assert not maximum_closure(np.array([half, -half]), rows).any()
    assert maximum_closure(np.array([half, -half]), rows, tie="largest").all()
    assert not maximum_closure(np.array([half, -half - 1]), rows, tie="largest").any()


def test_no_nodes_and_no_needs_are_fine():
    assert maximum_closure(np.zeros(0, np.int64), pairs(set())).shape == (0,)
    assert maximum_closure(np.array([0, 3, -1]), pairs(set())).tolist() == [False, True, False]
    assert maximum_closure(np.array([0, 3, -1]), pairs(set()), tie="largest").tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("profit", "requires", "forbidden", "says"),
    [
        ([1, 2], pairs({(0, 1)}), None, "int64"),
        (np.array([1.0, 2.0]), pairs({(0, 1)}), None, "int64"),
        (np.array([[1, 2]]), pairs({(0, 1)}), None, "int64"),
        (np.array([1, 2]), pairs({(0, 1)}).astype(np.int32), None, r"int64\[m, 2\]"),
        (np.array([1, 2]), np.zeros((2, 3), np.int64), None, r"int64\[m, 2\]"),
        (np.array([1, 2]), pairs({(0, 2)}), None, "outside 0 to 1"),
        (np.array([1, 2]), pairs({(-1, 0)}), None, "outside 0 to 1"),
        (np.array([1, 2]), pairs({(1, 1)}), None, "needs itself"),
        (np.array([1, 2]), np.array([[1, 0], [1, 0]]), None, "stands twice"),
        (np.array([1, 2]), pairs({(1, 0)}), np.array([True]), r"bool\[2\]"),
        (np.array([1, 2]), pairs({(1, 0)}), np.array([1, 0]), r"bool\[2\]"),
        (np.array([2**50, -(2**50)]), pairs({(1, 0)}), None, "2\\^51"),
        (np.array([-(2**63), 1]), pairs({(1, 0)}), None, "2\\^51"),
        (np.full(8192, 2**51 - 1), pairs({(1, 0)}), None, "2\\^51"),
    ],
)
def test_wrong_input_is_refused_with_the_reason(profit, requires, forbidden, says):
    with pytest.raises(BadInput, match=says):
        maximum_closure(profit, requires, forbidden)


def test_an_unknown_tie_is_refused():
    with pytest.raises(BadInput, match="smallest"):
        maximum_closure(np.array([1]), pairs(set()), tie="any")  # type: ignore[arg-type]


def test_cycles_are_found_with_loops_and_without_their_dependents():
    edges = np.array([[0, 1], [1, 2], [2, 1], [2, 3], [4, 4], [4, 5], [0, 1]])
    assert order_by_influence(6, edges)[0].tolist() == [False, True, True, False, True, False]
    assert order_by_influence(0, pairs(set()))[0].tolist() == []
    size = 100_000
    chain = np.stack([np.arange(size), (np.arange(size) + 1) % size], axis=1)
    assert order_by_influence(size, chain)[0].all()
    assert not order_by_influence(size, chain[:-1])[0].any()
