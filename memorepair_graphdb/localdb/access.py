"""How to get into the local server that runs.

The law of the room: nothing is started here; where nothing runs, the error says how to start it.
"""

from __future__ import annotations

from ..errors import Unreachable
from .server import DEFAULT_NAME, running


def access(name: str = DEFAULT_NAME) -> tuple[str, tuple[str, str]]:
    """Address, and user name with password; raises `Unreachable` when the server of that name does not run."""
    server = running(name)
    if server is None:
        raise Unreachable(
            "NEO4J_URI is not set and no local server runs: start one with `memorepair db start`, or set NEO4J_URI"
        )
    return server.uri, (server.username, server.password)
