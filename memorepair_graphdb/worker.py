"""Names the process that works on an event, so that another can tell whether it still lives."""

from __future__ import annotations

import os
import socket


def worker_name() -> str:
    """Return a name for this process, host and process number, by which another can tell whether it lives."""
    return f"{socket.gethostname()}:{os.getpid()}"


def is_dead(owner: str) -> bool:
    """Return whether a worker is known to be dead: it was on this host, and its process is no more."""
    host, _, pid = owner.rpartition(":")
    if host != socket.gethostname() or not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
