"""Trains `adapter@1` on a shard of MetaTool: on all rows, repaired by its shards, and again without the rows.

The operator's own training is timed; a reference is the same training from nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from ....model.artifact import Arch, Kind
from ....operators.builtin.neural.adapter.network import flatten
from ....operators.builtin.neural.adapter.operator import Adapter
from ....operators.builtin.neural.adapter.problem import problem_of
from ....operators.builtin.neural.adapter.weights import AdapterSkill, to_blob, to_manifest
from ....operators.builtin.neural.selector.rows import ROLE, TrainingRow
from ....operators.embedding.features import Features, Matrix
from ....operators.protocol.context import Context, LiveSource


@dataclass(frozen=True, slots=True)
class Training:
    """One training of an adapter."""

    skill: AdapterSkill
    seconds: float
    passes: float
    """over all the rows that it rests on"""

    @property
    def weights(self) -> Matrix:
        """Of all shards, in one row."""
        return np.concatenate([flatten(self.skill.stages[stage]) for stage in self.skill.last])

    def chances(self, vectors: Matrix) -> Matrix:
        """Return features with bias [n, width + 1] → [n, classes], the classes sorted."""
        return self.skill.chances(vectors[:, :-1], sorted(set(self.skill.basis.tools.values())))


def trainings(features: Features, rows: Iterable[TrainingRow], kept: Iterable[TrainingRow]) -> dict[str, Training]:
    """`adapter_original` on all rows, `adapter` repaired to the kept ones, `adapter_retrain` on these from nothing."""
    original = _trained(features, rows, None)
    kept = tuple(kept)
    return {
        "adapter_original": original,
        "adapter": _trained(features, kept, original.skill),
        "adapter_retrain": _trained(features, kept, None),
    }


def _trained(features: Features, rows: Iterable[TrainingRow], old: AdapterSkill | None) -> Training:
    supports = (
        LiveSource(row.id, ROLE, Kind.RECORD, row.text, metadata={"tools": list(row.tools)})
        for row in sorted(rows, key=lambda row: row.id)
    )
    blob = None if old is None else to_blob(old)
    content = None if old is None or blob is None else to_manifest(old, blob)
    context = Context("selector/metatool", Kind.SKILL, Arch.NEURAL, {}, {}, content, blob, tuple(supports))
    started = perf_counter()
    task = problem_of(context, features)
    skill, trained = Adapter(features).train(task)
    passes = sum(done.passes * len(task.stages[name].rows) for name, done in trained.items()) / len(task.rows)
    return Training(skill, perf_counter() - started, passes)
