"""Every peer that is installed finds the same best value as enumeration and as ours, on networks of every kind."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from memorepair_graphdb.evaluation.speed.networks import GENERATORS
from memorepair_graphdb.evaluation.speed.reference_solvers import PEERS, installed, versions
from memorepair_graphdb.solver.closure import maximum_closure

HERE = installed()


def test_the_peers_that_the_tests_need_are_installed():
    assert {"igraph", "ortools", "scipy", "networkx"} <= {peer.name for peer in HERE}


def test_versions_are_told_of_those_that_are_installed():
    assert versions().keys() == {peer.name for peer in HERE}
    assert all(versions().values())


def test_a_peer_that_is_not_installed_is_left_out(monkeypatch):
    absent = [replace(peer, package="no-such-distribution") for peer in PEERS[:1]]
    monkeypatch.setattr("memorepair_graphdb.evaluation.speed.reference_solvers.PEERS", (*absent, *PEERS[1:]))
    assert "igraph" not in {peer.name for peer in installed()} | versions().keys()


def best_by_enumeration(profit, rows):
    best = 0
    for mask in range(1 << len(profit)):
        held = [i for i in range(len(profit)) if mask >> i & 1]
        if all(mask >> j & 1 for i, j in rows if mask >> i & 1):
            best = max(best, sum(profit[i] for i in held))
    return best


@pytest.mark.parametrize("peer", HERE, ids=lambda peer: peer.name)
def test_a_peer_finds_a_closed_set_of_the_best_value(peer):
    rng = random.Random(4)
    for _ in range(60):
        size = rng.randint(2, 8)
        profit = [rng.randint(-4, 4) for _ in range(size)]
        rows = sorted({(i, rng.randrange(i)) for i in range(1, size) for _ in range(rng.randint(0, 2))})
        requires = np.array(rows, dtype=np.int64).reshape(-1, 2)
        worth = np.array(profit, dtype=np.int64)
        chosen = peer.prepared(requires)(worth)
        assert chosen.dtype == np.bool_
        assert (chosen[requires[:, 0]] <= chosen[requires[:, 1]]).all()
        assert worth[chosen].sum() == best_by_enumeration(profit, rows)


@pytest.mark.parametrize("peer", HERE, ids=lambda peer: peer.name)
@pytest.mark.parametrize("instance", GENERATORS)
def test_a_peer_agrees_with_ours_on_every_network_for_several_profits(peer, instance):
    network = GENERATORS[instance](600, 3)
    solve = peer.prepared(network.requires)
    for factor in (1, 2, 9):
        profit = factor * network.value - network.cost
        ours = profit[maximum_closure(profit, network.requires)].sum()
        assert profit[solve(profit)].sum() == ours


def test_what_is_beyond_32_bits_scipy_refuses_rather_than_solves_wrongly():
    [scipy] = [peer for peer in HERE if peer.name == "scipy"]
    with pytest.raises(OverflowError, match="2\\^31"):
        scipy.prepared(np.array([[1, 0]]))(np.array([-1, 2**31]))
