"""A run in a process of its own, which gets no more memory than it was promised.

Running out of memory, hanging in C or dying is the end of that one run, and of nothing else.

No pool of processes is kept: that of concurrent.futures breaks for everyone when one of its processes dies, and
pebble's when it dies before it has said which task it took, which is seen under load.
"""

from __future__ import annotations

import asyncio
import fcntl
import inspect
import multiprocessing
import os
import pickle
import resource
import signal
import threading
from dataclasses import replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import OperatorError, describe
from ..protocol.context import Context, Interfaces
from ..protocol.payload import Payload, settle
from .stage import Overran

if TYPE_CHECKING:
    from ..protocol.operator import Operator

MIB = 1 << 20
START = 30.0
"""seconds that a process may take to start"""
END = 1.0
"""seconds that it has to end by itself once it has answered"""
_REAPING = threading.Lock()
"""held to start a process and to reap one: each start asks after all the others, and of two threads that ask for one
exit code at once the second is told 255"""


def run_apart(operator: Operator, context: Context) -> Payload:
    """Run an operator with a memory limit; raises what it raises, `MemoryError`, or `Overran`.

    The function must be one that another process can import: at the top of a module, not a lambda or a closure. The
    script that is run is imported there too: what it does, not what it defines, belongs under
    `if __name__ == "__main__"`.
    """
    memory = operator.memory or 0
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload([__name__])
    work = bytes(ForkingPickler.dumps((operator.run, replace(context, parsed_recipes={}))))
    here, there = processes.Pipe(duplex=False)
    with here:
        with there:
            process = processes.Process(target=_work, args=(there, work, memory), daemon=True)
            with _REAPING:
                process.start()
        grace = 0.0
        try:
            payload, error, tools = _answer(here, operator.timeout)
            grace = END
        except EOFError:
            code = _ended(process, END)
            why = f"more than {memory} MiB, or killed" if code < 0 else "it left before it answered, see standard error"
            raise OperatorError(f"its process ended with code {code}: {why}") from None
        finally:
            _ended(process, grace)
    if isinstance(context.interfaces, Interfaces):
        for tool in tools:
            context.interfaces[tool]
    if payload is None:
        raise error or OperatorError("returned nothing")
    return payload


def at_most(operator: Operator) -> float:
    """Return the seconds that a run may take with the start and the end of its process."""
    return START + operator.timeout + 2 * END


def _ended(process: BaseProcess, grace: float) -> int:
    """Return the exit code of a process, which is killed after `grace` seconds; negative: the signal that killed it."""
    if not wait([process.sentinel], grace):
        with _REAPING:
            process.kill()
        wait([process.sentinel])
    with _REAPING:
        process.join()
        return process.exitcode or 0


_Answer = tuple[Payload | None, Exception | None, tuple[str, ...]]
"""The payload or the error, and the tools whose contracts were read."""


def _answer(line: Connection, timeout: float) -> _Answer:
    """Return what the process says once it has started; raises `EOFError` where it dies, `Overran` past its time."""
    if not line.poll(START):
        raise OperatorError(
            f"its process did not start within {START:g} s: it imports the script that is run, "
            'whose work belongs under if __name__ == "__main__"'
        )
    line.recv()
    if not line.poll(timeout):
        raise Overran
    answer: _Answer = line.recv()
    return answer


def _work(line: Connection, work: bytes, memory: int) -> None:
    """In the process: say that it has started, run, answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
    _end_with_the_parent()
    line.send(None)
    _limit(memory)
    payload: Payload | None = None
    error: Exception | None = None
    context: Context | None = None
    try:
        run, context = pickle.loads(work)
        result = run(context)
        payload = settle(asyncio.run(_awaited(result)) if inspect.isawaitable(result) else result)
    except Exception as failure:
        error = _handed_over(failure)
    contracts = None if context is None else context.interfaces
    tools = contracts.tools_read if isinstance(contracts, Interfaces) else ()
    try:
        line.send((payload, error, tools))
    except Exception as failure:  # of a payload: no memory to pack it in
        line.send((None, OperatorError(describe(failure)), tools))


def _end_with_the_parent() -> None:
    """Have the kernel end this process when its parent is gone: a loop in C would go on for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:  # its sentinel is a pipe that only the parent holds open
        fcntl.fcntl(parent.sentinel, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(parent.sentinel, fcntl.F_SETFL, fcntl.fcntl(parent.sentinel, fcntl.F_GETFL) | os.O_ASYNC)


def _handed_over(error: Exception) -> Exception:
    """Return the error, where another process can make it again; else what it says."""
    try:
        pickle.loads(ForkingPickler.dumps(error))
    except Exception:
        return OperatorError(describe(error))
    return error


async def _awaited(value: Any) -> Any:
    return await value


def _limit(memory: int) -> None:
    """No more private memory than the process has now, and `memory` MiB."""
    pages = int(Path("/proc/self/statm").read_text().split()[5])
    most = pages * resource.getpagesize() + memory * MIB
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
