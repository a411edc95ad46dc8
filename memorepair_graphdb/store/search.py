"""Finds what is in service, by text or by embedding.

The indexes hold what is visible and nothing else, and filter the space themselves: a filter behind them would leave
fewer than k results (design, section 3).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from neo4j.exceptions import ClientError, Neo4jError

from ..errors import NotFound, StoreError
from ..model.report import Hit
from .mapping import artifact_of
from .queries import query
from .schema import check_dimensions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..model.arguments import SearchRequest
    from .transactions import Tx

TEXT_INDEX = "memorepair_search_text"

_TEXT = query("retrieve/search_text")
_VECTOR = query("retrieve/search_vector")
_SCAN = query("retrieve/scan_vector")


class IndexFault(StoreError):
    """The server's vector index failed on a search: `answer_by_scan`, in another transaction, does without it."""


def answer(tx: Tx, space: str, request: SearchRequest) -> tuple[Hit, ...]:
    """Return at most k artifacts in service, best first; raises `BadInput` for a vector that no index takes."""
    if request.vector is None:
        return by_text(tx, space, request.text, request.k)
    if not check_dimensions(tx, len(request.vector)):
        return ()
    return by_embedding(tx, space, request.vector, request.k)


def by_text(tx: Tx, space: str, text: str, k: int) -> tuple[Hit, ...]:
    """Return at most k artifacts that match words of the text, best first; the text is taken literally."""
    try:
        rows = _TEXT.run(tx, space=space, text=text, k=k)
    except ClientError as error:
        if TEXT_INDEX in (error.message or ""):
            raise NotFound(
                "the database is not set up for this version: run `memorepair setup`, or call setup()"
            ) from error
        raise
    return tuple(Hit(artifact=artifact_of(row["artifact"]), score=row["score"]) for row in rows)


def by_embedding(tx: Tx, space: str, embedding: Sequence[float], k: int) -> tuple[Hit, ...]:
    """Return at most k artifacts nearest to the embedding (cosine), best first; raises `IndexFault`."""
    try:
        rows = list(_VECTOR.run(tx, space=space, embedding=list(embedding), k=k))
    except Neo4jError as error:
        # 2026.09 reads past a segment's end where a filtered search asks for more than is left after a withdrawal.
        if "out of bounds" in (error.message or ""):
            raise IndexFault(f"the server's vector index failed: {error.message}") from error
        raise
    return tuple(Hit(artifact=artifact_of(row["artifact"]), score=row["score"]) for row in rows)


def answer_by_scan(tx: Tx, space: str, request: SearchRequest) -> tuple[Hit, ...]:
    """Return what `answer` would, for a vector, by comparing every embedded artifact of the space."""
    rows = _SCAN.run(tx, space=space, embedding=list(request.vector or ()), k=request.k)
    return tuple(Hit(artifact=artifact_of(row["artifact"]), score=row["score"]) for row in rows)
