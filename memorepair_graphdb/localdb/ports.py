"""Finds free ports on the loopback address: the usual ones, else the ones after them.

A port that is free now may be taken before the server listens, so `server` tries again.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Collection

from ..errors import LocalServerError
from .settings import BOLT_PORT, HTTP_PORT, LOOPBACK, Ports

SPAN = 200


def find_ports(preferred: Ports | None = None, reserved: Collection[int] = ()) -> Ports:
    """Find a port for Bolt and one for HTTP that nothing listens on.

    `preferred` are tried first, so that a server keeps its address from one start to the next; `reserved` are left to
    other servers, which may not listen yet.

    Raises:
        LocalServerError: none is free.
    """
    first = preferred or Ports(BOLT_PORT, HTTP_PORT)
    bolt = _find_free((first.bolt, *range(BOLT_PORT, BOLT_PORT + SPAN)), reserved)
    http = _find_free((first.http, *range(HTTP_PORT, HTTP_PORT + SPAN)), {*reserved, bolt})
    return Ports(bolt, http)


def _find_free(candidates: tuple[int, ...], reserved: Collection[int]) -> int:
    for port in candidates:
        if port not in reserved and is_free(port):
            return port
    raise LocalServerError(
        f"no port from {candidates[1]} to {candidates[-1]} is free on {LOOPBACK}; stop what listens there "
        "(`ss -ltnp` shows it), or use that server by setting NEO4J_URI"
    )


def is_free(port: int) -> bool:
    """Return whether a server could listen on the port now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        if os.name == "posix":  # as the server does: connections that are only closing do not count
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return not accepts(port)


def accepts(port: int) -> bool:
    """Return whether something accepts connections on the port."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.settimeout(1)
        return probe.connect_ex((LOOPBACK, port)) == 0
