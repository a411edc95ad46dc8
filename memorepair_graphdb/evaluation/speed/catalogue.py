"""The benchmarks by name, and what is noted beside every result.

The law of the room: a benchmark takes transactions, or stands alone, and yields results that JSON can hold.
"""

from __future__ import annotations

import os
import platform
import resource
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...errors import BadInput
from ...solver import closure
from ...store import schema
from ...store.queries import query
from . import barrier, derive, event, selection, serve
from .reference_solvers import versions

if TYPE_CHECKING:
    from ...store.transactions import Transactions, Tx

_MEMORY = query("bench/server_memory")

SIZED: dict[str, Callable[..., Iterator[dict[str, Any]]]] = {"barrier": barrier.run, "event": event.run}
FIXED: dict[str, Callable[..., Iterator[dict[str, Any]]]] = {"derive": derive.run, "serve": serve.run}
ALONE: dict[str, Callable[..., Iterator[dict[str, Any]]]] = {"selection": selection.run}
"""without a server"""
NAMES = (*SIZED, *FIXED, *ALONE)


def run(
    db: Transactions, name: str, *, sizes: Sequence[int] = (), pairs: int | None = None, tell: Callable[[str], None]
) -> dict[str, Any]:
    """Run a benchmark: its results, the machine, the server, and the memory of both sides afterwards."""
    if name not in SIZED | FIXED:
        raise BadInput(f"there is no benchmark {name!r}, only {', '.join(NAMES)}")
    if sizes and name in FIXED:
        raise BadInput(f"{name} has no sizes to choose; {' and '.join((*SIZED, *ALONE))} do")
    results = list((SIZED | FIXED)[name](db, **_options(sizes, pairs), tell=tell))
    return {
        "benchmark": name,
        "server": db.read(schema.check_server),
        **_around(results),
        "server_heap_mib": db.read(_server_heap) // 2**20,
    }


def run_alone(
    name: str,
    *,
    sizes: Sequence[int] = (),
    pairs: int | None = None,
    fast: bool = False,
    tell: Callable[[str], None],
) -> dict[str, Any]:
    """Run one of `ALONE`, `fast` with the compiled cutter: its results, the machine, and the peers' versions."""
    before = closure.enable_fast(fast)
    try:
        results = list(ALONE[name](**_options(sizes, pairs), tell=tell))
    finally:
        closure.enable_fast(before)
    return {"benchmark": name, "cutter": "compiled" if fast else "igraph", **_around(results), "peers": versions()}


def _options(sizes: Sequence[int], pairs: int | None) -> dict[str, Any]:
    """What was asked for; the rest is the benchmark's own to say."""
    asked = {"sizes": tuple(sizes) or None, "pairs": pairs}
    return {name: option for name, option in asked.items() if option is not None}


def _around(results: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}",
        "results": results,
        "client_peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def _server_heap(tx: Tx) -> int:
    return int(_MEMORY.one(tx)["used"])
