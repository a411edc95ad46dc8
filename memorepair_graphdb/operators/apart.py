"""A run in a process of its own, which gets no more memory than it was promised.

The law of the room: running out of memory, hanging in C or dying is the end of that one run, and of nothing else.
"""

from __future__ import annotations

import asyncio
import inspect
import multiprocessing
import resource
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pebble import ProcessExpired, ProcessPool

from ..errors import BadInput
from .context import Context, Interfaces
from .course import Overran
from .payload import Payload, settle

if TYPE_CHECKING:
    from .operator import Operator

WORKERS = 4
"""processes that stand ready for each limit"""
MIB = 1 << 20
START = 20.0
"""seconds that a process may take to start"""


def run_apart(operator: Operator, context: Context) -> Payload:
    """Run an operator with a memory limit; raises what it raises, `MemoryError`, or `Overran`.

    The function must be one that another process can import: at the top of a module, not a lambda or a closure.
    """
    memory = operator.memory or 0
    future = _pool(memory).schedule(_work, args=(operator.run, context), timeout=operator.timeout)
    try:
        payload, error, tools = future.result()
    except TimeoutError:
        raise Overran from None
    except ProcessExpired as death:
        raise BadInput(f"its process ended with code {death.exitcode}: more than {memory} MiB, or killed") from None
    if isinstance(context.interfaces, Interfaces):
        for tool in tools:
            context.interfaces[tool]
    if payload is None:
        raise error or BadInput("returned nothing")
    return payload


def at_most(operator: Operator) -> float:
    """Seconds that a run may take with its waiting: for a process to start, and for one before it."""
    return START + 2 * operator.timeout


def _work(run: Any, context: Context) -> tuple[Payload | None, Exception | None, tuple[str, ...]]:
    """In the process: the payload or the error, and the tools whose contracts were read."""
    payload: Payload | None = None
    error: Exception | None = None
    try:
        made = run(context)
        payload = settle(asyncio.run(_awaited(made)) if inspect.isawaitable(made) else made)
    except Exception as failure:
        error = failure
    tools = context.interfaces.tools_read if isinstance(context.interfaces, Interfaces) else ()
    return payload, error, tools


async def _awaited(value: Any) -> Any:
    return await value


@cache
def _pool(memory: int) -> ProcessPool:
    """A new process for each run, with its limit set before it starts."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    return ProcessPool(max_workers=WORKERS, max_tasks=1, initializer=_limit, initargs=(memory,), context=context)


def _limit(memory: int) -> None:
    """No more private memory than the process has now, and `memory` MiB."""
    pages = int(Path("/proc/self/statm").read_text().split()[5])
    most = pages * resource.getpagesize() + memory * MIB
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
