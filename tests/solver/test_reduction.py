"""Reductions against enumeration, OR-Tools, igraph. Nothing is cut before it is reduced."""

from __future__ import annotations

import random

import igraph
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ortools.graph.python import max_flow

from memorepair_graphdb.errors import BadInput
from memorepair_graphdb.solver import closure
from memorepair_graphdb.solver.closure import Topology, maximum_closure


@pytest.fixture(autouse=True)
def _reduced(monkeypatch):
    monkeypatch.setattr(closure, "DIRECTLY", {False: 0})


def pairs(rows):
    return np.array(sorted(rows), dtype=np.int64).reshape(-1, 2)


def optima(profit, rows, forbidden):
    """The best sum, and the smallest and largest set that reach it, among all subsets; numpy over 2^n masks."""
    size = len(profit)
    masks = np.arange(1 << size, dtype=np.int64)
    member = (masks[:, None] >> np.arange(size)) & 1
    closed = np.ones(masks.size, bool)
    for i, j in rows:
        closed &= member[:, i] <= member[:, j]
    closed &= ~(member[:, np.asarray(forbidden, bool)].any(axis=1)) if size else True
    worth = np.where(closed, member @ np.asarray(profit, np.int64), -(2**60))
    found = masks[worth == worth.max()]
    return int(worth.max()), int(np.bitwise_and.reduce(found)), int(np.bitwise_or.reduce(found))


def mask_of(chosen):
    return sum(1 << i for i, member in enumerate(chosen.tolist()) if member)


def random_case(rng, most):
    size = rng.randint(0, most)
    spread = rng.choice([1, 2, 5, 1000])
    profit = [rng.randint(-spread, spread) for _ in range(size)]
    density, cyclic = rng.choice([0.05, 0.1, 0.2, 0.4]), rng.random() < 0.3
    rows = {(i, j) for i in range(size) for j in range(size) if i != j and (cyclic or j < i) and rng.random() < density}
    return profit, rows, [rng.random() < 0.08 for _ in range(size)]


def holds(profit, rows, forbidden):
    best, smallest, largest = optima(profit, rows, forbidden)
    asked = (np.array(profit, dtype=np.int64), pairs(rows), np.array(forbidden, dtype=bool))
    few, many = maximum_closure(*asked), maximum_closure(*asked, tie="largest")
    assert mask_of(few) == smallest
    assert mask_of(many) == largest
    assert int(asked[0][few].sum()) == int(asked[0][many].sum()) == best


@pytest.mark.parametrize("seed", range(4))
def test_value_smallest_and_largest_set_equal_enumeration(seed):
    rng = random.Random(seed)
    for _ in range(300):
        holds(*random_case(rng, 9))


@pytest.mark.torture
@pytest.mark.parametrize("seed", range(100))
def test_twenty_thousand_graphs_equal_enumeration(seed):
    rng = random.Random(1000 + seed)
    for _ in range(200):
        holds(*random_case(rng, 12))


@st.composite
def cases(draw):
    size = draw(st.integers(0, 7))
    node = st.integers(0, max(0, size - 1))
    rows = draw(st.sets(st.tuples(node, node).filter(lambda row: row[0] != row[1]), max_size=12)) if size > 1 else set()
    profit = draw(st.lists(st.integers(-3, 3), min_size=size, max_size=size))
    return profit, rows, draw(st.lists(st.booleans(), min_size=size, max_size=size))


@settings(max_examples=200, deadline=None)
@given(cases())
def test_any_small_graph_equals_enumeration(case):
    holds(*case)


def layered(rng, size, spread):
    """A graph in layers, with short and long edges, cycles now and then."""
    i = rng.integers(1, size, size * int(rng.integers(1, 4)))
    reach = np.minimum(i, rng.choice([3, 20, size]))
    j = i - 1 - (rng.random(i.size) * reach).astype(np.int64)
    rows = np.unique(np.stack([i, j], axis=1), axis=0)
    if rng.random() < 0.2:
        rows = np.unique(np.concatenate([rows, rows[rng.integers(0, len(rows), 3)][:, ::-1]]), axis=0)
    return rng.integers(-spread, spread + 1, size), rng.permutation(size)[rows]


