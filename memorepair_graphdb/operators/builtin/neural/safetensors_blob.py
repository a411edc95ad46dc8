"""Stores weights: a manifest as content, safetensors as blob, pinned to each other.

A file is accepted only where it is byte for byte what this module writes; pickles and archives are never opened.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np
from pydantic import BaseModel, ValidationError

from ....errors import OperatorError
from ....model.content import canonical_json
from ...embedding.features import Matrix

FORMAT = "safetensors"
HEADER = "skill"
"""The one key of the file's metadata: safetensors writes several in no fixed order."""
BLOB_BYTES = 16 * 1024 * 1024

Basis = TypeVar("Basis", bound=BaseModel)


def dump(tensors: Mapping[str, Matrix], basis: BaseModel) -> bytes:
    """Return a safetensors file: float64 tensors by name, and what they rest on as canonical JSON in the header."""
    save = _safetensors("numpy").save
    header = {HEADER: canonical_json(basis.model_dump())}
    plain = {name: np.ascontiguousarray(tensor, dtype="<f8") for name, tensor in tensors.items()}
    return bytes(save(plain, metadata=header))


def manifest(blob: bytes, features: str, **more: str) -> str:
    """Return the content beside a blob: canonical JSON with the features' name and the pinned hash.

    It has no text that a label or a person could have written: a row's label in metadata is no live text to the
    residue check.
    """
    pinned = hashlib.sha256(blob).hexdigest()
    return canonical_json({"features": features, "format": FORMAT, "sha256": pinned, **more})


def load(content: str, blob: bytes | None, basis: type[Basis]) -> tuple[dict[str, Matrix], Basis]:
    """Return the tensors and what they rest on.

    Raises `OperatorError` for a blob whose hash is not the pinned one, for what is no safetensors file of ours (a
    pickle, an archive, an object array, bytes before or behind), for another basis, and for weights that are
    not finite.
    """
    if blob is None or len(blob) > BLOB_BYTES:
        raise OperatorError("a selector has its weights in a blob of at most 16 MiB")
    if hashlib.sha256(blob).hexdigest() != claims(content).get("sha256"):
        raise OperatorError("the blob's hash is not the one its manifest pins")
    size = int.from_bytes(blob[:8], "little")
    if size > len(blob) - 8 or blob[8:9] != b"{":
        raise OperatorError("the blob is no safetensors file; pickles and archives are never opened")
    try:
        raw = _safetensors("").deserialize(blob)
        read_basis = basis.model_validate_json(json.loads(blob[8 : 8 + size])["__metadata__"][HEADER])
    except (_safetensors("").SafetensorError, ValidationError, ValueError, KeyError, TypeError) as error:
        raise OperatorError(f"the blob is no selector: {' '.join(str(error).split())[:200]}") from error
    tensors = {name: _numbers(name, tensor) for name, tensor in raw}
    if dump(tensors, read_basis) != blob:
        raise OperatorError("the blob holds more than one selector's weights")
    return tensors, read_basis


def claims(content: str | None) -> dict[str, Any]:
    """Return what a manifest says, {} where the content is none."""
    try:
        data = json.loads(content or "")
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def _numbers(name: str, tensor: Mapping[str, Any]) -> Matrix:
    if tensor["dtype"] != "F64":
        raise OperatorError(f"the blob holds {name!r} of type {tensor['dtype']}, not F64")
    numbers = np.frombuffer(tensor["data"], dtype="<f8").reshape(tensor["shape"])
    if not np.isfinite(numbers).all():
        raise OperatorError("the weights hold NaN or an infinity")
    return np.asarray(numbers, dtype=np.float64)


def _safetensors(module: str) -> Any:
    try:
        import safetensors
        import safetensors.numpy
    except ImportError as error:
        raise OperatorError("a selector needs safetensors: install memorepair-graphdb[neural]") from error
    return safetensors.numpy if module else safetensors
