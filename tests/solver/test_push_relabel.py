"""The compiled cutter against igraph's. Both are asked the same, and answer the same set."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from memorepair_graphdb.solver.closure import enable_fast, frontier, maximum_closure, within_budget


@pytest.fixture
def fast():
    enable_fast()
    yield
    enable_fast(False)


def random_case(rng, most):
    size = int(rng.integers(1, most))
    rows = rng.integers(0, size, (int(rng.integers(0, 3 * size)), 2))
    spread = int(rng.choice([1, 3, 100, 2**51 // (2 * most)]))
    return rng.integers(-spread, spread + 1, size), np.unique(rows[rows[:, 0] != rows[:, 1]], axis=0)


def both_agree(rng, most):
    profit, rows = random_case(rng, most)
    for tie in ("smallest", "largest"):
        enable_fast()
        ours = maximum_closure(profit, rows, tie=tie)
        enable_fast(False)
        assert (ours == maximum_closure(profit, rows, tie=tie)).all()


@pytest.mark.parametrize(("seed", "most", "times"), [(0, 12, 300), (1, 60, 200), (2, 2000, 20)])
def test_both_cutters_choose_the_same(fast, seed, most, times):
    rng = np.random.default_rng(seed)
    for _ in range(times):
        both_agree(rng, most)


@pytest.mark.torture
@pytest.mark.parametrize("seed", range(20))
def test_both_cutters_choose_the_same_at_length(fast, seed):
    rng = np.random.default_rng(100 + seed)
    for most in (12, 100, 2000):
        for _ in range(40):
            both_agree(rng, most)


def stack(rng, layers, width):
    """Layers of nodes that each need three of the layer below: nothing of it can be reduced."""
    node = np.repeat(np.arange(width, layers * width), 3)
    rows = np.stack([node, (node // width - 1) * width + rng.integers(0, width, node.size)], axis=1)
    return rng.integers(-100, 101, layers * width), np.unique(rows, axis=0)


def test_a_deep_stack_that_nothing_reduces_is_cut_the_same(fast):
    profit, rows = stack(np.random.default_rng(4), 30, 200)
    ours = maximum_closure(profit, rows)
    enable_fast(False)
    assert (ours == maximum_closure(profit, rows)).all()


def test_frontier_and_budget_agree_with_either(fast):
    profit, rows = stack(np.random.default_rng(5), 20, 50)
    value, cost = np.maximum(profit, 0), np.maximum(-profit, 1)
    budget = int(cost.sum()) // 2
    ours = frontier(value, cost, rows).curve()
    within = within_budget(value, cost, rows, budget, gap=0.2)
    enable_fast(False)
    assert ours == frontier(value, cost, rows).curve()
    assert within.value <= within_budget(value, cost, rows, budget, gap=0.2).bound


def test_numba_is_not_imported_unasked():
    code = "import sys, memorepair_graphdb.solver.closure; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_igraph_cuts_unless_asked():
    assert not enable_fast(False)
