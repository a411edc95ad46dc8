"""Unlearning ends where an independent library trains to without the rows, and no attacker tells the two apart."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from memorepair_graphdb.errors import BadInput
from memorepair_graphdb.evaluation.quality.forgetting.measure import Shard, measure, membership_auc, split
from memorepair_graphdb.evaluation.quality.forgetting.metatool import FILE, read_shard
from memorepair_graphdb.operators.builtin.neural.selector.training import Objective, train
from memorepair_graphdb.operators.builtin.neural.selector.unlearning import unlearn, unlearn_or_retrain
from memorepair_graphdb.operators.embedding.features import Features, HashedWords
from memorepair_graphdb.operators.embedding.minilm import MiniLM
from tests.harness.places import DATA

METATOOL = DATA / "metatool"


def drawn(rows: int = 60, width: int = 5, classes: int = 3, l2: float = 0.01) -> Objective:
    chance = np.random.default_rng(7)
    return Objective(chance.normal(size=(rows, width)), chance.dirichlet(np.ones(classes), size=rows), l2)


def shard_of(features: Features, classes: int, each: int, forget: float = 0.05) -> Shard:
    rows = read_shard(METATOOL, classes, each, seed=1)
    return split(features.encode([row.text for row in rows]), rows, forget)


def reference(objective: Objective) -> Any:
    """scikit-learn's weights on the same rows: it knows no bias column and sums where we take the mean."""
    model = LogisticRegression(
        C=1 / (objective.l2 * len(objective.targets)), fit_intercept=False, tol=1e-8, solver="newton-cg", max_iter=1000
    )
    return model.fit(objective.vectors, np.argmax(objective.targets, axis=1)).coef_


def picks(weights: Any, objective: Objective) -> Any:
    return np.argmax(objective.vectors @ weights.T, axis=1)


def losses(weights: Any, objective: Objective) -> Any:
    scores = objective.vectors @ weights.T
    scores -= scores.max(axis=1, keepdims=True)
    return np.log(np.exp(scores).sum(axis=1)) - (objective.targets * scores).sum(axis=1)


def attack(weights: Any, shard: Shard) -> float:
    """How well loss tells forgotten rows from strangers, by scikit-learn."""
    member, stranger = losses(weights, shard.forget), losses(weights, shard.strangers)
    truth = np.r_[np.ones(len(member)), np.zeros(len(stranger))]
    return float(roc_auc_score(truth, -np.r_[member, stranger]))


class TestTheObjective:
    point = np.random.default_rng(3).normal(size=15)

    def test_has_the_gradient_that_differences_show(self):
        objective = drawn()
        seen = approx_fprime(self.point, objective.value, 1e-7)
        assert np.allclose(objective.gradient(self.point), seen, atol=1e-5)

    def test_has_the_curvature_that_differences_show(self):
        objective, step = drawn(), np.random.default_rng(4).normal(size=15)
        seen = (objective.gradient(self.point + 1e-6 * step) - objective.gradient(self.point - 1e-6 * step)) / 2e-6
        assert np.allclose(objective.hessian_product(self.point, step), seen, atol=1e-6)

    def test_has_its_minimum_no_farther_than_the_residual_says(self):
        objective = drawn()
        exact = train(drawn(l2=objective.l2)).weights
        near = exact + np.random.default_rng(5).normal(size=exact.shape) * 0.1
        assert np.linalg.norm(near - exact) <= objective.residual(near) / objective.l2


