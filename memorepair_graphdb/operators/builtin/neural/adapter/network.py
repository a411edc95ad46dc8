"""Defines a low-rank adapter with a head on frozen features, and trains it to the same bits in every process.

The objective is not convex: the weights depend on where training started and on its rows; the residual gradient shows
that it ended.

    Z = X + (X Aᵀ) Bᵀ,   L = mean over rows of −Σ_k y_k log softmax([Z 1] Wᵀ)_k + l2/2 (‖A‖² + ‖B‖² + ‖W‖²)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ....embedding.features import Matrix
from ..selector.weights import with_bias

RANK = 8
L2 = 1e-3
BOUND = 1e-4
"""The residual ‖∇L‖ up to which a training has ended."""
ITERATIONS = 3000
MEMORY = 20
"""pairs of steps and slopes that L-BFGS goes by"""
TRIES = 4
"""starts of the search, each where the last one stopped, before a training counts as failed"""


class AdapterNetwork(NamedTuple):
    """The weights of one shard."""

    a: Matrix
    """[rank, features]"""
    b: Matrix
    """[features, rank]"""
    head: Matrix
    """[classes, features + 1]; the last column is the bias"""

    def logits(self, vectors: Matrix) -> Matrix:
        """Return, for features [n, width], [n, classes]."""
        return np.asarray(with_bias(vectors + vectors @ self.a.T @ self.b.T) @ self.head.T)

    def chances(self, vectors: Matrix) -> Matrix:
        """Return, for features [n, width], [n, classes], each row summing to 1."""
        logits = self.logits(vectors)
        raised = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(raised / raised.sum(axis=1, keepdims=True))


@dataclass(frozen=True, slots=True)
class TrainedNetwork:
    """A network with the residual and the passes of its training."""

    network: AdapterNetwork
    residual: float
    passes: int


def initial_network(width: int, classes: int, seed: int) -> AdapterNetwork:
    """Return where a first training starts: a drawn A, and B and the head at 0."""
    drawn = np.random.default_rng(seed).normal(scale=width**-0.5, size=(RANK, width))
    return AdapterNetwork(drawn, np.zeros((width, RANK)), np.zeros((classes, width + 1)))


class Loss:
    """L over a set of rows; counts its passes over them."""

    def __init__(self, vectors: Matrix, targets: Matrix, l2: float) -> None:
        self.vectors, self.targets, self.l2 = np.ascontiguousarray(vectors), targets, l2
        """[rows, features], [rows, classes]"""
        self.passes = 0
        self._last: tuple[Matrix, float] = (np.empty(0), 0.0)
        """the weights evaluated last, and ‖∇L‖ there"""

    def value_and_slope(self, flat: Matrix) -> tuple[float, Matrix]:
        """Return L and ∇L at flat weights."""
        self.passes += 1
        network = self.to_network(flat)
        inner = self.vectors @ network.a.T
        moved = with_bias(self.vectors + inner @ network.b.T)
        logits = moved @ network.head.T
        logits -= logits.max(axis=1, keepdims=True)
        raised = np.exp(logits)
        total = raised.sum(axis=1, keepdims=True)
        count = len(self.vectors)
        value = float((np.log(total).ravel() - (self.targets * logits).sum(axis=1)).mean() + self.l2 / 2 * flat @ flat)
        off = (raised / total - self.targets) / count
        back = off @ network.head[:, :-1]
        slopes = ((back @ network.b).T @ self.vectors, back.T @ inner, off.T @ moved)
        slope = np.concatenate([slope.ravel() for slope in slopes]) + self.l2 * flat
        self._last = flat.copy(), float(np.linalg.norm(slope))
        return value, slope

    def residual(self, network: AdapterNetwork) -> float:
        """Return ‖∇L‖ at a network."""
        return self._gradient_norm(flatten(network))

    def to_network(self, flat: Matrix) -> AdapterNetwork:
        """Return flat weights as a network."""
        width, classes = self.vectors.shape[1], self.targets.shape[1]
        a, b, head = np.split(flat, [RANK * width, 2 * RANK * width])
        return AdapterNetwork(a.reshape(RANK, width), b.reshape(width, RANK), head.reshape(classes, width + 1))

    def minimise(self, start: AdapterNetwork) -> TrainedNetwork:
        """Train from a start until the gradient all but vanishes (L-BFGS); the caller looks at the residual."""
        from scipy.optimize import minimize

        before = self.passes

        def stop_at_bound(flat: Matrix) -> None:
            if np.array_equal(flat, self._last[0]) and self._last[1] <= BOUND:
                raise StopIteration

        flat = flatten(start)
        for _ in range(TRIES):
            if self._gradient_norm(flat) <= BOUND:
                break
            options = {"maxiter": ITERATIONS, "maxfun": 2 * ITERATIONS, "ftol": 0.0, "gtol": 0.0, "maxcor": MEMORY}
            result = minimize(
                self.value_and_slope, flat, jac=True, method="L-BFGS-B", callback=stop_at_bound, options=options
            )
            flat = np.asarray(result.x)
        return TrainedNetwork(self.to_network(flat), self._gradient_norm(flat), self.passes - before)

    def _gradient_norm(self, flat: Matrix) -> float:
        return float(np.linalg.norm(self.value_and_slope(flat)[1]))


def flatten(network: AdapterNetwork) -> Matrix:
    """Return all weights in one row."""
    return np.concatenate([part.ravel() for part in network])
