"""Unlearns rows by Newton steps from the old weights to the minimum of what is retained (Guo et al. 2020).

Steps use the retained objective alone; where they do not reach the minimum, training starts anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import ceil, sqrt

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.sparse.linalg import LinearOperator, cg

from ....embedding.features import Matrix
from .training import Fit, Objective, train
from .weights import SelectorSkill

STEPS = 8
COARSEST = 0.1
"""Relative residual to which a step's linear system is solved at least; finer as the gradient falls, so that the steps
converge faster than linearly (Dembo, Eisenstat and Steihaug 1982) and none is more exact than it is worth."""
SOLVER_STEPS = 500


def unlearn(objective: Objective, start: Matrix, steps: int = STEPS) -> Fit:
    """Take at most `steps` Newton steps from `start` [classes, features + 1].

    Fewer once they are exact enough, or once a step makes the gradient larger: that start was too far.
    """
    before, weights = objective.products, np.array(start, dtype=np.float64)
    slope = objective.gradient(weights.ravel())
    length = float(np.linalg.norm(slope))
    nearly_inverse = _mean_block(objective, weights) if length > objective.exact_enough else None
    for _ in range(steps):
        if nearly_inverse is None or length <= objective.exact_enough:
            break
        nearer = weights - _step(objective, weights, slope, nearly_inverse)
        slope = objective.gradient(nearer.ravel())
        if not np.linalg.norm(slope) < length:
            break
        weights, length = nearer, float(np.linalg.norm(slope))
    return Fit(weights, length, objective.products - before, "newton")


def unlearn_or_retrain(objective: Objective, start: Matrix) -> Fit:
    """Unlearn by Newton steps, else retrain exactly; `products` counts both."""
    fit = unlearn(objective, start)
    if fit.residual <= objective.exact_enough:
        return fit
    retrained = train(objective)
    return replace(retrained, products=fit.products + retrained.products)


def carry_over(old: SelectorSkill, classes: Mapping[str, str]) -> Matrix:
    """Return the old weights on new classes: a class keeps those of its first tool that had any, a new one gets 0."""
    names = sorted(set(classes.values()))
    start = np.zeros((len(names), old.weights.shape[1]))
    trained = [tool for tool in sorted(classes, reverse=True) if tool in old.basis.tools]
    for tool in trained:
        start[names.index(classes[tool])] = old.weights[old.classes.index(old.basis.tools[tool])]
    return start


def _step(objective: Objective, weights: Matrix, slope: Matrix, nearly_inverse: LinearOperator) -> Matrix:
    """Return H⁻¹ ∇L by preconditioned conjugate gradients: the Hessian is never formed."""
    flat = weights.ravel()
    known = objective.probabilities(flat)

    def product(direction: Matrix) -> Matrix:
        return objective.hessian_product(flat, direction, known)

    solution, _ = cg(
        LinearOperator((flat.size, flat.size), matvec=product, dtype=np.float64),
        slope,
        rtol=min(COARSEST, sqrt(float(np.linalg.norm(slope)))),
        atol=objective.exact_enough / 10,
        maxiter=SOLVER_STEPS,
        M=nearly_inverse,
    )
    return np.asarray(solution).reshape(weights.shape)


def _mean_block(objective: Objective, weights: Matrix) -> LinearOperator:
    """Return the product with the inverse of the mean of the Hessian's diagonal blocks, for every class alike.

    It is computed once for all steps: it takes (features + 1) / 2 / classes passes, which are counted.
    """
    known = objective.probabilities(weights.ravel())
    weight = (known * (1 - known)).mean(axis=1, keepdims=True)
    block = (objective.vectors * weight).T @ objective.vectors / len(objective.vectors)
    unity = np.eye(len(block))
    inverse = cho_solve(cho_factor(block + objective.l2 * unity), unity)
    objective.products += ceil(len(block) / (2 * len(weights)))

    def solve(direction: Matrix) -> Matrix:
        return np.asarray((direction.reshape(weights.shape) @ inverse).ravel())

    return LinearOperator((weights.size, weights.size), matvec=solve, dtype=np.float64)
