"""The policies against cases done by hand, a literal retelling with sets, and the exact optimum by enumeration."""

from __future__ import annotations

import time
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorepair_graphdb.errors import BadInput
from memorepair_graphdb.evaluation import baselines
from memorepair_graphdb.evaluation.baselines import (
    POLICIES,
    cheapest_first,
    greedy_nodes,
    greedy_ratio,
    repair_all,
    unsupported,
    value_first,
    violations,
)
from memorepair_graphdb.evaluation.speed.networks import GENERATORS

CLOSED = sorted(POLICIES.keys() - {"greedy_nodes"})
BUNDLED = ("greedy_ratio", "value_first", "cheapest_first")


def ints(*figures):
    return np.array(figures, dtype=np.int64)


def needs(*rows):
    return np.array(rows, dtype=np.int64).reshape(-1, 2)


def chosen_by(policy, case, tradeoff="1", budget=None):
    value, cost, rows, executable = case
    picked = policy(ints(*value), ints(*cost), needs(*rows), np.array(executable), Fraction(tradeoff), budget=budget)
    return set(np.flatnonzero(picked).tolist())


SHARED = ((0, 7, 7, 1), (10, 1, 1, 5), ((1, 0), (2, 0)), (True, True, True, True))
"""Two that need one dear thing: together they pay for it, alone neither does."""


def test_greedy_does_not_see_that_two_together_would_pay_for_what_both_need():
    assert chosen_by(greedy_ratio, SHARED) == set()
    assert chosen_by(greedy_nodes, SHARED) == {1, 2}
    assert chosen_by(greedy_ratio, SHARED, "0.5") == {0, 1, 2}
    assert chosen_by(repair_all, SHARED) == {0, 1, 2, 3}


def test_what_greedy_without_closure_breaks_is_counted():
    value, _cost, rows, _executable = SHARED
    chosen = np.array([False, True, True, False])
    assert violations(chosen, needs(*rows)) == 2
    assert unsupported(chosen, needs(*rows)).tolist() == [False, True, True, False]
    chain = needs((1, 0), (2, 1), (3, 2))
    assert violations(np.array([False, True, True, True]), chain) == 1
    assert unsupported(np.array([False, True, True, True]), chain).tolist() == [False, True, True, True]
    assert violations(np.ones(len(value), dtype=bool), needs(*rows)) == 0


def test_each_order_spends_a_budget_its_own_way():
    case = ((10, 9, 4, 1), (10, 6, 2, 1), (), (True,) * 4)
    assert chosen_by(value_first, case, "0", budget=10) == {0}
    assert chosen_by(greedy_ratio, case, "0", budget=10) == {1, 2, 3}
    assert chosen_by(cheapest_first, case, "0", budget=3) == {2, 3}
    assert chosen_by(greedy_nodes, case, "0", budget=11) == {0, 3}
    assert chosen_by(repair_all, case, "0", budget=19) == {0, 1, 2, 3}
    assert chosen_by(repair_all, case, "0", budget=18) == set()


def test_a_bundle_that_does_not_fit_is_passed_over_and_smaller_ones_go_on():
    case = ((9, 5, 3), (1, 9, 2), ((0, 1),), (True,) * 3)
    assert chosen_by(greedy_ratio, case, "0", budget=5) == {2}
    assert chosen_by(greedy_ratio, case, "0", budget=12) == {0, 1, 2}


def test_ties_go_to_the_first():
    case = ((2, 2, 2), (1, 1, 1), (), (True,) * 3)
    for policy in (greedy_ratio, value_first, cheapest_first, greedy_nodes):
        assert chosen_by(policy, case, "0", budget=2) == {0, 1}


def test_what_cannot_be_executed_is_never_chosen_nor_what_needs_it_at_any_remove():
    case = ((5, 5, 5, 5), (1, 1, 1, 1), ((1, 0), (2, 1)), (False, True, True, True))
    for name in CLOSED:
        assert chosen_by(POLICIES[name], case) == {3}
    assert chosen_by(greedy_nodes, case) == {1, 2, 3}


def test_a_cycle_is_taken_whole():
    case = ((5, 0, 0), (1, 1, 9), ((0, 1), (1, 0), (1, 2)), (True,) * 3)
    assert chosen_by(greedy_ratio, case, "0.4") == {0, 1, 2}
    assert chosen_by(greedy_ratio, case) == set()


def closure_of(head, rows):
    held = {head}
    while more := {j for i, j in rows if i in held} - held:
        held |= more
    return held


def retold(name, value, cost, rows, executable, tradeoff, budget):
    """The policy of that name as its docstring tells it, with sets and fractions."""
    size = range(len(value))
    able = {i for i in size if all(executable[j] for j in closure_of(i, rows))}
    ranks = {
        "greedy_ratio": lambda i: -Fraction(value[i], cost[i]) if cost[i] else -Fraction(10**9),
        "value_first": lambda i: -value[i],
        "cheapest_first": lambda i: cost[i],
    }
    net = [Fraction(value[i]) - tradeoff * cost[i] for i in size]
    taken: set[int] = set()
    for head in sorted((i for i in size if net[i] > 0 and i in able), key=lambda i: (ranks[name](i), i)):
        bundle = closure_of(head, rows) - taken
        fits = budget is None or sum(cost[i] for i in taken | bundle) <= budget
        if fits and sum(net[i] for i in bundle) > 0:
            taken |= bundle
    return taken


