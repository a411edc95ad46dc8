"""Reads the names of an MCP server's tools, page by page, to an end: a server may give cursors for ever."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcp import Client

_log = logging.getLogger(__name__)

PAGES = 100
"""pages of a listing that are read"""
ASKED_AGAIN = 5.0
"""seconds in which the same missing name is not looked for again in a new listing"""


class ToolNames:
    """The tools that a server lists: read when first asked for, after a change, and when a name is missing."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        """what one listing may take"""
        self._names: frozenset[str] | None = None
        self._reading = asyncio.Lock()
        self._missed: dict[str, float] = {}

    @property
    def known(self) -> frozenset[str]:
        """The tools of the last listing."""
        return self._names or frozenset()

    def forget(self) -> None:
        """Let the next question read the list anew: the server says that it changed."""
        self._names = None
        self._missed.clear()

    async def has(self, client: Client, tool: str) -> bool:
        """Return whether the server has a tool; raises what a listing raises that does not begin."""
        async with self._reading:
            fresh = self._names is None
            if fresh:
                self._names = await read_names(client, self._seconds)
            if tool in self.known:
                return True
            now = time.monotonic()
            if not fresh and now - self._missed.get(tool, -ASKED_AGAIN) >= ASKED_AGAIN:
                self._names = await read_names(client, self._seconds)
            if tool in self.known:
                return True
            self._missed[tool] = now
            return False


async def read_names(client: Client, seconds: float) -> frozenset[str]:
    """Return the names that a server lists; raises `TimeoutError`, or what the client raises, without a first page.

    Where the pages do not end (a cursor that came before, more than `PAGES`, or `seconds` that are over), or a later
    page fails, the tools that came so far are all, and a warning says so.
    """
    names: set[str] = set()
    cursors: set[str] = set()
    cursor: str | None = None
    ended = f"after {PAGES} pages"
    try:
        async with asyncio.timeout(seconds):
            for _ in range(PAGES):
                page = await client.list_tools(cursor=cursor, cache_mode="refresh")
                names.update(tool.name for tool in page.tools)
                cursor = page.next_cursor
                if cursor is None:
                    return frozenset(names)
                if cursor in cursors:
                    ended = f"at the cursor {cursor!r}, which came before"
                    break
                cursors.add(cursor)
    except Exception as error:
        if not cursors:
            raise
        ended = f"after {seconds:g} s" if isinstance(error, TimeoutError) else f"with an error: {error}"
    _log.warning("the list of an MCP server's tools was cut off %s; it has %d tools so far", ended, len(names))
    return frozenset(names)
