"""Checks the arguments of a call before a transaction is opened for it, and names the types that callers may give.

A wrong argument raises `BadInput` that names it.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, Self, TypeAlias

from ..errors import BadInput
from .artifact import Arch, Artifact, Kind, Source
from .names import check_text
from .numbers import DIMENSIONS, as_embedding
from .vocabulary import SearchBy

TradeoffLike: TypeAlias = str | int | float | Decimal
"""λ: a decimal number, 0 or more; taken as it is written, a float by its shortest form."""

BudgetLike: TypeAlias = str | int | float | Decimal
"""β: a number of tokens, 0 or more, or a share of what repairing all would cost, such as "50%"."""

SourceLike: TypeAlias = Source | Artifact | str | dict[str, Any]
"""A source: an artifact (its id), an id, a key, or the wire form `{"key": …, "role": …, "required": …}`."""

KindLike: TypeAlias = Kind | Literal["record", "cache", "summary", "skill"]
ArchLike: TypeAlias = Arch | Literal["neural", "prompt", "chain"]
SearchByLike: TypeAlias = SearchBy | Literal["text", "vector"]

MOST = 10_000
"""The most results of one search."""


def require_text(value: Any, what: str) -> str:
    """Return a text that the database can store; raises `BadInput` that names `what` for all else."""
    if not isinstance(value, str):
        raise BadInput(f"{what} is a text, not {type(value).__name__}")
    try:
        return check_text(value)
    except ValueError as error:
        raise BadInput(f"{what} {error}") from error


def require_count(value: Any, what: str, most: int) -> int:
    """Return a whole number from 1 to `most`; raises `BadInput` that names `what` for all else."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise BadInput(f"{what} is a whole number from 1 to {most:,}, not {value!r:.100}")
    return value


def require_dimensions(value: Any) -> int:
    """Return a length of embeddings that a vector index takes; raises `BadInput` for all else."""
    return require_count(value, "dimensions", DIMENSIONS)


def require_embedding(value: Any) -> tuple[float, ...]:
    """Return a vector that can be searched by its cosine; raises `BadInput` with the reason for all else."""
    try:
        return as_embedding(value)
    except ValueError as error:
        raise BadInput(f"embedding {error}") from error


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A checked search: for the `k` nearest to a vector, else for the `k` that match a text best."""

    text: str
    vector: tuple[float, ...] | None
    k: int

    @classmethod
    def read(cls, text: Any, embedding: Any, k: Any, by: Any) -> Self:
        """Check the arguments of a search; raises `BadInput`, also where there is nothing to search for."""
        count = require_count(k, "k", MOST)
        if by is not None and by not in tuple(SearchBy):
            raise BadInput(f"by is {' or '.join(SearchBy)}, not {by!r:.100}")
        if embedding is not None and by != SearchBy.TEXT:
            return cls("", require_embedding(embedding), count)
        if by == SearchBy.VECTOR:
            raise BadInput("a search by vector needs an embedding, or an embedder")
        if text is None:
            raise BadInput("nothing to search for: give a text or an embedding")
        return cls(require_text(text, "text"), None, count)
