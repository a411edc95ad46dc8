"""Chooses the sentences that speak for all, and say nothing twice.

The choice depends on the vectors and their order alone; a tie goes to the earlier sentence.

Centrality is the continuous LexRank (Erkan and Radev 2004): the share of its time that a walk over the sentences, which
prefers a neighbour as much as their vectors are alike, spends on each. Sentences are then taken one by one by maximal
marginal relevance (Carbonell and Goldstein 1998): the central, unless what was taken says as much already.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...embedding.features import Matrix

DAMPING = 0.85
"""how often the walk goes to a neighbour rather than anywhere"""
STEPS = 50
"""of the walk: 0.85⁵⁰ is 0.0003"""
RELEVANCE = 0.5
"""what centrality weighs against being unlike what was taken"""
SAME = 0.9
"""cosine from which two sentences say the same"""
DIGITS = 6
"""Scores that agree so far are a tie: the last bits differ between processors."""

Vector = NDArray[np.float64]


def choose(vectors: Matrix, fits: Callable[[list[int]], bool]) -> list[int]:
    """Return the indices of the chosen rows, in their order; `fits` says whether a set of indices is not too much."""
    alike = np.clip(vectors @ vectors.T, 0.0, 1.0)
    central = centrality(alike)
    central = central / central.max() if len(central) else central
    nearest = np.zeros(len(vectors))
    open_ = np.ones(len(vectors), dtype=np.bool_)
    chosen: list[int] = []
    while open_.any():
        score = np.round(RELEVANCE * central - (1 - RELEVANCE) * nearest, DIGITS)
        index = int(np.argmax(np.where(open_, score, -np.inf)))
        open_[index] = False
        if not fits(sorted([*chosen, index])):
            continue
        chosen.append(index)
        nearest = np.maximum(nearest, alike[index])
        open_ &= alike[index] < SAME
    return sorted(chosen)


def centrality(alike: Matrix) -> Vector:
    """Return each row's share of the walk: float64[n] of sum 1, for likeness float64[n, n] in [0, 1]."""
    count = len(alike)
    likeness = alike - np.diag(np.diag(alike))  # to stay says nothing for a sentence
    totals = likeness.sum(axis=1, keepdims=True)
    steps = np.where(totals > 0, likeness / np.where(totals > 0, totals, 1.0), 1.0 / max(1, count))
    share = np.full(count, 1.0 / max(1, count))
    for _ in range(STEPS):
        share = (1 - DAMPING) / count + DAMPING * (share @ steps) if count else share
    return share
