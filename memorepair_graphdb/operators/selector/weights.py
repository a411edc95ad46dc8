"""A selector as it is stored: a manifest as content, safetensors as blob.

The law of the room: what is read back is byte for byte what this module writes; every other file is refused unread.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, PositiveFloat, ValidationError

from ...errors import BadInput
from ...model.content import canonical_json
from ..embedding.features import Matrix

FORMAT = "safetensors"
TENSOR = "weights"
HEADER = "skill"
"""The one key of the file's metadata: safetensors writes several in no fixed order."""
BLOB_BYTES = 16 * 1024 * 1024


class Basis(BaseModel):
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
class Skill:
    """A trained selector."""

    basis: Basis
    weights: Matrix
    """[classes, features + 1]; the last column is the bias"""

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes, sorted: the rows of the weights."""
        return tuple(sorted(set(self.basis.tools.values())))

    def choose(self, vectors: Matrix) -> list[str]:
        """Features [n, width] → the class of each."""
        return [self.classes[place] for place in np.argmax(with_bias(vectors) @ self.weights.T, axis=1)]


def with_bias(vectors: Matrix) -> Matrix:
    """The vectors with a constant 1 behind each, so that the bias is regularised like the rest."""
    return np.hstack([vectors, np.ones((len(vectors), 1))])


def to_blob(skill: Skill) -> bytes:
    """The skill as a safetensors file: one float64 tensor, and its basis as canonical JSON in the header."""
    save = _safetensors("numpy").save
    header = {HEADER: canonical_json(skill.basis.model_dump())}
    return bytes(save({TENSOR: np.ascontiguousarray(skill.weights, dtype="<f8")}, metadata=header))


def to_manifest(skill: Skill, blob: bytes) -> str:
    """The content beside a blob: canonical JSON with the features' name and the pinned hash.

    Nothing that a label or a person could have said: a row's label in metadata is no live text to the residue check.
    """
    pinned = hashlib.sha256(blob).hexdigest()
    return canonical_json({"features": skill.basis.features, "format": FORMAT, "sha256": pinned})


def read_skill(content: str, blob: bytes | None) -> Skill:
    """A skill from its manifest and blob.

    Raises `BadInput` for a blob whose hash is not the pinned one, for what is no safetensors file of ours (a pickle,
    an archive, an object array, another tensor beside the weights, bytes before or behind), for weights that are not
    finite or not of the shape that the classes and features ask for, and for a manifest that says something else.
    """
    if blob is None or len(blob) > BLOB_BYTES:
        raise BadInput("a selector has its weights in a blob of at most 16 MiB")
    if hashlib.sha256(blob).hexdigest() != _pinned(content):
        raise BadInput("the blob's hash is not the one its manifest pins")
    skill = _parse(blob)
    if to_blob(skill) != blob:
        raise BadInput("the blob holds more than one selector's weights")
    if to_manifest(skill, blob) != content:
        raise BadInput("the manifest does not describe its blob")
    return skill


def is_skill(content: str | None) -> bool:
    """Whether a content claims to be a selector of this format."""
    return _manifest(content or "").get("format") == FORMAT


def _pinned(content: str) -> Any:
    return _manifest(content).get("sha256")


def _manifest(content: str) -> dict[str, Any]:
    try:
        data = json.loads(content)
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def _parse(blob: bytes) -> Skill:
    size = int.from_bytes(blob[:8], "little")
    if size > len(blob) - 8 or blob[8:9] != b"{":
        raise BadInput("the blob is no safetensors file; pickles and archives are never opened")
    try:
        ((name, tensor),) = _safetensors("").deserialize(blob)
        basis = Basis.model_validate_json(json.loads(blob[8 : 8 + size])["__metadata__"][HEADER])
    except (_safetensors("").SafetensorError, ValidationError, ValueError, KeyError, TypeError) as error:
        raise BadInput(f"the blob is no selector: {' '.join(str(error).split())[:200]}") from error
    if name != TENSOR or tensor["dtype"] != "F64":
        raise BadInput(f"the blob holds {name!r} of type {tensor['dtype']}, not {TENSOR!r} of type F64")
    return Skill(basis, _checked(np.frombuffer(tensor["data"], dtype="<f8"), tensor["shape"], basis))


def _checked(numbers: Any, shape: list[int], basis: Basis) -> Matrix:
    classes = len(set(basis.tools.values()))
    if len(shape) != 2 or shape[0] != classes or not classes:
        raise BadInput(f"weights of shape {shape} do not fit {classes} classes")
    if not np.isfinite(numbers).all():
        raise BadInput("the weights hold NaN or an infinity")
    return np.asarray(numbers.reshape(shape), dtype=np.float64)


def _safetensors(module: str) -> Any:
    try:
        import safetensors
        import safetensors.numpy
    except ImportError as error:
        raise BadInput("a selector needs safetensors: install memorepair-graphdb[neural]") from error
    return safetensors.numpy if module else safetensors
