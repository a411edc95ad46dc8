"""What a repair of a selector has to reach: its rows, its classes, its settings, and the weights it may start from.

The law of the room: the operator and its checks read the same task from the same context; neither reads the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any, NamedTuple

from .....errors import BadInput, OperatorError
from ....embedding.features import Features
from ....protocol.context import Context
from .rows import TrainingRow, classes_of, offered, rows_of, unchanged
from .training import L2
from .weights import SelectorSkill, is_skill, read_skill


class SelectorProblem(NamedTuple):
    """A selector to be."""

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
    """The task that a context sets.

    The recipe is `{"l2"?: 1e-4, "contracts"?: bool}`. `contracts` says whether only tools with a contract in force are
    offered; by default what the old skill says, and for a first one whether there is any contract. Raises `BadInput`
    for a recipe that says anything else there, an old blob that is refused or has other features (unless retraining is
    asked for: then there is nothing to start from), and no row left.
    """
    old = _old(context, features)
    bound = flag(context, "contracts", old.basis.bound if old else len(context.interfaces) > 0)
    l2 = ridge(context.options, old.basis.l2 if old else L2)
    named = rows_of(context)
    classes = classes_of((tool for row in named for tool in row.tools), context.interfaces, bound)
    rows = offered(named, classes)
    if not rows:
        raise OperatorError(f"{context.key} has no row in service whose tool is in force")
    return SelectorProblem(rows, classes, l2, bound, old)


def asked_to_retrain(context: Context) -> bool:
    """Whether the recipe says `"retrain": true`: exact retraining, whatever it costs."""
    return flag(context, "retrain", False)


def _old(context: Context, features: Features) -> SelectorSkill | None:
    """None for what was never trained here; a blob that is there must be one of ours."""
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


def flag(context: Context, name: str, default: bool) -> bool:
    """A yes or no of the recipe; raises `BadInput` for anything else."""
    flag = context.options.get(name, default)
    if not isinstance(flag, bool):
        raise BadInput(f"{name} in the recipe of {context.key} is true or false, not {flag!r}")
    return flag


def ridge(options: Mapping[str, Any], default: float) -> float:
    """`l2` of a recipe; raises `BadInput` for what is no number above 0."""
    l2 = options.get("l2", default)
    if isinstance(l2, bool) or not isinstance(l2, int | float) or not (isfinite(l2) and l2 > 0):
        raise BadInput(f"l2 is a number above 0, not {l2!r}")
    return float(l2)
