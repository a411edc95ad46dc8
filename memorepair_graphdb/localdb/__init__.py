"""Runs a real Neo4j server without Docker: jars by a lock, Java from a wheel, one named home a server.

It prints nothing, and needs the extra `local`. Whether a server runs is asked of the machine and kept nowhere.
"""

from __future__ import annotations

from ..errors import LocalServerError

try:
    from .jars import Phase, Progress
    from .places import Places
    from .server import DEFAULT_NAME, LocalServer, Running, running
except ModuleNotFoundError as missing:
    raise LocalServerError(
        f"a local server needs {missing.name}, which is not installed: pip install 'memorepair-graphdb[local]', "
        "or set NEO4J_URI to a server that runs"
    ) from missing

__all__ = ["DEFAULT_NAME", "LocalServer", "Phase", "Places", "Progress", "Running", "running"]
