"""The benchmarks by name, and what is noted beside every result.

The law of the room: a benchmark takes transactions, and yields results that JSON can hold.
"""

from __future__ import annotations

import os
import platform
import resource
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import BadInput
from ..store import schema
from ..store.queries import query
from . import barrier, derive, event, serve

if TYPE_CHECKING:
    from ..store.transactions import Transactions, Tx

_MEMORY = query("bench/server_memory")

SIZED: dict[str, Callable[..., Iterator[dict[str, Any]]]] = {"barrier": barrier.run, "event": event.run}
FIXED: dict[str, Callable[..., Iterator[dict[str, Any]]]] = {"derive": derive.run, "serve": serve.run}
NAMES = (*SIZED, *FIXED)


def run(
    db: Transactions, name: str, *, sizes: Sequence[int] = (), pairs: int | None = None, tell: Callable[[str], None]
) -> dict[str, Any]:
    """Run a benchmark: its results, the machine, the server, and the memory of both sides afterwards."""
    if name not in NAMES:
        raise BadInput(f"there is no benchmark {name!r}, only {', '.join(NAMES)}")
    if sizes and name in FIXED:
        raise BadInput(f"{name} has no sizes to choose; {' and '.join(SIZED)} do")
    options: dict[str, Any] = {"tell": tell}
    if sizes:
        options["sizes"] = tuple(sizes)
    if pairs is not None:
        options["pairs"] = pairs
    results = list((SIZED | FIXED)[name](db, **options))
    return {
        "benchmark": name,
        "server": db.read(schema.check_server),
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}",
        "results": results,
        "client_peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "server_heap_mib": db.read(_server_heap) // 2**20,
    }


def _server_heap(tx: Tx) -> int:
    return int(_MEMORY.one(tx)["used"])
