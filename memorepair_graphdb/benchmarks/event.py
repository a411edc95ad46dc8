"""`memorepair bench event`: a whole repair with an operator that returns at once, against the bare statements it needs.

The law of the room: the bare side knows the cascade, the successors and their edges already, and checks nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ..model.event import RepairEvent
from ..operators.registry import Registry
from ..repair import pipeline
from ..repair.selection import Terms
from ..repair.workshop import Workshop, batches
from ..store import schema
from ..store.plans import BATCH
from ..store.queries import query
from .memories import cascade, lay_down, swept
from .ratios import compared, seconds

if TYPE_CHECKING:
    from ..operators.context import Context
    from ..store.transactions import Transactions, Tx
    from .memories import Memory

_WITHDRAW = query("bench/bare_withdraw")
_SUCCESSORS = query("bench/bare_successors")
_SWAP = query("bench/bare_swap")

SIZES = (10_000, 100_000)


def run(
    db: Transactions, *, sizes: Sequence[int] = SIZES, pairs: int = 1, tell: Callable[[str], None]
) -> Iterator[dict[str, Any]]:
    """One result for each size: where the time went, and the ratio to the sum of the bare statements."""
    for size in sizes:
        ours, bare = [], []
        for turn in range(pairs):
            tell(f"event over {size} artifacts, pair {turn + 1} of {pairs}")
            ours.append(_whole(db, size, turn))
            bare.append(_bare(db, size, turn))
        totals = compared([sum(steps.values()) for steps in ours], [sum(steps.values()) for steps in bare])
        yield {
            "artifacts": size,
            **totals,
            "ours_s": {step: round(median(s[step] for s in ours), 3) for step in ours[0]},
            "bare_s": {step: round(median(s[step] for s in bare), 3) for step in bare[0]},
        }


def _whole(db: Transactions, size: int, seed: int) -> dict[str, float]:
    space = f"bench_{uuid4().hex[:12]}"
    key = db.write(schema.open_space, space, "0" * 64).encode()
    memory = cascade(size, seed=seed)
    shop = Workshop(db=db, space=space, tombstone_key=key, registry=_instant(), lease_seconds=600)
    with swept(db, space):
        lay_down(db, space, memory)
        event = RepairEvent.correct({memory.ids[0]: "the root, corrected"})
        report = pipeline.repair(shop, event, Terms("0"))
        published = report.counts.get("published", 0)
        if published != size - 1:
            raise RuntimeError(f"{published} of {size - 1} were published: {report.counts}")
        return dict(report.seconds)


def _instant() -> Registry:
    registry = Registry()
    lock = threading.Lock()
    made = iter(range(10**9))

    @registry.operator("instant@1", mode="regen")
    def instant(context: Context) -> str:
        """Return at once."""
        with lock:
            return f"successor {next(made)}"

    return registry


def _bare(db: Transactions, size: int, seed: int) -> dict[str, float]:
    space = f"bench_{uuid4().hex[:12]}"
    memory = cascade(size, seed=seed)
    with swept(db, space):
        lay_down(db, space, memory)
        rows = _successors(memory)
        swaps = [[f"{id_}_2", id_] for id_ in memory.ids[1:]]
        return {
            "withdraw": seconds(lambda: db.write(_run, _WITHDRAW.name, {"ids": memory.ids})),
            "create": seconds(lambda: _in_batches(db, _SUCCESSORS.name, rows, space)),
            "swap": seconds(lambda: _in_batches(db, _SWAP.name, swaps, None)),
        }


def _successors(memory: Memory) -> list[dict[str, Any]]:
    return [
        {**memory.rows[n], "id": f"{id_}_2", "sources": [f"{memory.ids[s]}_2" if s else memory.ids[0] for s in sources]}
        for n, (id_, sources) in enumerate(zip(memory.ids, memory.sources, strict=True))
        if n
    ]


def _in_batches(db: Transactions, name: str, rows: Sequence[Any], space: str | None) -> None:
    for part in batches(rows, BATCH):
        db.write(_run, name, {"rows": list(part)} | ({"space": space} if space else {}))


def _run(tx: Tx, name: str, params: dict[str, Any]) -> int:
    return int(query(name).one(tx, **params)[0])
