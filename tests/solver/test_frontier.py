"""The frontier against enumeration and against single cuts. Every comparison is exact."""

from __future__ import annotations

import random
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np
import pytest

from memorepair_graphdb.errors import BadInput
from memorepair_graphdb.solver import closure
from memorepair_graphdb.solver.closure import Topology, frontier, maximum_closure


def pairs(rows):
    return np.array(sorted(rows), dtype=np.int64).reshape(-1, 2)


def closures(size, rows, forbidden):
    """Every closure without a forbidden node, as sets of its members."""
    for mask in range(1 << size):
        members = {i for i in range(size) if mask >> i & 1}
        if all(j in members for i, j in rows if i in members) and not members & forbidden:
            yield members


def thresholds(value, cost, rows, forbidden):
    """λ* of each node by definition: where a best closure with it stops being as good as the best without.

    A closure with Σw, Σc is a line Σw − λΣc. λ* is the largest λ ≥ 0 at which some line of a closure with the node
    reaches the upper envelope of all lines.
    """
    size = len(value)
    lines: dict[Any, set[int]] = {}
    for members in closures(size, rows, forbidden):
        line = sum(value[i] for i in members), sum(cost[i] for i in members)
        lines[line] = lines.get(line, set()) | members
    found = [None] * size
    for (worth, price), members in lines.items():
        top = highest(worth, price, lines)
        for i in members:
            if top is not None and (found[i] is None or top > found[i]):
                found[i] = top
    return found


def highest(worth, price, lines):
    """The largest λ ≥ 0 at which a line lies on the envelope: ∞, or None where it never does."""
    low: Any = Fraction(0)
    high: Any = inf
    for other, dearer in lines:
        if dearer == price:
            if other > worth:
                return None
        elif dearer > price:
            low = max(low, Fraction(other - worth, dearer - price))
        else:
            high = min(high, Fraction(worth - other, price - dearer))
    return high if low <= high else None


