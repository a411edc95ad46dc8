"""Stores an adapter: for each stage of each shard its three matrices, and what they rest on.

A file is one skill's, whole: another tensor, or a stage without one, is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from pydantic import BaseModel, ConfigDict

from .....errors import OperatorError
from ....embedding.features import Matrix
from ..safetensors_blob import claims, dump, load, manifest
from .network import AdapterNetwork
from .shards import ShardSettings

MODEL = "adapter"
"""the `model` in a manifest"""
PARTS = AdapterNetwork._fields


class AdapterBasis(BaseModel):
    """What the weights rest on: in the file's header, as in a selector's."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    settings: ShardSettings
    tools: dict[str, str]
    """tool → the class it stands for"""
    rows: dict[str, str]
    """row id → digest of what it said"""
    stages: dict[str, str]
    """stage → fingerprint of what it was trained on"""
    classes: dict[str, list[str]]
    """stage → names of its classes: the rows of its head"""
    bound: bool
    """whether only tools with a contract in force are offered"""


@dataclass(frozen=True, slots=True)
class AdapterSkill:
    """A trained adapter."""

    basis: AdapterBasis
    stages: Mapping[str, AdapterNetwork]

    @property
    def last(self) -> list[str]:
        """The stages that answer: the last of each shard."""
        shards = {name.partition("/")[0]: name for name in sorted(self.stages, key=_order)}
        return sorted(shards.values(), key=_order)

    def chances(self, vectors: Matrix, names: Sequence[str]) -> Matrix:
        """Return [n, names] for features [n, width]: the mean of the shards; a class unknown to a shard has 0 there."""
        total = np.zeros((len(vectors), len(names)))
        for stage in self.last:
            columns = [names.index(name) for name in self.basis.classes[stage]]
            total[:, columns] += self.stages[stage].chances(vectors)
        return np.asarray(total / len(self.last))

    def choose(self, vectors: Matrix) -> list[str]:
        """Return, for features [n, width], the class of each."""
        names = sorted({name for stage in self.last for name in self.basis.classes[stage]})
        return [names[column] for column in np.argmax(self.chances(vectors, names), axis=1)]


def to_blob(skill: AdapterSkill) -> bytes:
    """Return the skill as a safetensors file."""
    tensors = {
        f"{stage}/{part}": matrix
        for stage, network in skill.stages.items()
        for part, matrix in zip(PARTS, network, strict=True)
    }
    return dump(tensors, skill.basis)


def to_manifest(skill: AdapterSkill, blob: bytes) -> str:
    """Return the content beside a blob."""
    return manifest(blob, skill.basis.settings.features, model=MODEL)


def read_skill(content: str, blob: bytes | None) -> AdapterSkill:
    """Return a skill from its manifest and blob; raises `OperatorError` for what fits no stage."""
    tensors, basis = load(content, blob, AdapterBasis)
    if basis.stages.keys() != basis.classes.keys() or not basis.stages:
        raise OperatorError("the blob is no adapter: its stages and their classes are not the same")
    wanted = {f"{stage}/{part}" for stage in basis.stages for part in PARTS}
    if tensors.keys() != wanted:
        raise OperatorError(f"the blob is no adapter: it holds {len(tensors)} tensors for {len(wanted)} of its stages")
    skill = AdapterSkill(
        basis, {stage: AdapterNetwork(*(tensors[f"{stage}/{part}"] for part in PARTS)) for stage in basis.stages}
    )
    for stage, network in skill.stages.items():
        _check_shapes(stage, network, basis)
    if to_manifest(skill, blob or b"") != content:
        raise OperatorError("the manifest does not describe its blob")
    return skill


def is_skill(content: str | None) -> bool:
    """Return whether a content claims to be an adapter."""
    return claims(content).get("model") == MODEL


def _check_shapes(stage: str, network: AdapterNetwork, basis: AdapterBasis) -> None:
    classes, rank = len(basis.classes[stage]), basis.settings.rank
    width = network.a.shape[-1]
    wanted = [(rank, width), (width, rank), (classes, width + 1)]
    if [part.shape for part in network] != wanted or not classes:
        raise OperatorError(f"the shapes of stage {stage} do not fit {classes} classes and rank {rank}")


def _order(stage: str) -> tuple[int, ...]:
    return tuple(map(int, stage.split("/")))
