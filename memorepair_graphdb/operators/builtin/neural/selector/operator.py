"""Defines selector@1: moves the old weights to where training on the retained rows would have put them (param).

Rows that left service are known by key and digest only: no context holds their text.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from .....model.artifact import Arch
from .....model.vocabulary import Mode, SupportNeed
from ....embedding.features import CachedFeatures, Features
from ....embedding.minilm import best_features
from ....protocol.context import CHARACTERS_PER_TOKEN, Context
from ....protocol.payload import Payload
from ..safetensors_blob import FORMAT
from .checks import SelectorChecks
from .problem import SelectorProblem, SelectorRecipe, asked_to_retrain, problem_of
from .rows import tokens_to_read
from .training import Fit, Objective, train
from .unlearning import carry_over, unlearn_or_retrain
from .weights import SelectorBasis, SelectorSkill, to_blob, to_manifest

if TYPE_CHECKING:
    from ....protocol.registry import Registry

_log = logging.getLogger(__name__)

NAME = "selector@1"
TIMEOUT = 600.0
"""seconds: MiniLM reads 20,000 requests in a few minutes"""
OPERATIONS_A_TOKEN = 2 * 10_600_000
"""Multiplications and additions that MiniLM-L6 spends on a token (its layers' 10.6 million weights): what turns a pass
over the rows into tokens."""


class Selector:
    """Repairs selectors on one kind of features."""

    def __init__(self, features: Features) -> None:
        self.features = features

    def estimate(self, context: Context) -> float:
        """Return tokens: every row is read; the passes over their features are a hundredth of that."""
        return tokens_to_read(context)

    def repair(self, context: Context) -> Payload:
        """Unlearn the rows that left, learn the corrected ones, drop the tools that were retired."""
        problem = problem_of(context, self.features)
        objective = Objective.of(problem.rows, problem.classes, self.features, problem.l2)
        fit = _fit(problem, objective, asked_to_retrain(context))
        _log.info("%s: %s, %d forgotten, residual %.1e", context.key, fit.way, len(problem.forget), fit.residual)
        basis = SelectorBasis(
            tools=problem.classes, rows=problem.digests, features=self.features.name, l2=problem.l2, bound=problem.bound
        )
        skill = SelectorSkill(basis, fit.weights)
        blob = to_blob(skill)
        return Payload(to_manifest(skill, blob), blob=blob, spent=_spent(problem, objective, fit))


def register(registry: Registry, features: Features | None = None) -> None:
    """Add `selector@1` and its checks to a registry; MiniLM where the extra `neural` is installed, else hashed words.

    Raises `BadInput` when the registry has one already.
    """
    kept = CachedFeatures(features or best_features())
    selector, judge = Selector(kept), SelectorChecks(kept)
    registry.operator(
        NAME,
        mode=Mode.PARAM,
        support=SupportNeed.AVAILABLE,
        cost=selector.estimate,
        timeout=TIMEOUT,
        templates=(kept.name, FORMAT),
        kinds=(Arch.NEURAL,),
        recipe=SelectorRecipe,
        needs=("safetensors",),
        extra="neural",
        vouching=("gradient",),
    )(selector.repair)
    for check in judge.checks:
        registry.validator(NAME)(check)


def _fit(problem: SelectorProblem, objective: Objective, retrain: bool) -> Fit:
    if problem.old is None or retrain:
        return train(objective)
    return unlearn_or_retrain(objective, carry_over(problem.old, problem.classes))


def _spent(problem: SelectorProblem, objective: Objective, fit: Fit) -> float:
    """Return tokens read, and the passes over their features in tokens of MiniLM."""
    read = sum(len(row.text) for row in problem.rows) / CHARACTERS_PER_TOKEN
    classes, width = objective.shape
    return read + fit.products * 4 * len(problem.rows) * classes * width / OPERATIONS_A_TOKEN
