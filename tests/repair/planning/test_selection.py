"""The selection against brute force in fractions. Λ is the decimal as written."""

from __future__ import annotations

import random
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from memorepair_graphdb.errors import BadInput
from memorepair_graphdb.repair.planning.selection import Budget, Terms, Tradeoff, select


def pairs(rows):
    return np.array(sorted(rows), dtype=np.int64).reshape(-1, 2)


def mean(figures):
    total = sum(figures)
    return total / len(figures) if total else Fraction(1)


def smallest_optimum(value, cost, tradeoff, rows, executable, means=None):
    value, cost = [Fraction(str(v)) for v in value], [Fraction(str(c)) for c in cost]
    over, under = means or (mean(value), mean(cost))
    profit = [v / over - Fraction(tradeoff) * c / under for v, c in zip(value, cost, strict=True)]
    best = None
    for mask in range(1 << len(profit)):
        members = {i for i in range(len(profit)) if mask >> i & 1}
        if any(not executable[i] for i in members) or any(i in members and j not in members for i, j in rows):
            continue
        rank = (sum((profit[i] for i in members), Fraction(0)), -len(members))
        if best is None or rank > best[0]:
            best = (rank, members)
    assert best is not None
    return best[1]


def chosen_by(selection):
    return set(np.flatnonzero(selection.chosen).tolist())


@pytest.mark.parametrize("seed", range(6))
def test_selection_equals_brute_force_in_fractions_with_ties(seed):
    rng = random.Random(seed)
    for _ in range(200):
        size = rng.randint(1, 8)
        figure = rng.choice(
            [
                lambda: rng.randint(0, 3),
                lambda: rng.randint(0, 30) / 10,
                lambda: rng.choice([0.1, 0.2, 0.3]),
                lambda: round(rng.random() * 1000, 3),
            ]
        )
        value, cost = [figure() for _ in range(size)], [figure() for _ in range(size)]
        tradeoff = rng.choice(["0", "0.1", "0.3", "0.5", "1", "1.0", "1.5", "2", "3e-1", "0.7"])
        rows = {(i, j) for i in range(size) for j in range(i) if rng.random() < 0.3}
        executable = [rng.random() < 0.85 for _ in range(size)]
        found = select(value, cost, Tradeoff.read(tradeoff), pairs(rows), np.array(executable))
        assert found.resolution == 0.0
        assert chosen_by(found) == smallest_optimum(value, cost, tradeoff, rows, executable)


def test_a_tradeoff_where_all_balances_selects_nothing_and_a_hair_less_selects_all():
    value, cost = [1, 1, 2], [3, 3, 6]
    rows, all_can = pairs({(2, 0)}), np.ones(3, dtype=bool)
    assert chosen_by(select(value, cost, Tradeoff.read("1"), rows, all_can)) == set()
    assert chosen_by(select(value, cost, Tradeoff.read("0.999999999999"), rows, all_can)) == {0, 1, 2}


def test_a_tie_that_binary_floats_would_break_is_a_tie():
    """0.3 of a mean cost against 0.3 of a mean value: equal as written, not as doubles."""
    value, cost = [0.3, 1.7], [1.0, 1.0]
    found = select(value, cost, Tradeoff.read(0.3), pairs(set()), np.ones(2, dtype=bool))
    assert chosen_by(found) == {1}
    assert found.profit[0] == 0


def test_a_retry_on_the_stored_scale_decides_as_the_first_plan_did():
    rng = random.Random(5)
    for _ in range(300):
        size = rng.randint(2, 7)
        value, cost = [rng.randint(0, 5) for _ in range(size)], [rng.randint(0, 5) / 4 for _ in range(size)]
        tradeoff = Tradeoff.read(rng.choice(["0.25", "0.5", "1", "2"]))
        asked = (value, cost, tradeoff, pairs(set()), np.ones(size, dtype=bool))
        first = select(*asked)
        again = select(*asked, value_mean=first.value_mean, cost_mean=first.cost_mean)
        assert chosen_by(first) == chosen_by(again)


def test_a_given_scale_is_used_instead_of_the_means():
    asked = ([1.0], [1.0], Tradeoff.read("1"), pairs(set()), np.ones(1, dtype=bool))
    assert chosen_by(select(*asked)) == set()
    assert chosen_by(select(*asked, value_mean=0.5, cost_mean=1.0)) == {0}


