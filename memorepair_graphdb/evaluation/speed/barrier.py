"""Measures `memorepair bench barrier`: withdrawing a cascade, against switching the labels of the same nodes.

Same nodes, same indexes, in turn; between runs everything is put back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ...environment import batches
from ...model.event import RepairEvent
from ...store import barrier, schema
from ...store.queries import query
from .synthetic_memory import BATCH, cascade, forget_events, lay_down, sweep_afterwards, vector_index
from .timing import in_turn

if TYPE_CHECKING:
    from ...store.transactions import Transactions, Tx

_BARE = query("bench/bare_withdraw")
_RESTORE = query("bench/restore")

SIZES = (1_000, 10_000, 100_000)


def run(
    db: Transactions, *, sizes: Sequence[int] = SIZES, pairs: int = 5, tell: Callable[[str], None]
) -> Iterator[dict[str, Any]]:
    """Yield one result for each size, without embeddings and with a quarter embedded."""
    dimensions = vector_index(db)
    for size in sizes:
        for embedded in (0.0, 0.25):
            tell(f"barrier over {size} artifacts, {embedded:.0%} embedded")
            yield {"artifacts": size, "embedded": embedded, **_measure(db, size, embedded, dimensions, pairs)}


def _measure(db: Transactions, size: int, embedded: float, dimensions: int, pairs: int) -> dict[str, Any]:
    space = f"bench_{uuid4().hex[:12]}"
    key = db.write(schema.open_space, space, "0" * 64).encode()
    memory = cascade(size, embedded=embedded, dimensions=dimensions)

    def withdraw() -> None:
        db.barrier(barrier.withdraw, space, RepairEvent.delete([memory.ids[0]]), key)

    def put_back() -> None:
        forget_events(db, space)
        for ids in batches(memory.ids, BATCH):
            db.write(_restore, ids)

    with sweep_afterwards(db, space):
        lay_down(db, space, memory)
        db.read(schema.await_indexes)
        return in_turn(withdraw, lambda: db.write(_switch, memory.ids), pairs, put_back)


def _switch(tx: Tx, ids: Sequence[str]) -> None:
    _BARE.one(tx, ids=list(ids))


def _restore(tx: Tx, ids: Sequence[str]) -> None:
    _RESTORE.one(tx, ids=list(ids))
