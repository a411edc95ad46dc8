"""What an operator returns, settled into one shape.

A payload that exists can be stored; what cannot be stored raises where it is made.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Any

from ...errors import BadInput, OperatorError
from ...model.content import as_content, canonical_json


class Payload:
    """A successor's content: text, or JSON as canonical text; with what else an operator may give.

    `spent` is in tokens; None means "what was estimated". Frozen. Raises `BadInput` for what cannot be stored:
    no content, bytes or None as content, metadata that is no JSON, an embedding or `spent` that is not finite.
    """

    __slots__ = ("blob", "content", "embedding", "metadata", "spent")

    content: str
    blob: bytes | None
    metadata: Any
    embedding: tuple[float, ...] | None
    spent: float | None

    def __init__(
        self,
        content: Any,
        *,
        blob: bytes | None = None,
        metadata: Any = None,
        embedding: Iterable[float] | None = None,
        spent: float | None = None,
    ) -> None:
        put = object.__setattr__
        put(self, "content", _text(content, blob))
        put(self, "blob", _bytes(blob))
        put(self, "metadata", _json(metadata))
        put(self, "embedding", None if embedding is None else _vector(embedding))
        put(self, "spent", None if spent is None else _tokens(spent))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a payload is frozen: {name} cannot be set")

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, tuple(getattr(self, name) for name in Payload.__slots__)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Payload):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in Payload.__slots__)

    def __hash__(self) -> int:
        return hash((self.content, self.blob))

    def __repr__(self) -> str:
        shown = self.content if len(self.content) <= 60 else f"{self.content[:59]}…"
        return f"Payload({shown!r})"


def _again(blob: bytes | None, content: str, embedding: Any, metadata: Any, spent: float | None) -> Payload:
    """Return a payload that comes from another process."""
    return Payload(content, blob=blob, metadata=metadata, embedding=embedding, spent=spent)


def settle(raw: Any) -> Payload:
    """Return the payload of an operator's str, dict, list or Payload; raises `OperatorError` for anything else."""
    if isinstance(raw, Payload):
        return raw
    if raw is None:
        raise OperatorError("returned nothing (None)")
    if not isinstance(raw, str | dict | list):
        raise OperatorError(f"returned {type(raw).__name__}; an operator returns str, dict, list or Payload")
    try:
        return Payload(raw)
    except BadInput as error:
        raise OperatorError(str(error)) from error


def _text(content: Any, blob: object) -> str:
    if content is None:
        raise BadInput("returned nothing (content is None)")
    if isinstance(content, bytes | bytearray | memoryview):
        raise BadInput("content is bytes; text or JSON belongs there, bytes go into blob")
    text = as_content(content)
    if blob is None and not text.strip():
        raise BadInput("returned nothing (an empty text)")
    return text


def _bytes(blob: object) -> bytes | None:
    if blob is not None and not isinstance(blob, bytes):
        raise BadInput(f"blob is {type(blob).__name__}, not bytes")
    return blob


def _json(metadata: Any) -> Any:
    if metadata is not None:
        try:
            as_content(canonical_json(metadata))
        except BadInput as error:
            raise BadInput(f"metadata is no JSON: {error}") from error
    return metadata


def _vector(embedding: Iterable[float]) -> tuple[float, ...]:
    try:
        vector = tuple(float(part) for part in embedding)
    except (TypeError, ValueError) as error:
        raise BadInput(f"embedding is no list of numbers: {error}") from error
    if not vector or not all(isfinite(part) for part in vector) or not any(vector):
        raise BadInput("embedding is empty, all zero, or holds NaN or an infinity")
    return vector


def _tokens(spent: object) -> float:
    if isinstance(spent, bool) or not isinstance(spent, int | float) or not (isfinite(spent) and spent >= 0):
        raise BadInput(f"spent is a number of tokens, finite and not negative, not {spent!r}")
    return float(spent)
