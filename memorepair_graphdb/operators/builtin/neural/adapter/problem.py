"""Reads from a context what a repair of an adapter has to reach: rows, classes, stages, and the weights that may stay.

The operator and its checks read it from the same context; neither uses the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from pydantic import Field

from .....errors import OperatorError
from ....embedding.features import Features, Matrix
from ....protocol.context import Context
from ..selector.problem import SelectorRecipe, is_bound
from ..selector.rows import TrainingRow, classes_of, offered, rows_of, unchanged
from .network import L2, RANK, Loss
from .shards import Layout, ShardSettings, ShardStage, classes_of_row, stages_of
from .weights import AdapterSkill, is_skill, read_skill

SHARDS, SLICES = 5, 2
MOST = 64
"""shards and slices, at most"""


class AdapterRecipe(SelectorRecipe):
    """What a recipe of adapter@1 may say; what it does not say is as the old skill has it."""

    seed: int | None = Field(default=None, ge=0, le=2**32 - 1, description="Which rows go into which shard.")
    shards: int | None = Field(default=None, ge=1, le=MOST, description="Into how many shards the rows go.")
    slices: int | None = Field(default=None, ge=1, le=MOST, description="In how many stages a shard is trained.")


@dataclass(frozen=True, slots=True)
class AdapterProblem:
    """What an adapter is to be trained on, and how."""

    rows: tuple[TrainingRow, ...]
    classes: dict[str, str]
    """tool → class, for the tools that a row names"""
    settings: ShardSettings
    bound: bool
    shards: list[list[ShardStage]]
    """of each shard that has a row, its stages"""
    old: AdapterSkill | None
    """what is succeeded, where it is a trained adapter"""
    anew: bool
    """whether all is to be trained again, whatever changed"""

    @property
    def stages(self) -> dict[str, ShardStage]:
        """All stages by name."""
        return {stage.name: stage for stages in self.shards for stage in stages}

    @property
    def digests(self) -> dict[str, str]:
        """Row id → digest."""
        return {row.id: row.digest for row in self.rows}

    @property
    def cite(self) -> tuple[TrainingRow, ...]:
        """The rows that the old weights rest on and the new ones too: unchanged, in service."""
        return unchanged(self.rows, None if self.old is None else self.old.basis.rows)

    def stays(self, stage: ShardStage) -> bool:
        """Return whether the old weights of a stage were trained on exactly what it has now."""
        return not self.anew and self.old is not None and self.old.basis.stages.get(stage.name) == stage.fingerprint


def problem_of(context: Context, features: Features) -> AdapterProblem:
    """Return the problem that a context sets.

    The recipe is `{"l2"?: 1e-3, "contracts"?: bool, "retrain"?: bool, "seed"?: 0, "shards"?: 5, "slices"?: 2}`;
    `contracts` as in `selector@1`. What it does not say is as the old skill has it. Raises `BadInput` for a recipe that
    says anything else there, an old blob that is refused, and no row left.
    """
    recipe = context.recipe_as(AdapterRecipe)
    old, anew = _old(context, features), recipe.retrain
    known = None if old is None else old.basis.settings
    bound = is_bound(recipe, context, old.basis.bound if old else None)
    settings = ShardSettings(
        features=features.name,
        l2=recipe.l2 or (known.l2 if known else L2),
        rank=RANK,
        **layout_of(context, known)._asdict(),
    )
    named = rows_of(context)
    classes = classes_of((tool for row in named for tool in row.tools), context.interfaces, bound)
    rows = offered(named, classes)
    if not rows:
        raise OperatorError(f"{context.key} has no row in service whose tool is in force")
    return AdapterProblem(rows, classes, settings, bound, stages_of(rows, classes, settings), old, anew)


def layout_of(context: Context, known: ShardSettings | None = None) -> Layout:
    """Return the layout of the recipe, else the old one, else the default."""
    recipe = context.recipe_as(AdapterRecipe)
    before = Layout(0, SHARDS, SLICES) if known is None else Layout(known.seed, known.shards, known.slices)
    return Layout(
        seed=before.seed if recipe.seed is None else recipe.seed,
        shards=recipe.shards or before.shards,
        slices=recipe.slices or before.slices,
    )


def loss_of(problem: AdapterProblem, stages: Sequence[ShardStage], stage: ShardStage, vectors: Matrix) -> Loss:
    """Return the objective of one of a shard's stages; `vectors` are those of the rows of its last stage."""
    ids = {row.id for row in stage.rows}
    selected = vectors[[row.id in ids for row in stages[-1].rows]]
    targets = np.zeros((len(stage.rows), len(stage.classes)))
    for target, row in zip(targets, stage.rows, strict=True):
        names = classes_of_row(row, problem.classes)
        target[[stage.classes.index(name) for name in names]] = 1 / len(names)
    return Loss(selected, targets, problem.settings.l2)


def _old(context: Context, features: Features) -> AdapterSkill | None:
    """Return the old skill, None for what was never trained here; raises `BadInput` for a blob of another origin."""
    if context.previous is None or (context.previous_blob is None and not is_skill(context.previous)):
        return None
    old = read_skill(context.previous, context.previous_blob)
    known = old.basis.settings.features
    if known == features.name:
        return old
    if context.recipe_as(AdapterRecipe).retrain:
        return None
    raise OperatorError(
        f"{context.key} was trained on {known}; this process has {features.name}, "
        'which a recipe with "retrain": true changes to'
    )