class TestUnlearning:
    def test_reaches_the_weights_that_scikit_learn_trains_to(self):
        shard = shard_of(HashedWords(128), classes=8, each=60)
        moved = unlearn(shard.kept, train(shard.all).weights)
        assert moved.residual <= shard.kept.exact_enough
        assert np.linalg.norm(moved.weights - reference(shard.kept)) < 2e-2

    def test_agrees_with_a_retrained_reference_on_what_is_forgotten(self):
        shard = shard_of(HashedWords(128), classes=8, each=60, forget=0.2)
        original, retrained = train(shard.all).weights, reference(shard.kept)
        moved = unlearn(shard.kept, original).weights
        assert np.mean(picks(moved, shard.forget) != picks(retrained, shard.forget)) <= 0.01
        assert attack(moved, shard) == pytest.approx(attack(retrained, shard), abs=0.03)
        assert abs(attack(original, shard) - attack(retrained, shard)) > 0.03, "the test would not see a leak"

    def test_retrains_where_its_steps_do_not_arrive(self):
        objective = shard_of(HashedWords(64), classes=4, each=30).kept
        far = np.full(objective.shape, 50.0)
        far[::2] *= -1
        assert unlearn(objective, far).residual > objective.exact_enough
        fit = unlearn_or_retrain(objective, far)
        assert fit.way == "retrain"
        assert fit.residual <= objective.exact_enough

    def test_leaves_weights_that_are_exact_as_they_are(self):
        objective = drawn()
        exact = train(objective).weights
        assert np.array_equal(unlearn(objective, exact).weights, exact)

    @pytest.mark.torture
    @pytest.mark.timeout(1800)
    def test_on_twenty_classes_read_by_minilm_meets_the_reference(self):
        shard = shard_of(MiniLM(), classes=20, each=130)
        original, retrained = train(shard.all).weights, reference(shard.kept)
        moved = unlearn(shard.kept, original).weights
        assert np.mean(picks(moved, shard.forget) != picks(retrained, shard.forget)) <= 0.01
        assert attack(moved, shard) == pytest.approx(attack(retrained, shard), abs=0.03)
        assert abs(attack(original, shard) - attack(retrained, shard)) > 0.03


class TestTheMeasurement:
    def test_finds_newton_at_the_retrained_weights_and_for_fewer_passes(self):
        found = measure(METATOOL, HashedWords(128), classes=8, each=60)
        ways = found["ways"]
        linear = {"original", "retrain", "newton_1", "newton_2", "newton", "ascent", "sisa"}
        assert set(ways) == linear | {"adapter_original", "adapter", "adapter_retrain"}
        assert found["rows"] == {"kept": 342, "forget": 18, "strangers": 120}
        distances = [ways[way]["distance"] for way in ("original", "newton_1", "newton_2", "newton")]
        assert distances == sorted(distances, reverse=True)
        assert ways["newton"]["disagreement"] == 0.0
        assert ways["newton"]["cost_ratio"] < 1.0
        assert (ways["adapter"]["distance"], ways["adapter"]["disagreement"]) == (0.0, 0.0)
        assert ways["adapter"]["membership_auc"] == ways["adapter_retrain"]["membership_auc"]
        assert ways["adapter"]["cost_ratio"] <= 1.0

    def test_finds_an_adapter_cheap_to_repair_where_one_row_leaves(self):
        ways = measure(METATOOL, HashedWords(64), classes=4, each=60, forget=1e-9)["ways"]
        assert ways["adapter"]["distance"] == 0.0
        assert ways["adapter_original"]["distance"] > 0.0
        assert ways["adapter"]["cost_ratio"] < 0.3

    def test_rates_an_attacker_as_scikit_learn_does(self):
        chance = np.random.default_rng(2)
        members, strangers = chance.normal(size=50), chance.normal(loc=0.5, size=70)
        truth = np.r_[np.ones(50), np.zeros(70)]
        assert membership_auc(members, strangers) == pytest.approx(roc_auc_score(truth, -np.r_[members, strangers]))


class TestAShard:
    def test_holds_the_most_frequent_tools_and_no_request_twice(self, tmp_path: Path):
        table = [("a?", "A"), ("b?", "B"), ("a?", "A"), ("c?", "A"), ("b?", "C"), ("d?", "A"), ("e?", "B"), ("f?", "C")]
        with gzip.open(tmp_path / FILE, "wt", newline="") as file:
            csv.writer(file).writerows([("Query", "Tool"), *table])
        rows = read_shard(tmp_path, classes=2, each=2, seed=0)
        assert sorted(row.tools for row in rows) == [("A",), ("A",), ("B",), ("B",)]
        assert len({row.text for row in rows}) == len({row.id for row in rows}) == 4
        assert rows == read_shard(tmp_path, classes=2, each=2, seed=0)

    def test_of_another_directory_is_refused(self, tmp_path: Path):
        with pytest.raises(BadInput, match="not MetaTool's table"):
            read_shard(tmp_path, 2, 2, 0)
