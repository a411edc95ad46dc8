"""Assigns rows to shards and slices, and fingerprints what each is trained on, to show that none of it changed.

A row's place depends on its key and the seed alone, so that a row that leaves touches one shard only, and in it the
slices from its own on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, NonNegativeInt, PositiveFloat, PositiveInt

from .....model.content import canonical_json
from ..selector.rows import TrainingRow


class Layout(NamedTuple):
    """What a row's shard and slice depend on, beside its key."""

    seed: int
    shards: int
    slices: int


class ShardSettings(BaseModel):
    """What a training goes by, beside its rows."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    features: str
    l2: PositiveFloat
    seed: NonNegativeInt
    shards: PositiveInt
    slices: PositiveInt
    rank: PositiveInt


@dataclass(frozen=True, slots=True)
class ShardStage:
    """A shard up to one of its slices: the rows that a training has seen when it is done with the slice."""

    shard: int
    slice: int
    rows: tuple[TrainingRow, ...]
    """in the order of their keys"""
    classes: tuple[str, ...]
    """of these rows, sorted"""
    fingerprint: str
    """SHA-256, hex, of all that the training goes by: equal for equal weights"""

    @property
    def name(self) -> str:
        """The name under which its tensors are stored."""
        return f"{self.shard}/{self.slice}"


def stages_of(
    rows: Sequence[TrainingRow], classes: Mapping[str, str], settings: ShardSettings
) -> list[list[ShardStage]]:
    """Return, for each shard that has a row, its stages in the order of training; `classes` is tool → class."""
    shards: list[list[TrainingRow]] = [[] for _ in range(settings.shards)]
    slice_of = {}
    for row in sorted(rows, key=lambda row: row.id):
        shard, slice_of[row.id] = place_of(row.id, settings)
        shards[shard].append(row)
    return [
        [
            _stage(shard, slice_, [row for row in shard_rows if slice_of[row.id] <= slice_], classes, settings)
            for slice_ in range(min(slice_of[row.id] for row in shard_rows), settings.slices)
        ]
        for shard, shard_rows in enumerate(shards)
        if shard_rows
    ]


def place_of(id_: str, layout: Layout | ShardSettings) -> tuple[int, int]:
    """Return the shard and the slice of a row."""
    digest = hashlib.sha256(f"{layout.seed}/{id_}".encode()).digest()
    shard, slice_ = int.from_bytes(digest[:8], "big"), int.from_bytes(digest[8:16], "big")
    return shard % layout.shards, slice_ % layout.slices


def classes_of_row(row: TrainingRow, classes: Mapping[str, str]) -> list[str]:
    """Return the classes that a row is right for, sorted."""
    return sorted({classes[tool] for tool in row.tools})


def _stage(
    shard: int, slice_: int, rows: list[TrainingRow], classes: Mapping[str, str], settings: ShardSettings
) -> ShardStage:
    labels = [classes_of_row(row, classes) for row in rows]
    content = [[row.id, row.digest, label] for row, label in zip(rows, labels, strict=True)]
    basis = canonical_json([settings.model_dump(), shard, slice_, content])
    names = tuple(sorted({name for label in labels for name in label}))
    return ShardStage(shard, slice_, tuple(rows), names, hashlib.sha256(basis.encode()).hexdigest())
