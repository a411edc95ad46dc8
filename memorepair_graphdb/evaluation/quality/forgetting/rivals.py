"""Holds other ways to forget, to measure beside Newton's: SISA and gradient ascent.

No repair uses them; each gets the same rows and the same ridge.
"""

from __future__ import annotations

import numpy as np

from ....operators.builtin.neural.selector.training import Fit, Objective, chances, train
from ....operators.embedding.features import Mask, Matrix

SHARDS = 5
ASCENT_STEPS = 10
ASCENT_RATE = 1.0


class Shards:
    """An ensemble of selectors, each trained on a share of the rows (SISA, Bourtoule et al. 2021)."""

    def __init__(self, objective: Objective, seed: int) -> None:
        self._whole = objective
        self._share = np.random.default_rng(seed).integers(SHARDS, size=len(objective.targets))
        self._members = [self._trained(number, np.ones(len(self._share), dtype=bool)) for number in range(SHARDS)]

    def forget(self, kept: Mask) -> float:
        """Train anew the members that saw a row that is not kept; returns passes over the whole set of rows."""
        passes = 0.0
        for number in set(self._share[~kept].tolist()):
            self._members[number] = self._trained(number, kept)
            passes += self._members[number].products * float((self._share == number).mean())
        return passes

    def probabilities(self, vectors: Matrix) -> Matrix:
        """Return the mean of the members', [rows, classes]."""
        return np.asarray(np.mean([chances(member.weights, vectors) for member in self._members], axis=0))

    def _trained(self, number: int, kept: Mask) -> Fit:
        return train(self._whole.only((self._share == number) & kept))


def ascend(forget: Objective, start: Matrix) -> Matrix:
    """Weights after steps up the loss of the forgotten rows, blind to all others (Golatkar et al. 2020, baseline)."""
    weights = start.copy()
    for _ in range(ASCENT_STEPS):
        slope = forget.gradient(weights.ravel()).reshape(weights.shape) - forget.l2 * weights
        weights += ASCENT_RATE * slope
    return weights
