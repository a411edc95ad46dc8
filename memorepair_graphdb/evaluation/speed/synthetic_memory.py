"""Makes seeded synthetic memories for measurements: one root, everything else derived from it.

The same seed gives the same memory; nothing here is timed.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ...environment import batches
from ...store import schema
from ...store.queries import query

if TYPE_CHECKING:
    from ...store.transactions import Transactions, Tx

BATCH = 2_000
DIMENSIONS = 384

_NODES = query("bench/nodes")
_EDGES = query("bench/edges")
_FORGET_EVENTS = query("bench/forget_events")
_FORGET_ARTIFACTS = query("bench/forget_artifacts")
_FORGET_GATES = query("bench/forget_gates")

_WORDS = (
    "order",
    "refund",
    "parcel",
    "invoice",
    "customer",
    "address",
    "delivery",
    "warehouse",
    "label",
    "courier",
    "email",
    "phone",
    "discount",
    "voucher",
    "subscription",
    "account",
    "payment",
    "card",
    "bank",
    "transfer",
    "ticket",
    "agent",
    "reply",
    "template",
    "policy",
    "return",
    "damage",
    "size",
    "colour",
)


@dataclass(frozen=True, slots=True)
class SyntheticMemory:
    """A synthetic memory: ids by number, 0 the root; sources by number, all smaller."""

    ids: list[str]
    sources: list[tuple[int, ...]]
    rows: list[dict[str, Any]]

    @property
    def edges(self) -> list[list[str]]:
        """(source id, target id)."""
        return [[self.ids[s], self.ids[n]] for n, sources in enumerate(self.sources) for s in sources]


def cascade(
    size: int,
    *,
    seed: int = 1,
    embedded: float = 0.0,
    dimensions: int = DIMENSIONS,
    operator: str = "instant@1",
    depth: int = 12,
) -> SyntheticMemory:
    """Return a root and `size` - 1 artifacts derived from it: fan-in 1 to 8, Zipf fan-out, about `depth` deep."""
    draw = random.Random(seed)
    mark = uuid4().hex[:12]
    ids = [f"bench_{mark}_{n}" for n in range(size)]
    layer = max(1, (size - 1) // depth)
    sources: list[tuple[int, ...]] = [()]
    for n in range(1, size):
        below = max(1, ((n - 1) // layer) * layer + 1)
        first = max(0, below - layer)
        fan_in = min(1 + int(draw.paretovariate(1.3)), 8, below - first or 1)
        picked = {first + int((below - first) * draw.random() ** 3) for _ in range(fan_in)}
        sources.append(tuple(sorted(picked)))
    rows = [_row(ids[n], n, draw, embedded, dimensions, operator) for n in range(size)]
    return SyntheticMemory(ids, sources, rows)


def _row(id_: str, n: int, draw: random.Random, embedded: float, dimensions: int, operator: str) -> dict[str, Any]:
    content = f"{n} " + " ".join(draw.choices(_WORDS, k=24))
    vector = [draw.gauss(0, 1) for _ in range(dimensions)] if n and draw.random() < embedded else None
    return {
        "id": id_,
        "key": f"k/{id_}",
        "kind": "summary" if n else "record",
        "content": content,
        "content_hash": hashlib.sha256(content.encode()).hexdigest(),
        "operator": operator if n else None,
        "embedding": vector,
        "cost": 100.0,
    }


def lay_down(db: Transactions, space: str, memory: SyntheticMemory) -> None:
    """Write a memory with bare statements."""
    for rows in batches(memory.rows, BATCH):
        db.write(_run, _NODES.name, {"space": space, "rows": list(rows)})
    for edges in batches(memory.edges, 5 * BATCH):
        db.write(_run, _EDGES.name, {"rows": list(edges)})


def vector_index(db: Transactions) -> int:
    """Return the length that the database's vector index takes; declares one of `DIMENSIONS` where there is none."""
    there = db.read(schema.embedding_dimensions)
    if there is None:
        db.write(schema.declare_embedding, DIMENSIONS)
    return there or DIMENSIONS


def forget_events(db: Transactions, space: str) -> None:
    """Delete a space's events."""
    while db.write(_run, _FORGET_EVENTS.name, {"space": space, "most": 20_000}):
        pass


@contextmanager
def sweep_afterwards(db: Transactions, space: str) -> Iterator[None]:
    """Delete everything of the space afterwards."""
    try:
        yield
    finally:
        forget_events(db, space)
        while db.write(_run, _FORGET_ARTIFACTS.name, {"space": space, "most": 5_000}):
            pass
        db.write(_run, _FORGET_GATES.name, {"space": space})


def _run(tx: Tx, name: str, params: dict[str, Any]) -> int:
    return int(query(name).one(tx, **params)[0])
