"""What is asked for in a call: texts, counts, vectors, checked before a transaction is opened for them.

The law of the room: what could not be asked raises `BadInput` that names the argument.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Self

from ..errors import BadInput
from .names import check_text
from .numbers import DIMENSIONS, as_embedding

MOST = 10_000
"""The most results of one search."""


def require_text(given: Any, what: str) -> str:
    """A text that the database can be asked about."""
    if not isinstance(given, str):
        raise BadInput(f"{what} is a text, not {type(given).__name__}")
    try:
        return check_text(given)
    except ValueError as error:
        raise BadInput(f"{what} {error}") from error


def require_count(given: Any, what: str, most: int) -> int:
    """A whole number from 1 to `most`."""
    if isinstance(given, bool) or not isinstance(given, int) or not 1 <= given <= most:
        raise BadInput(f"{what} is a whole number from 1 to {most:,}, not {given!r:.100}")
    return given


def require_dimensions(given: Any) -> int:
    """The length of an embedding that an index can take."""
    return require_count(given, "dimensions", DIMENSIONS)


def require_embedding(given: Any) -> tuple[float, ...]:
    """A vector to be near to."""
    try:
        return as_embedding(given)
    except ValueError as error:
        raise BadInput(f"embedding {error}") from error


class SearchRequest(NamedTuple):
    """What a search is for: the `k` nearest to a vector, else the `k` that match a text best."""

    text: str
    vector: tuple[float, ...] | None
    k: int

    @classmethod
    def asked(cls, text: Any, embedding: Any, k: Any, by: Any) -> Self:
        """Check what a caller asks; raises `BadInput` where there is nothing to search for."""
        count = require_count(k, "k", MOST)
        if by not in (None, "text", "vector"):
            raise BadInput(f"by is text or vector, not {by!r:.100}")
        if embedding is not None and by != "text":
            return cls("", require_embedding(embedding), count)
        if by == "vector":
            raise BadInput("a search by vector needs an embedding, or an embedder")
        if text is None:
            raise BadInput("nothing to search for: give a text or an embedding")
        return cls(require_text(text, "text"), None, count)
