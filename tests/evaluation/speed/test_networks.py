"""The networks that the selection is measured on have the shape that they are described with."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from memorepair_graphdb.errors import BadInput
from memorepair_graphdb.evaluation.speed.networks import GENERATORS, KINDS, SHARES, deep, hard, layer, pit, provenance
from memorepair_graphdb.solver.closure import maximum_closure

SIZE = 4_000


def depths(network):
    """The longest chain of needs below each node, by networkx."""
    graph: nx.DiGraph[int] = nx.DiGraph(network.requires[:, ::-1].tolist())
    graph.add_nodes_from(range(network.value.size))
    depth = np.zeros(network.value.size, dtype=int)
    for level, nodes in enumerate(nx.topological_generations(graph)):
        depth[list(nodes)] = level
    return depth


def fan_in(network):
    return np.bincount(network.requires[:, 0], minlength=network.value.size)


@pytest.mark.parametrize("name", GENERATORS)
@pytest.mark.parametrize("size", [100, 101, 1_777, SIZE])
def test_needs_are_sorted_rows_without_loops_duplicates_or_cycles(name, size):
    network = GENERATORS[name](size, 3)
    rows = [tuple(row) for row in network.requires.tolist()]
    assert rows == sorted(set(rows))
    assert all(0 <= j < i < size for i, j in rows)
    assert network.requires.dtype == network.value.dtype == network.cost.dtype == np.int64
    assert network.value.shape == network.cost.shape == (size,)
    assert min(network.value.min(), network.cost.min()) >= 0
    assert nx.is_directed_acyclic_graph(nx.DiGraph(rows))


@pytest.mark.parametrize("name", GENERATORS)
def test_the_closure_takes_them_as_they_are(name):
    network = GENERATORS[name](300, 1)
    assert 0 < maximum_closure(network.value * 2 - network.cost, network.requires).sum() < 300


@pytest.mark.parametrize("name", GENERATORS)
def test_a_seed_gives_one_network_and_another_seed_another(name):
    first, again, other = GENERATORS[name](500, 7), GENERATORS[name](500, 7), GENERATORS[name](500, 8)
    assert np.array_equal(first.value, again.value)
    assert np.array_equal(first.cost, again.cost)
    assert np.array_equal(first.requires, again.requires)
    assert not (np.array_equal(first.value, other.value) and np.array_equal(first.requires, other.requires))


@pytest.mark.parametrize("generator", [provenance, hard])
@pytest.mark.parametrize("size", [100, 1_000, SIZE])
def test_half_are_records_a_quarter_caches_and_skills_are_few(generator, size):
    counts = np.bincount(generator(size, 5).kind, minlength=len(KINDS))
    assert counts.tolist() == pytest.approx([size * share for share in SHARES], abs=1)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("size", [100, 1_500])
def test_a_memory_is_ten_to_sixteen_deep_and_only_its_records_need_nothing(size, seed):
    network = provenance(size, seed)
    assert 10 <= depths(network).max() <= 16
    assert network.kind is not None
    assert np.array_equal(fan_in(network) > 0, network.kind > 0)
    assert fan_in(network).max() <= 8


def test_every_depth_that_is_promised_is_drawn():
    assert {int(depths(provenance(200, seed)).max()) for seed in range(60)} == set(range(10, 17))


def test_a_memory_has_fan_in_up_to_eight_and_a_few_sources_that_very_many_use():
    network = provenance(100_000, 1)
    assert fan_in(network).max() == 8
    used = np.sort(np.bincount(network.requires[:, 1], minlength=100_000))[::-1]
    assert used[:1_000].sum() > 0.25 * used.sum()
    assert used[0] > 200 * used.mean()


def test_deep_memories_have_a_mean_depth_of_nineteen_and_mostly_one_path():
    network = deep(SIZE, 2)
    assert depths(network).mean() == pytest.approx(19, abs=0.2)
    assert np.unique(fan_in(network)).tolist() == [0, 1, 2]
    assert len(network.requires) < 1.15 * SIZE


def test_in_hard_ones_only_summaries_and_skills_carry_value_and_each_needs_four_to_eight():
    network = hard(SIZE, 2)
    assert network.kind is not None
    assert np.array_equal(network.value > 0, network.kind >= 2)
    assert np.unique(fan_in(network)[network.kind >= 2]).tolist() == [4, 5, 6, 7, 8]
    assert not fan_in(network)[network.kind < 2].any()


def test_hard_ones_turn_from_most_to_next_to_nothing_around_a_tradeoff_of_one():
    network = hard(SIZE, 2)
    dear, cheap = (maximum_closure(5 * network.value - n * network.cost, network.requires).mean() for n in (6, 4))
    assert dear < 0.2 < 0.7 < cheap


def test_a_stack_has_forty_layers_and_each_needs_the_one_below():
    network = layer(SIZE, 2)
    depth = depths(network)
    assert np.bincount(depth).tolist() == [100] * 40
    assert (depth[network.requires[:, 0]] == depth[network.requires[:, 1]] + 1).all()
    assert set(fan_in(network)[depth > 0].tolist()) <= {1, 2, 3}


def test_in_a_pit_a_block_needs_the_nine_above_it_and_one_in_ten_carries_value():
    network = pit(SIZE, 2)
    side = 20
    assert np.bincount(fan_in(network)).tolist()[1:4] == [0, 0, 0]
    inner = side * side + side * 5 + 5
    above = network.requires[network.requires[:, 0] == inner][:, 1]
    assert above.tolist() == [(side * (5 + n)) + 5 + e for n in (-1, 0, 1) for e in (-1, 0, 1)]
    assert (network.value > 0).mean() == pytest.approx(0.1, abs=0.01)


def test_fewer_than_a_hundred_is_refused():
    with pytest.raises(BadInput, match="100 candidates"):
        provenance(99, 1)
