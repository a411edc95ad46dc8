"""Finds the address and the password of the local server that runs; starts nothing."""

from __future__ import annotations

from ..errors import Unreachable
from .server import DEFAULT_NAME, running


def access(name: str = DEFAULT_NAME) -> tuple[str, tuple[str, str]]:
    """Return the address, and user name with password; raises `Unreachable` when no server of that name runs."""
    server = running(name)
    if server is None:
        raise Unreachable(
            "NEO4J_URI is not set and no local server runs: start one with `memorepair db start`, or set NEO4J_URI"
        )
    return server.uri, (server.username, server.password)