def test_zero_tradeoff_takes_every_worth_and_what_it_needs():
    found = select([0, 5, 0], [9, 9, 9], Tradeoff.read(0), pairs({(1, 0)}), np.ones(3, dtype=bool))
    assert chosen_by(found) == {0, 1}


def test_means_of_zero_count_as_one():
    found = select([0, 0], [0, 0], Tradeoff.read("0.3"), pairs(set()), np.ones(2, dtype=bool))
    assert (found.value_mean, found.cost_mean, chosen_by(found)) == (1.0, 1.0, set())
    free = select([2, 2], [0, 0], Tradeoff.read("0.3"), pairs(set()), np.ones(2, dtype=bool))
    assert (free.value_mean, free.cost_mean, chosen_by(free)) == (2.0, 1.0, {0, 1})


def test_no_candidates_give_an_empty_selection():
    found = select([], [], Tradeoff.read("0.3"), pairs(set()), np.zeros(0, dtype=bool))
    assert (found.chosen.size, found.value_mean, found.cost_mean) == (0, 1.0, 1.0)


def test_figures_too_fine_for_the_bound_are_rounded_once_and_the_resolution_is_told():
    rng = random.Random(3)
    value = [rng.random() for _ in range(2000)]
    cost = [rng.random() * 1e5 for _ in range(2000)]
    found = select(value, cost, Tradeoff.read("0.9"), pairs(set()), np.ones(2000, dtype=bool))
    assert 0 < found.resolution < 1e-9
    assert 2**49 < int(np.abs(found.profit).sum()) < 2**51
    clear = np.abs(found.gain) > 2 * found.resolution
    assert (found.chosen[clear] == (found.gain[clear] > 0)).all()
    assert np.allclose(found.profit * found.resolution, found.gain, rtol=0, atol=2 * found.resolution)


def test_figures_of_every_magnitude_a_double_has_are_taken():
    found = select(
        [1e-300, 1e300, 5e-324], [1e300, 1e-300, 1.7e308], Tradeoff.read(0.5), pairs(set()), np.ones(3, bool)
    )
    assert chosen_by(found) == {1}


def best_within(value, cost, tradeoff, rows, executable, most):
    """The greatest Σw − λΣc of a closed set that costs `most` or less, in mean values."""
    value, cost = [Fraction(str(v)) for v in value], [Fraction(str(c)) for c in cost]
    over, under = mean(value), mean(cost)
    best = Fraction(0)
    for mask in range(1 << len(value)):
        members = {i for i in range(len(value)) if mask >> i & 1}
        closed = all(j in members for i, j in rows if i in members)
        if closed and all(executable[i] for i in members) and sum(cost[i] for i in members) <= most:
            best = max(
                best, sum((value[i] / over - Fraction(tradeoff) * cost[i] / under for i in members), Fraction(0))
            )
    return best


@pytest.mark.parametrize("seed", range(4))
def test_within_a_budget_it_is_the_best_that_brute_force_finds_or_says_by_how_much_not(seed):
    rng = random.Random(seed)
    tight = 0
    for _ in range(60):
        size = rng.randint(1, 8)
        figure = rng.choice(
            [lambda: rng.randint(0, 9), lambda: rng.randint(0, 30) / 10, lambda: round(rng.random(), 3)]
        )
        value, cost = [figure() for _ in range(size)], [figure() for _ in range(size)]
        tradeoff = rng.choice(["0", "0.3", "1"])
        rows = {(i, j) for i in range(size) for j in range(i) if rng.random() < 0.3}
        executable = [rng.random() < 0.85 for _ in range(size)]
        executable = [can and all(executable[j] for i, j in rows if i == n) for n, can in enumerate(executable)]
        share = rng.randint(0, 10)
        everything = sum((Fraction(str(c)) for c, can in zip(cost, executable, strict=True) if can), Fraction(0))
        asked = (value, cost, Tradeoff.read(tradeoff), pairs(rows), np.array(executable))
        found = select(*asked, budget=Budget.read(f"{share}0%"))
        members = chosen_by(found)
        assert all(j in members for i, j in rows if i in members)
        assert all(executable[i] for i in members)
        assert sum(Fraction(str(cost[i])) for i in members) <= everything * share / 10
        best = best_within(value, cost, tradeoff, rows, executable, everything * share / 10)
        assert found.proof is not None
        assert found.proof.net <= best + Fraction(1, 10**9)
        assert found.proof.bound >= best - Fraction(1, 10**9)
        assert found.proof.gap <= 1e-4
        assert float(best) - found.proof.net <= 1e-4 * float(best) + 1e-9
        tight += chosen_by(select(*asked)) != members
    assert tight > 10


