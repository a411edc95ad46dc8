"""Reads from a context what a repair of a selector has to reach: rows, classes, settings, and weights to start from.

The operator and its checks read it from the same context; neither uses the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import Field

from .....errors import OperatorError
from ....embedding.features import Features
from ....protocol.context import Context
from ....protocol.recipe import DISPENSABLE, Recipe
from .rows import TrainingRow, classes_of, offered, rows_of, unchanged
from .training import L2
from .weights import SelectorSkill, is_skill, read_skill


class SelectorRecipe(Recipe):
    """What a recipe of selector@1 may say; what it does not say is as the old skill has it."""

    l2: float | None = Field(
        default=None, gt=0, allow_inf_nan=False, description="The weight of the ridge; by default the old skill's."
    )
    contracts: bool | None = Field(
        default=None, description="Whether only tools with a contract in force are offered; by default as before."
    )
    retrain: bool = Field(default=False, description="Exact retraining, whatever it costs.")
    category: Any = Field(
        default=None, description="What the skill selects for, for a reader; not used.", json_schema_extra=DISPENSABLE
    )


@dataclass(frozen=True, slots=True)
class SelectorProblem:
    """What a selector is to be trained on, and how."""

    rows: tuple[TrainingRow, ...]
    """those it rests on"""
    classes: dict[str, str]
    """tool → class, for the tools that a row names"""
    l2: float
    bound: bool
    old: SelectorSkill | None
    """what is succeeded, where it is a trained selector"""

    @property
    def digests(self) -> dict[str, str]:
        """Row id → digest."""
        return {row.id: row.digest for row in self.rows}

    @property
    def cite(self) -> tuple[TrainingRow, ...]:
        """The rows that the old weights rest on and the new ones too: unchanged, in service."""
        return unchanged(self.rows, None if self.old is None else self.old.basis.rows)

    @property
    def forget(self) -> frozenset[str]:
        """Ids of the rows that only the old weights rest on: deleted, corrected, or of no tool in force any more."""
        known = {} if self.old is None else self.old.basis.rows
        return frozenset(known) - {row.id for row in self.cite}


def problem_of(context: Context, features: Features) -> SelectorProblem:
    """Return the problem that a context sets.

    The recipe is `{"l2"?: 1e-4, "contracts"?: bool}`. `contracts` says whether only tools with a contract in force are
    offered; by default what the old skill says, and for a first one whether there is any contract. Raises `BadInput`
    for a recipe that says anything else there, an old blob that is refused or has other features (unless retraining is
    asked for: then there is nothing to start from), and no row left.
    """
    old = _old(context, features)
    recipe = context.recipe_as(SelectorRecipe)
    bound = is_bound(recipe, context, old.basis.bound if old else None)
    l2 = recipe.l2 or (old.basis.l2 if old else L2)
    named = rows_of(context)
    classes = classes_of((tool for row in named for tool in row.tools), context.interfaces, bound)
    rows = offered(named, classes)
    if not rows:
        raise OperatorError(f"{context.key} has no row in service whose tool is in force")
    return SelectorProblem(rows, classes, l2, bound, old)


def asked_to_retrain(context: Context) -> bool:
    """Return whether the recipe says `"retrain": true`: exact retraining, whatever it costs."""
    return context.recipe_as(SelectorRecipe).retrain


def _old(context: Context, features: Features) -> SelectorSkill | None:
    """Return the old skill, None for what was never trained here; a blob that is there must be one of ours."""
    if context.previous is None or (context.previous_blob is None and not is_skill(context.previous)):
        return None
    old = read_skill(context.previous, context.previous_blob)
    if (old.basis.features, old.weights.shape[1]) == (features.name, features.width + 1):
        return old
    if asked_to_retrain(context):
        return None
    raise OperatorError(
        f"{context.key} was trained on {old.basis.features}; this process has {features.name}, "
        'which a recipe with "retrain": true changes to'
    )


def is_bound(recipe: SelectorRecipe, context: Context, before: bool | None) -> bool:
    """Return whether only tools with a contract in force are offered: as the recipe says, else as before."""
    if recipe.contracts is not None:
        return recipe.contracts
    return len(context.interfaces) > 0 if before is None else before
