"""A small MCP server, over stdio or on a port: counts, fails, dawdles and dies as it is told."""

from __future__ import annotations

import os
import sys
import time
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

server = MCPServer("weather station")
asked = 0
READS = ToolAnnotations(read_only_hint=True)


@server.tool(annotations=READS, structured_output=True)
def weather(city: str, days: int = 1) -> dict[str, Any]:
    """Tell how warm it is, and how often that was asked."""
    global asked
    asked += 1
    return {"temp": len(city) * days, "asked": asked, "process": os.getpid()}


@server.tool(annotations=READS, structured_output=False)
def told(city: str) -> str:
    """Answer with JSON in a text, as older servers do."""
    return f'{{"city": "{city}"}}'


@server.tool(annotations=READS, structured_output=False)
def fails(city: str) -> str:
    """Fail."""
    raise ToolError(f"no station in {city}")


@server.tool(annotations=READS, structured_output=False)
def dawdles() -> str:
    """Answer too late."""
    time.sleep(20)
    return "at last"


@server.tool(annotations=READS, structured_output=False)
def dies() -> str:
    """Take the process down."""
    os._exit(1)


@server.tool(annotations=ToolAnnotations(read_only_hint=False, idempotent_hint=False), structured_output=False)
def pays(to: str) -> str:
    """Must not be called twice."""
    return f"paid {to}"


@server.tool(annotations=ToolAnnotations(title="Merge a branch"), structured_output=False)
def merge_branch(name: str) -> str:
    """Say nothing of what it does."""
    return f"merged {name}"


@server.tool(structured_output=False)
def bare(name: str) -> str:
    """Have no annotations at all."""
    return f"told {name}"


if __name__ == "__main__":
    if sys.argv[1:]:
        server.run("streamable-http", port=int(sys.argv[1]))
    else:
        server.run("stdio")