def random_case(rng, most):
    size = rng.randint(0, most)
    spread = rng.choice([1, 2, 10, 1000, 2**45 // 12])
    figures = [[rng.randint(0, spread) if rng.random() < 0.8 else 0 for _ in range(size)] for _ in range(2)]
    density, cyclic = rng.choice([0.1, 0.3]), rng.random() < 0.2
    rows = {(i, j) for i in range(size) for j in range(size) if i != j and (cyclic or j < i) and rng.random() < density}
    return *figures, rows, {i for i in range(size) if rng.random() < 0.05}


def asked(value, cost, rows, forbidden):
    banned = np.zeros(len(value), bool)
    banned[list(forbidden)] = True
    return np.array(value, np.int64), np.array(cost, np.int64), pairs(rows), banned


def holds(case):
    found = frontier(*asked(*case))
    assert [found.tradeoff(i) for i in range(len(case[0]))] == thresholds(*case)


def agrees_with_cuts(case, tradeoffs):
    value, cost, requires, forbidden = case
    topology = Topology.of(value.size, requires)
    found = frontier(value, cost, topology, forbidden)
    for tradeoff in tradeoffs(found):
        profit = tradeoff.denominator * value - tradeoff.numerator * cost
        for tie in ("smallest", "largest"):
            cut = maximum_closure(profit, topology, forbidden, tie)
            assert (found.at(tradeoff, tie) == cut).all()
    return found


def breakpoints(found):
    return [point.tradeoff for point in found.curve()]


@pytest.mark.parametrize("seed", range(4))
def test_the_largest_tradeoff_of_each_candidate_equals_enumeration(seed):
    rng = random.Random(seed)
    for _ in range(100):
        holds(random_case(rng, 7))


@pytest.mark.torture
@pytest.mark.parametrize("seed", range(50))
def test_five_thousand_small_graphs_equal_enumeration(seed):
    rng = random.Random(1000 + seed)
    for _ in range(100):
        holds(random_case(rng, 9))


@pytest.mark.parametrize("seed", range(3))
def test_small_graphs_agree_with_cuts_at_and_beside_every_breakpoint(seed, monkeypatch):
    rng = random.Random(seed)
    for _ in range(60):
        monkeypatch.setattr(closure, "DIRECTLY", {False: rng.choice([0, 1500])})
        value, cost, rows, forbidden = random_case(rng, 9)
        if max(value + cost, default=0) > 1000:
            continue

        def beside(found):
            points = breakpoints(found)
            return [Fraction(0), Fraction(10**6), *points, *(point + Fraction(1, 10**7) for point in points)]

        agrees_with_cuts(asked(value, cost, rows, forbidden), beside)


def layered(seed, size, spread):
    rng = np.random.default_rng(seed)
    i = rng.integers(1, size, size * 2)
    j = i - 1 - (rng.random(i.size) ** 2 * np.minimum(i, 50)).astype(np.int64)
    rows = rng.permutation(size)[np.unique(np.stack([i, j], axis=1), axis=0)]
    forbidden = rng.random(size) < 0.002
    return rng.integers(0, spread, size), rng.integers(0, spread, size), rows, forbidden


@pytest.mark.parametrize("seed", range(4))
def test_larger_graphs_agree_with_cuts_at_random_tradeoffs_and_breakpoints(seed):
    rng = random.Random(seed)

    def some(found):
        points = breakpoints(found)
        chance = [Fraction(rng.randint(0, 4000), rng.randint(1, 1000)) for _ in range(20)]
        return chance + rng.sample(points, min(20, len(points)))

    agrees_with_cuts(layered(seed, 2000, 50), some)


@pytest.mark.torture
@pytest.mark.parametrize("seed", range(5))
def test_larger_graphs_agree_with_cuts_at_200_random_tradeoffs_and_all_breakpoints(seed):
    rng = random.Random(seed)

    def all_(found):
        return breakpoints(found) + [Fraction(rng.randint(0, 10**6), rng.randint(1, 10**6)) for _ in range(200)]

    agrees_with_cuts(layered(100 + seed, 3000, 50), all_)


def test_figures_too_large_for_doubles_are_still_told_apart():
    """Two ratios that differ by 1 in 2^94, in blocks that must and must not split."""
    w, c = 2**47, 2**47
    free = frontier(np.array([w, w - 1]), np.array([c - 1, c - 2]), pairs(set()))
    second = free.tradeoff(1)
    assert isinstance(second, Fraction)
    assert free.tradeoff(0) == Fraction(w, c - 1) < second == Fraction(w - 1, c - 2)
    assert free.at(second, "largest").tolist() == [False, True]
    up = frontier(np.array([w, w - 1]), np.array([c - 1, c - 2]), pairs({(0, 1)}))
    assert len(up.curve()) == 2
    down = frontier(np.array([w, w - 1]), np.array([c - 1, c - 2]), pairs({(1, 0)}))
    assert len(down.curve()) == 1
    assert down.tradeoff(0) == down.tradeoff(1) == Fraction(2 * w - 1, 2 * c - 3)


def test_blocks_that_fit_doubles_only_one_by_one_are_cut_in_batches(monkeypatch):
    monkeypatch.setattr(closure, "DIRECTLY", {False: 0})
    rng = np.random.default_rng(5)
    size, copies = 60, 30
    rows = np.unique(np.stack([rng.integers(30, size, 150), rng.integers(0, 30, 150)], axis=1), axis=0)
    value = np.where(np.arange(size) < 30, 0, rng.integers(1, 2**19, (copies, size)))
    cost = rng.integers(1, 2**19, (copies, size))
    whole = frontier(value.ravel(), cost.ravel(), np.concatenate([rows + size * copy for copy in range(copies)]))
    for copy in range(copies):
        single = frontier(value[copy], cost[copy], rows)
        assert [whole.tradeoff(copy * size + i) for i in range(size)] == [single.tradeoff(i) for i in range(size)]


def test_a_large_block_of_large_figures_is_final_as_a_whole():
    """A chain in which the value sits at the far end, 500 nodes, sums near 2^48."""
    size, unit = 500, 2**38 + 1
    value, cost = np.zeros(size, np.int64), np.full(size, unit)
    value[-1] = 2**47 - 3
    rows = np.stack([np.arange(1, size), np.arange(size - 1)], axis=1)
    found = frontier(value, cost, rows)
    assert found.curve() == [(Fraction(2**47 - 3, size * unit), 2**47 - 3, size * unit, size)]


def test_the_curve_counts_what_costs_nothing_and_leaves_out_what_never_pays():
    value, cost = np.array([5, 6, 0, 9, 1]), np.array([0, 2, 4, 1, 0])
    found = frontier(value, cost, pairs({(3, 4)}), np.array([False, False, False, False, True]))
    assert [found.tradeoff(i) for i in range(5)] == [inf, 3, 0, None, None]
    assert [tuple(point) for point in found.curve()] == [(3, 11, 2, 2), (0, 11, 6, 3)]
    assert found.at(3).tolist() == [True, False, False, False, False]
    assert found.at(3, "largest").tolist() == [True, True, False, False, False]
    assert found.at(0, "largest").tolist() == [True, True, True, False, False]


def test_no_candidates_have_no_breakpoints():
    found = frontier(np.zeros(0, np.int64), np.zeros(0, np.int64), pairs(set()))
    assert found.curve() == []
    assert found.at(1).shape == (0,)


@pytest.mark.parametrize(
    ("value", "cost", "says"),
    [
        (np.array([1.0]), np.array([1]), "value"),
        (np.array([1]), np.array([-1]), "negative"),
        (np.array([1, 2]), np.array([1]), "one each"),
        (np.array([2**49]), np.array([1]), "2\\^49"),
        (np.array([1]), np.array([2**49]), "2\\^49"),
    ],
)
def test_wrong_figures_are_refused_with_the_reason(value, cost, says):
    with pytest.raises(BadInput, match=says):
        frontier(value, cost, pairs(set()))


def test_a_tradeoff_is_a_fraction_and_not_negative():
    found = frontier(np.array([1]), np.array([1]), pairs(set()))
    wrongs: list[Any] = [-1, 0.3]
    for wrong in wrongs:
        with pytest.raises(BadInput, match="tradeoff"):
            found.at(wrong)
