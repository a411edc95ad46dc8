"""Measures `memorepair bench serve`: reading what is in service, against the same reads without its label.

The same questions, in turn; the bare side reads through an index of its own over all artifacts.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ...store import schema
from ...store.queries import query
from .synthetic_memory import cascade, lay_down, sweep_afterwards, vector_index
from .timing import in_turn

if TYPE_CHECKING:
    from ...store.queries import Query
    from ...store.transactions import Transactions, Tx

_GET = query("retrieve/get")
_BARE_GET = query("bench/bare_get")
_VECTOR = query("retrieve/search_vector")
_BARE_VECTOR = query("bench/bare_search_vector")
_BARE_INDEX = query("bench/bare_vector_index")
_DROP_INDEX = query("bench/drop_bare_vector_index")


def run(
    db: Transactions, *, size: int = 5_000, asked: int = 300, pairs: int = 7, tell: Callable[[str], None]
) -> Iterator[dict[str, Any]]:
    """Yield one result for `get`, one for vector search (k = 10)."""
    dimensions = vector_index(db)
    space = f"bench_{uuid4().hex[:12]}"
    draw = random.Random(7)
    with sweep_afterwards(db, space):
        tell(f"{size} artifacts, all embedded")
        memory = cascade(size, embedded=1.0, dimensions=dimensions)
        lay_down(db, space, memory)
        db.write(_declare, dimensions)
        try:
            db.read(schema.await_indexes)
            keys = [memory.rows[draw.randrange(size)]["key"] for _ in range(asked)]
            vectors = [[draw.gauss(0, 1) for _ in range(dimensions)] for _ in range(asked)]
            tell(f"get, {asked} keys a run")
            yield {"read": "get", **_measure(db, _GET, _BARE_GET, [{"space": space, "key": k} for k in keys], pairs)}
            tell(f"vector search, {asked} questions a run")
            asks = [{"space": space, "embedding": vector, "k": 10} for vector in vectors]
            yield {"read": "vector", **_measure(db, _VECTOR, _BARE_VECTOR, asks, pairs)}
        finally:
            db.write(_drop)


def _measure(db: Transactions, ours: Query, bare: Query, asks: list[dict[str, Any]], pairs: int) -> dict[str, Any]:
    def read(statement: Query) -> None:
        for ask in asks:
            db.read(_ask, statement.name, ask)

    return in_turn(lambda: read(ours), lambda: read(bare), pairs)


def _ask(tx: Tx, name: str, ask: dict[str, Any]) -> int:
    return len(query(name).run(tx, **ask))


def _declare(tx: Tx, dimensions: int) -> None:
    _BARE_INDEX.run(tx, dimensions=dimensions)


def _drop(tx: Tx) -> None:
    _DROP_INDEX.run(tx)
