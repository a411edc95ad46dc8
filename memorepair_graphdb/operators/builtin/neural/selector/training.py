"""Trains a softmax regression with a ridge to the one minimum of its objective.

The objective is strictly convex, so the residual gradient bounds how far weights are from exact.

    L(W) = mean over rows of −Σ_k y_k log p_k + l2/2 ‖W‖²,    ‖W − W*‖ ≤ ‖∇L(W)‖ / l2
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax

from ....embedding.features import Features, Mask, Matrix
from .rows import TrainingRow
from .weights import with_bias

L2 = 1e-4
TOLERANCE = 1e-3
"""How far, in ‖W − W*‖, weights may be from exact; no logit of a text is then off by more than √2 times that."""
ITERATIONS = 200


@dataclass(frozen=True, slots=True)
class Fit:
    """Weights with the residual and the passes of their training."""

    weights: Matrix
    residual: float
    """‖∇L‖ at the weights"""
    products: int
    """passes over the rows: gradients and products with the Hessian"""
    way: str
    """`newton` or `retrain`"""


class Objective:
    """L over a set of rows; counts its passes over them."""

    def __init__(self, vectors: Matrix, targets: Matrix, l2: float) -> None:
        self.vectors, self.targets, self.l2 = vectors, targets, l2
        """`vectors` with the bias's 1 behind each"""
        self.products = 0

    @classmethod
    def of(cls, rows: Sequence[TrainingRow], classes: Mapping[str, str], features: Features, l2: float) -> Objective:
        """Return the objective of rows; a row whose tools have several classes is shared among them."""
        return cls(with_bias(features.encode([row.text for row in rows])), targets_of(rows, classes), l2)

    def only(self, rows: Mask) -> Objective:
        """Return the objective of some of the rows."""
        return Objective(self.vectors[rows], self.targets[rows], self.l2)

    @property
    def shape(self) -> tuple[int, int]:
        """Of the weights: classes × (features + 1)."""
        return self.targets.shape[1], self.vectors.shape[1]

    @property
    def exact_enough(self) -> float:
        """The residual up to which weights are within `TOLERANCE` of the minimum."""
        return TOLERANCE * self.l2

    def value(self, flat: Matrix) -> float:
        """Return L at the weights."""
        weights = flat.reshape(self.shape)
        entropy = -(self.targets * log_softmax(self.vectors @ weights.T, axis=1)).sum() / len(self.vectors)
        return float(entropy + self.l2 / 2 * (weights**2).sum())

    def gradient(self, flat: Matrix) -> Matrix:
        """Return ∇L at the weights, flat."""
        self.products += 1
        weights = flat.reshape(self.shape)
        off = self.probabilities(flat) - self.targets
        return np.asarray((off.T @ self.vectors / len(self.vectors) + self.l2 * weights).ravel())

    def hessian_product(self, flat: Matrix, direction: Matrix, known: Matrix | None = None) -> Matrix:
        """Return ∇²L · direction, flat; `known` are `probabilities(flat)` where they are there already."""
        self.products += 1
        known = self.probabilities(flat) if known is None else known
        moved = self.vectors @ direction.reshape(self.shape).T
        curved = known * (moved - (known * moved).sum(axis=1, keepdims=True))
        return np.asarray((curved.T @ self.vectors / len(self.vectors)).ravel() + self.l2 * direction.ravel())

    def probabilities(self, flat: Matrix) -> Matrix:
        """Return [rows, classes]."""
        return chances(flat.reshape(self.shape), self.vectors)

    def residual(self, weights: Matrix) -> float:
        """Return ‖∇L‖ at the weights."""
        return float(np.linalg.norm(self.gradient(weights.ravel())))


def train(objective: Objective) -> Fit:
    """Return the minimum, from zero: exact retraining (trust-region Newton, Steihaug 1983)."""
    start, before = np.zeros(objective.shape).ravel(), objective.products
    result = minimize(
        objective.value,
        start,
        jac=objective.gradient,
        hessp=objective.hessian_product,
        method="trust-ncg",
        options={"gtol": objective.exact_enough / 2, "maxiter": ITERATIONS, "max_trust_radius": 1e4},
    )
    weights = np.asarray(result.x).reshape(objective.shape)
    return Fit(weights, objective.residual(weights), objective.products - before, "retrain")


def chances(weights: Matrix, vectors: Matrix) -> Matrix:
    """Return the chance of each class [rows, classes] for vectors with bias [rows, width + 1]."""
    return np.asarray(softmax(vectors @ weights.T, axis=1))


def targets_of(rows: Sequence[TrainingRow], classes: Mapping[str, str]) -> Matrix:
    """Return [rows, classes], each row summing to 1 over the classes of its tools."""
    column = {name: number for number, name in enumerate(sorted(set(classes.values())))}
    targets = np.zeros((len(rows), len(column)))
    for target, row in zip(targets, rows, strict=True):
        for name in {classes[tool] for tool in row.tools}:
            target[column[name]] = 1.0
    return np.asarray(targets / targets.sum(axis=1, keepdims=True))