def best_net(value, cost, rows, executable, tradeoff, budget):
    best = Fraction(0)
    for mask in range(1 << len(value)):
        held = {i for i in range(len(value)) if mask >> i & 1}
        closed = all(executable[i] for i in held) and all(j in held for i, j in rows if i in held)
        if closed and (budget is None or sum(cost[i] for i in held) <= budget):
            best = max(best, sum(value[i] - tradeoff * cost[i] for i in held))
    return best


@st.composite
def cases(draw):
    size = draw(st.integers(1, 8))
    figures = st.lists(st.integers(0, 9), min_size=size, max_size=size)
    numbers = st.integers(0, size - 1)
    rows = draw(st.sets(st.tuples(numbers, numbers).filter(lambda row: row[0] != row[1]), max_size=2 * size))
    executable = draw(st.lists(st.sampled_from([True, True, True, False]), min_size=size, max_size=size))
    tradeoff = draw(st.sampled_from([Fraction(0), Fraction(3, 10), Fraction(1), Fraction(2)]))
    budget = draw(st.one_of(st.none(), st.integers(0, 30)))
    return draw(figures), draw(figures), sorted(rows), executable, tradeoff, budget


@given(cases())
def test_every_policy_is_what_its_docstring_says_and_none_beats_the_optimum(case):
    value, cost, rows, executable, tradeoff, budget = case
    best = best_net(*case)
    for name, policy in POLICIES.items():
        chosen = chosen_by(policy, (value, cost, rows, executable), tradeoff, budget)
        assert all(executable[i] for i in chosen)
        assert budget is None or sum(cost[i] for i in chosen) <= budget
        if name in BUNDLED:
            assert chosen == retold(name, *case)
        if name in CLOSED:
            assert all(j in chosen for i, j in rows if i in chosen)
            assert sum(value[i] - tradeoff * cost[i] for i in chosen) <= best


@given(cases())
def test_violations_and_what_they_break_are_counted_as_told(case):
    value, _cost, rows, executable, _tradeoff, _budget = case
    held = {i for i in range(len(value)) if executable[i]}
    chosen = np.array(executable)
    assert violations(chosen, needs(*rows)) == sum(i in held and j not in held for i, j in rows)
    broken = {i for i in held if not closure_of(i, rows) <= held}
    assert set(np.flatnonzero(unsupported(chosen, needs(*rows))).tolist()) == broken


@pytest.mark.parametrize("name", ["provenance", "hard", "pit"])
def test_a_hundred_thousand_take_seconds_with_and_without_a_budget(name):
    network = GENERATORS[name](100_000, 1)
    able = np.ones(100_000, dtype=bool)
    started = time.perf_counter()
    for budget in (None, int(network.cost.sum()) // 3):
        for policy in POLICIES.values():
            policy(network.value, network.cost, network.requires, able, Fraction(1, 5), budget=budget)
    assert time.perf_counter() - started < 120


def chain(size):
    """Each needs the one before; the dearest bundles come first, and none is worth taking."""
    rows = np.stack([np.arange(1, size), np.arange(size - 1)], axis=1)
    value = np.arange(size, dtype=np.int64) + 2
    cost = np.ones(size, dtype=np.int64)
    cost[0] = 2**40
    return value, cost, rows


def test_a_long_chain_of_bundles_that_are_all_too_dear_does_not_take_the_square_of_its_length():
    value, cost, rows = chain(100_000)
    started = time.perf_counter()
    for budget in (None, 10):
        assert not value_first(value, cost, rows, np.ones(value.size, dtype=bool), Fraction(1), budget=budget).any()
    assert time.perf_counter() - started < 60


def test_patience_ends_the_search_and_what_was_taken_stays(monkeypatch):
    monkeypatch.setattr(baselines, "PATIENCE", 50)
    value, cost, rows = chain(100)
    free = np.array([1000], dtype=np.int64), np.array([1], dtype=np.int64)
    able = np.ones(101, dtype=bool)
    chosen = value_first(np.concatenate([value, free[0]]), np.concatenate([cost, free[1]]), rows, able, Fraction(1))
    assert np.flatnonzero(chosen).tolist() == [100]


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"value": ints(-1, 1)}, "negative"),
        ({"value": ints(1)}, "one each"),
        ({"cost": np.array([1.0, 2.0])}, "int64"),
        ({"requires": needs((1, 2))}, "outside 0 to 1"),
        ({"executable": np.array([True])}, r"bool\[2\]"),
        ({"tradeoff": Fraction(-1)}, "0 or more"),
        ({"tradeoff": Fraction(1, 2**51)}, "too fine"),
        ({"budget": -1}, "0 or more"),
    ],
)
def test_wrong_input_is_refused_with_the_reason(name, change, says):
    right = {
        "value": ints(1, 2),
        "cost": ints(1, 2),
        "requires": needs((1, 0)),
        "executable": np.array([True, True]),
        "tradeoff": Fraction(1),
    }
    with pytest.raises(BadInput, match=says):
        POLICIES[name](**(right | change))