def test_a_budget_that_keeps_nothing_out_changes_nothing():
    asked = ([3, 1], [1, 2], Tradeoff.read("0.3"), pairs({(0, 1)}), np.ones(2, dtype=bool))
    free, held = select(*asked), select(*asked, budget=Budget.read("100%"))
    assert chosen_by(free) == chosen_by(held) == {0, 1}
    assert free.proof is None
    assert held.proof is not None
    assert (held.proof.gap, held.proof.status) == (0.0, "optimal")
    assert chosen_by(select(*asked, budget=Budget.read(0))) == set()


def test_figures_too_fine_for_a_budget_are_rounded_and_the_budget_is_kept_all_the_same():
    rng = random.Random(7)
    value, cost = [rng.random() for _ in range(300)], [rng.random() * 1e6 for _ in range(300)]
    found = select(value, cost, Tradeoff.read("0.1"), pairs(set()), np.ones(300, dtype=bool), budget=Budget.read("25%"))
    assert 0 < found.resolution < 1e-4
    assert sum(cost[i] for i in chosen_by(found)) <= sum(cost) / 4
    assert found.proof is not None
    assert found.proof.gap < 0.01


@pytest.mark.parametrize("given", ["", "x", "-1", "50%%", "%", "-5%", "1/2", True, [1], float("nan")])
def test_what_is_no_budget_is_refused(given):
    with pytest.raises(BadInput, match="a budget is a number of tokens, 0 or more, or such as 50%"):
        Terms.read("0.3", given)


def test_terms_are_kept_as_written():
    assert Terms.read("0.30", " 50% ") == Terms("0.30", "50%")
    assert Terms.read(None, 1200) == Terms(None, "1200")
    assert Terms.read(0.3, None) == Terms("0.3", None)


@pytest.mark.parametrize("given", ["0.3", "3e-1", ".3", 0.3, Decimal("0.30"), "0.300"])
def test_the_tradeoff_is_read_as_written(given):
    assert Tradeoff.read(given).ratio == Fraction(3, 10)


def test_a_numpy_float_is_read_like_a_float():
    assert Tradeoff.read(np.float64(0.3)) == Tradeoff("0.3", Fraction(3, 10))


@pytest.mark.parametrize(
    "given",
    [
        *["-0.1", "nan", "inf", "", "x", "1/3", "0,3", "1_0", " 1", "1e999999999", "1e9999", "٣", "9" * 500],
        *[-0.1, float("nan"), float("inf"), -1, Decimal("-1"), Decimal("NaN"), True, None, [1]],
    ],
)
def test_what_is_no_decimal_of_at_least_zero_is_refused(given):
    with pytest.raises(BadInput, match="λ"):
        Tradeoff.read(given)


@pytest.mark.parametrize("wrong", [-1.0, float("nan"), float("inf")])
def test_wrong_figures_and_scales_are_refused(wrong):
    one = np.ones(1, dtype=bool)
    with pytest.raises(BadInput, match="value"):
        select([wrong], [1.0], Tradeoff.read(1), pairs(set()), one)
    with pytest.raises(BadInput, match="cost"):
        select([1.0], [wrong], Tradeoff.read(1), pairs(set()), one)
    with pytest.raises(BadInput, match="mean value"):
        select([1.0], [1.0], Tradeoff.read(1), pairs(set()), one, value_mean=wrong)
    with pytest.raises(BadInput, match="mean cost"):
        select([1.0], [1.0], Tradeoff.read(1), pairs(set()), one, cost_mean=0.0)
    with pytest.raises(BadInput, match="one each"):
        select([1.0, 2.0], [1.0], Tradeoff.read(1), pairs(set()), one)
