"""Measures `memorepair bench derive`: gated derivations with three parents, against a bare CREATE of the same.

The same drafts, the same clients, in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ...model.artifact import Source
from ...model.wire import new_draft
from ...store import artifacts, schema
from ...store.mapping import draft_map
from ...store.queries import query
from .synthetic_memory import cascade, lay_down, sweep_afterwards
from .timing import in_turn

if TYPE_CHECKING:
    from ...model.artifact import Draft
    from ...store.transactions import Transactions, Tx

_BARE = query("bench/bare_derive")

PARENTS = 3


def run(
    db: Transactions, *, clients: Sequence[int] = (1, 8), each: int = 200, pairs: int = 5, tell: Callable[[str], None]
) -> Iterator[dict[str, Any]]:
    """Yield one result for each number of clients; `throughput_ratio` is ours over bare."""
    for number in clients:
        tell(f"{number} clients, {each * number} derivations a run")
        figures = _measure(db, number, each, pairs)
        yield {
            "clients": number,
            **figures,
            "ours_per_s": round(each * number / figures["ours_median_s"]),
            "bare_per_s": round(each * number / figures["bare_median_s"]),
            "throughput_ratio": round(1 / figures["ratio_median"], 3),
        }


def _measure(db: Transactions, clients: int, each: int, pairs: int) -> dict[str, Any]:
    space = f"bench_{uuid4().hex[:12]}"
    key = db.write(schema.open_space, space, "0" * 64).encode()
    memory = cascade(1_000)
    numbers = range(each * clients)
    with sweep_afterwards(db, space), ThreadPoolExecutor(clients) as pool:
        lay_down(db, space, memory)

        def gated(number: int) -> None:
            db.write(artifacts.derive, space, _draft(memory.ids, number), key)

        def ungated(number: int) -> None:
            db.write(_create, space, _draft(memory.ids, number), key)

        return in_turn(lambda: list(pool.map(gated, numbers)), lambda: list(pool.map(ungated, numbers)), pairs)


def _draft(ids: Sequence[str], number: int) -> Draft:
    sources = tuple(Source(ref=ids[(number * 7 + step * 331) % len(ids)]) for step in range(PARENTS))
    return new_draft(
        key=f"d/{uuid4().hex}", kind="summary", content=f"derived {uuid4().hex}", operator="summary@1", sources=sources
    )


def _create(tx: Tx, space: str, draft: Draft, tombstone_key: bytes) -> None:
    properties = draft_map(draft, f"bench_{uuid4().hex}", tombstone_key)
    row = _BARE.first(tx, space=space, draft=properties, sources=[source.ref for source in draft.sources])
    assert row is not None  # noqa: S101 - its parents exist
    artifacts.version(tx, space, row["id"])
