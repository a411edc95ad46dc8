"""An MCP server over stdio that speaks the protocol by hand, one request after the other, and misbehaves as it is told.

Its argument is what it does: `same-cursor` and `endless` never end their list of tools, `stuck` stops answering after
the first page, `grows` and `grows-loudly` have one tool more after the first call, and the latter says so.
"""

from __future__ import annotations

import itertools
import json
import sys
import time
from typing import Any

BEHAVIOUR = sys.argv[1]
READS = {"readOnlyHint": True}
TOOLS = ["echo", "slow", "flaky", "broken"]

pages = itertools.count()
calls = itertools.count(1)
grown = False


def send(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def listed(names: list[str], cursor: str | None = None) -> dict[str, Any]:
    tools = [{"name": name, "inputSchema": {"type": "object"}, "annotations": READS} for name in names]
    return {"tools": tools, **({"nextCursor": cursor} if cursor else {})}


def list_tools() -> dict[str, Any]:
    page = next(pages)
    if BEHAVIOUR == "same-cursor":
        return listed([TOOLS[page % 2]], "again")
    if BEHAVIOUR == "endless":
        return listed([f"tool_{page}"], f"page {page}")
    if BEHAVIOUR == "stuck":
        if page:
            time.sleep(60)
        return listed(["echo"], "more")
    return listed([*TOOLS, "late"] if grown else TOOLS)


def text(answer: str, *, error: bool = False) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": answer}], "isError": error}


def call(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    global grown
    number = next(calls)
    if BEHAVIOUR.startswith("grows") and not grown:
        grown = True
        if BEHAVIOUR == "grows-loudly":
            send({"method": "notifications/tools/list_changed"})
    if tool == "slow":
        time.sleep(arguments["seconds"])
    if tool == "flaky" and number <= arguments["failures"]:
        return text(arguments["says"], error=True)
    if tool == "broken":
        return text(f"no such city (call {number})", error=True)
    return text(arguments.get("text", "done"))


def answer(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    if method == "initialize":
        capabilities = {"tools": {"listChanged": True}}
        info = {"name": "odd", "version": "1"}
        return {"protocolVersion": params["protocolVersion"], "capabilities": capabilities, "serverInfo": info}
    if method == "tools/list":
        return list_tools()
    if method == "tools/call":
        return call(params["name"], params.get("arguments") or {})
    return None


for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request or "method" not in request:
        continue
    result = answer(request["method"], request.get("params") or {})
    if result is None:
        send({"id": request["id"], "error": {"code": -32601, "message": "Method not found"}})
    else:
        send({"id": request["id"], "result": result})