def igraph_largest(profit, rows):
    source, sink = len(profit), len(profit) + 1
    arcs = [(i, j, 2.0**52) for i, j in rows.tolist()]
    arcs += [(source, i, float(p)) for i, p in enumerate(profit.tolist()) if p > 0]
    arcs += [(i, sink, float(-p)) for i, p in enumerate(profit.tolist()) if p < 0]
    graph = igraph.Graph(len(profit) + 2, [arc[:2] for arc in arcs], directed=True)
    chosen = np.zeros(len(profit) + 2, bool)
    chosen[graph.mincut(source, sink, capacity=[arc[2] for arc in arcs]).partition[0]] = True
    return chosen[: len(profit)]


def ortools_best_and_smallest(profit, rows):
    """The best sum, and the source's side of the cut nearest the source: the smallest optimum."""
    flow = max_flow.SimpleMaxFlow()
    source, sink = len(profit), len(profit) + 1
    flow.add_arcs_with_capacity(rows[:, 0], rows[:, 1], np.full(len(rows), 2**52))
    gains, losses = np.flatnonzero(profit > 0), np.flatnonzero(profit < 0)
    flow.add_arcs_with_capacity(np.full(gains.size, source), gains, profit[gains])
    flow.add_arcs_with_capacity(losses, np.full(losses.size, sink), -profit[losses])
    assert flow.solve(source, sink) == flow.OPTIMAL
    chosen = np.zeros(len(profit) + 2, bool)
    chosen[flow.get_source_side_min_cut()] = True
    return int(profit[gains].sum()) - flow.optimal_flow(), chosen[: len(profit)]


def holds_on(profit, rows):
    few, many = maximum_closure(profit, rows), maximum_closure(profit, rows, tie="largest")
    best, smallest = ortools_best_and_smallest(profit, rows)
    assert (few == smallest).all()
    assert (many == igraph_largest(profit, rows)).all()
    assert int(profit[few].sum()) == int(profit[many].sum()) == best


@pytest.mark.parametrize("seed", range(40))
def test_larger_graphs_equal_two_other_solvers(seed):
    rng = np.random.default_rng(seed)
    holds_on(*layered(rng, int(rng.integers(50, 2000)), int(rng.choice([1, 3, 1000, 10**9]))))


@pytest.mark.torture
@pytest.mark.parametrize("seed", range(2000))
def test_two_thousand_larger_graphs_equal_two_other_solvers(seed):
    rng = np.random.default_rng(10_000 + seed)
    holds_on(*layered(rng, int(rng.integers(50, 2000)), int(rng.choice([1, 3, 1000, 10**9]))))


def test_a_topology_serves_any_profit_and_checks_the_number_of_nodes():
    rng = np.random.default_rng(3)
    _, rows = layered(rng, 500, 1)
    topology = Topology.of(500, rows)
    for spread in (1, 5, 10**6):
        profit, forbidden = rng.integers(-spread, spread + 1, 500), rng.random(500) < 0.01
        assert (maximum_closure(profit, topology, forbidden) == maximum_closure(profit, rows, forbidden)).all()
    with pytest.raises(BadInput, match="500 nodes"):
        maximum_closure(np.zeros(3, np.int64), topology)


def test_bounds_that_grow_from_level_to_level_stay_exact():
    """Diamonds in a row double the number of paths each: N would be 2^400 without its cap."""
    size = 3 * 400 + 1
    tops = np.arange(400) * 3
    rows = [np.stack([tops + a, tops + b], axis=1) for a, b in ((3, 1), (3, 2), (1, 0), (2, 0))]
    needs = np.concatenate(rows)
    profit = np.zeros(size, np.int64)
    profit[0], profit[-1] = 1 - 2**50, 2**50 - 2
    assert not maximum_closure(profit, needs, tie="largest")[0]
    profit[-1] += 1
    assert not maximum_closure(profit, needs).any()
    assert maximum_closure(profit, needs, tie="largest").all()


def test_a_chain_of_a_million_takes_seconds():
    size = 1_000_000
    rows = np.stack([np.arange(1, size), np.arange(size - 1)], axis=1)
    profit = np.full(size, -1, dtype=np.int64)
    profit[-1] = size
    assert maximum_closure(profit, rows).all()
    profit[-1] = size - 1
    assert not maximum_closure(profit, rows).any()
    assert not maximum_closure(profit, rows, np.arange(size) == 500).any()
