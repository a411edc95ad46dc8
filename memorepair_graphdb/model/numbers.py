"""Checks numbers that come from outside: figures (value, cost, score) and embeddings.

A text or a boolean that could be read as a number is refused, and a number is stored as it came.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from numbers import Real
from typing import Annotated, Any

from pydantic import BeforeValidator

DIMENSIONS = 4096
"""The longest embedding that a vector index of Neo4j takes."""


def as_figure(value: Any) -> float:
    """Return a finite number ≥ 0 as a float; raises ValueError for all else, and for an integer that no float holds."""
    number = _as_number(value)
    if not (isfinite(number) and number >= 0):
        raise ValueError("is negative or not finite")
    return number


def as_embedding(value: Any) -> tuple[float, ...]:
    """Return a vector that can be searched by its cosine; raises ValueError with the reason for all else."""
    if isinstance(value, str | bytes | dict) or not isinstance(value, Iterable):
        raise ValueError(f"is no list of numbers, but {type(value).__name__}")
    vector = tuple(_as_number(part) for part in value)
    if not vector or len(vector) > DIMENSIONS:
        raise ValueError(f"has {len(vector)} numbers; a vector index takes 1 to {DIMENSIONS}")
    if not all(isfinite(part) for part in vector):
        raise ValueError("holds NaN or an infinity")
    length = sum(part * part for part in vector)
    if length == 0 or not isfinite(length):
        raise ValueError("has no direction: it is all zero, or its length is beyond a double")
    return vector


def _as_number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ValueError(f"is no number, but {type(value).__name__}")
    try:
        number = float(value)
    except OverflowError:
        raise ValueError("is too large") from None
    if isinstance(value, int) and number != value:
        raise ValueError(f"is {value}, which no floating-point number holds")
    return number


Figure = Annotated[float, BeforeValidator(as_figure)]
Embedding = Annotated[tuple[float, ...], BeforeValidator(as_embedding)]
