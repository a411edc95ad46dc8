"""Says under what conditions a result was measured: the machine, the client's memory, the server's."""

from __future__ import annotations

import os
import platform
import resource
from typing import TYPE_CHECKING

from ..store.queries import query

if TYPE_CHECKING:
    from ..store.transactions import Tx

_MEMORY = query("bench/server_memory")


def machine() -> str:
    """Return the cores, the architecture and the version of Python."""
    return f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"


def client_peak_mib() -> int:
    """Return the most memory that this process has held so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def server_heap_mib(tx: Tx) -> int:
    """Return the heap that the server uses now, in MiB."""
    return int(_MEMORY.one(tx)["used"]) // 2**20
