"""Numbers that come from outside: figures (value, cost, score) and embeddings.

The law of the room: a number is a number, not a text or a truth that could be read as one; it is stored as it came.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from numbers import Real
from typing import Annotated, Any

from pydantic import BeforeValidator

DIMENSIONS = 4096
"""The longest embedding that a vector index of Neo4j takes."""


def as_figure(given: Any) -> float:
    """A finite number ≥ 0 as a float; raises ValueError for all else, and for an integer that no float holds."""
    number = _number(given)
    if not (isfinite(number) and number >= 0):
        raise ValueError("is negative or not finite")
    return number


def as_embedding(given: Any) -> tuple[float, ...]:
    """A vector that can be searched by its cosine; raises ValueError with the reason for all else."""
    if isinstance(given, str | bytes | dict) or not isinstance(given, Iterable):
        raise ValueError(f"is no list of numbers, but {type(given).__name__}")
    vector = tuple(_number(part) for part in given)
    if not vector or len(vector) > DIMENSIONS:
        raise ValueError(f"has {len(vector)} numbers; a vector index takes 1 to {DIMENSIONS}")
    if not all(isfinite(part) for part in vector):
        raise ValueError("holds NaN or an infinity")
    length = sum(part * part for part in vector)
    if length == 0 or not isfinite(length):
        raise ValueError("has no direction: it is all zero, or its length is beyond a double")
    return vector


def _number(given: Any) -> float:
    if isinstance(given, bool) or not isinstance(given, Real):
        raise ValueError(f"is no number, but {type(given).__name__}")
    try:
        number = float(given)
    except OverflowError:
        raise ValueError("is too large") from None
    if isinstance(given, int) and number != given:
        raise ValueError(f"is {given}, which no floating-point number holds")
    return number


Figure = Annotated[float, BeforeValidator(as_figure)]
Embedding = Annotated[tuple[float, ...], BeforeValidator(as_embedding)]
