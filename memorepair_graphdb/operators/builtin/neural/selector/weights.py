"""Stores a selector: the weights of a softmax regression, and what they rest on.

A file is one selector's, whole: another tensor beside the weights is refused.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from pydantic import BaseModel, ConfigDict, PositiveFloat

from .....errors import OperatorError
from ....embedding.features import Matrix
from ..safetensors_blob import FORMAT, claims, dump, load, manifest

TENSOR = "weights"


class SelectorBasis(BaseModel):
    """What the weights rest on: in the file's header, since keys and labels in a manifest could pass for residue."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    tools: dict[str, str]
    """tool → the class it stands for"""
    rows: dict[str, str]
    """row id → digest of what it said"""
    features: str
    l2: PositiveFloat
    bound: bool
    """whether only tools with a contract in force are offered"""


@dataclass(frozen=True, slots=True)
class SelectorSkill:
    """A trained selector."""

    basis: SelectorBasis
    weights: Matrix
    """[classes, features + 1]; the last column is the bias"""

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes, sorted: the rows of the weights."""
        return tuple(sorted(set(self.basis.tools.values())))

    def choose(self, vectors: Matrix) -> list[str]:
        """Return, for features [n, width], the class of each."""
        return [self.classes[column] for column in np.argmax(with_bias(vectors) @ self.weights.T, axis=1)]


def with_bias(vectors: Matrix) -> Matrix:
    """Return the vectors with a constant 1 behind each, so that the bias is regularised like the rest."""
    return np.hstack([vectors, np.ones((len(vectors), 1))])


def to_blob(skill: SelectorSkill) -> bytes:
    """Return the skill as a safetensors file."""
    return dump({TENSOR: skill.weights}, skill.basis)


def to_manifest(skill: SelectorSkill, blob: bytes) -> str:
    """Return the content beside a blob."""
    return manifest(blob, skill.basis.features)


def read_skill(content: str, blob: bytes | None) -> SelectorSkill:
    """Return a skill from its manifest and blob.

    Raises `OperatorError` for what `load` refuses, another tensor than the weights, a shape that the classes do not ask
    for, and a manifest that says something else.
    """
    tensors, basis = load(content, blob, SelectorBasis)
    if set(tensors) != {TENSOR}:
        names = ", ".join(sorted(tensors)) or "nothing"
        raise OperatorError(f"the blob is no selector: it holds {names}, not {TENSOR}")
    weights, classes = tensors[TENSOR], len(set(basis.tools.values()))
    if weights.ndim != 2 or len(weights) != classes or not classes:
        raise OperatorError(f"weights of shape {list(weights.shape)} do not fit {classes} classes")
    skill = SelectorSkill(basis, weights)
    if to_manifest(skill, blob or b"") != content:
        raise OperatorError("the manifest does not describe its blob")
    return skill


def is_skill(content: str | None) -> bool:
    """Return whether a content claims to be a selector of this format."""
    return claims(content).get("format") == FORMAT
