"""The tools of an MCP server as a runner (extra `mcp`), over one connection that is opened when first needed.

What a server reports as an error is never an answer; a lost connection is made again on the next
call.
"""

from __future__ import annotations

import asyncio
import atexit
import json
import logging
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self

from ....errors import OperatorError
from ...protocol.tools import NotOffered

if TYPE_CHECKING:
    from mcp import Client
    from mcp.types import CallToolResult

_log = logging.getLogger(__name__)

PATIENCE = 30.0
"""seconds for an answer"""
OPENING = 30.0
"""seconds that a server has to start"""
CLOSING = 10.0
"""seconds that a server has to end"""


class McpRunner:
    """A `ToolRunner` over `server`: a URL, or `mcp.StdioServerParameters` for a process to be started.

    Its loop has a daemon thread of its own, so that calls from any worker share one connection; `close()`, the end of a
    `with` or of the process ends both.
    """

    def __init__(self, server: Any, *, patience: float = PATIENCE, opening: float = OPENING) -> None:
        self._server = server
        self._patience = patience
        self._opening = opening
        self._lock = threading.Lock()
        self._line: _Line | None = None

    async def __call__(self, tool: str, arguments: Mapping[str, Any]) -> Any:
        """The tool's structured answer, else its text, read as JSON where it is.

        Raises `NotOffered` when the server has no such tool, `OperatorError` with what it says when the tool fails,
        `ConnectionError` when it is gone or cannot be reached, `TimeoutError` when no answer came in time.
        """
        line = await asyncio.to_thread(self._connected)
        if tool not in line.tools:
            raise NotOffered(f"the MCP server has no tool {tool!r}; it has {', '.join(sorted(line.tools)) or 'none'}")
        calling = asyncio.run_coroutine_threadsafe(_call(line, tool, arguments, self._patience), line.loop)
        return _answer(tool, await asyncio.wrap_future(calling))

    def close(self) -> None:
        """End the connection, and the server's process where it was started here."""
        with self._lock:
            if self._line is not None:
                self._line.close()
                self._line = None
        atexit.unregister(self.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _connected(self) -> _Line:
        with self._lock:
            if self._line is None or self._line.lost:
                if self._line is not None:
                    self._line.close()
                self._line = _Line(self._server, self._opening)
                atexit.register(self.close)
            return self._line


class _Line:
    """One connection, held open by a task of its own loop; raises `ConnectionError` where it cannot be made."""

    def __init__(self, server: Any, opening: float) -> None:
        self.loop = asyncio.new_event_loop()
        self.tools: frozenset[str] = frozenset()
        self.client: Client | None = None
        self.lost = False
        self._failure: BaseException | None = None
        self._opened = threading.Event()
        self._enough = asyncio.Event()
        self._thread = threading.Thread(target=self._live, args=(server, opening), name="memorepair-mcp", daemon=True)
        self._thread.start()
        self._opened.wait()
        if self._failure is not None:
            raise ConnectionError(f"no MCP server answers: {_told(self._failure)}") from self._failure

    def close(self) -> None:
        """Let the task end, and wait for it."""
        self.lost = True
        with suppress(RuntimeError):  # the loop has ended by itself
            self.loop.call_soon_threadsafe(self._enough.set)
        self._thread.join(CLOSING)

    def _live(self, server: Any, opening: float) -> None:
        try:
            self.loop.run_until_complete(self._keep(server, opening))
        except BaseException as error:
            self._failure = error
        finally:
            self.lost = True
            self._opened.set()
            self.loop.close()

    async def _keep(self, server: Any, opening: float) -> None:
        from mcp import Client

        async with asyncio.timeout(opening) as limit, Client(server) as client:
            self.client = client
            self.tools = frozenset(await _names(client))
            limit.reschedule(None)
            self._opened.set()
            await self._enough.wait()


async def _names(client: Client) -> list[str]:
    names, cursor = [], None
    while True:
        page = await client.list_tools(cursor=cursor)
        names += [tool.name for tool in page.tools]
        cursor = page.next_cursor
        if cursor is None:
            return names


async def _call(line: _Line, tool: str, arguments: Mapping[str, Any], patience: float) -> CallToolResult:
    from mcp import MCPError
    from mcp.types import CONNECTION_CLOSED, REQUEST_TIMEOUT

    assert line.client is not None  # noqa: S101 - a line that opened has one
    try:
        return await line.client.call_tool(tool, dict(arguments), read_timeout_seconds=patience)
    except MCPError as error:
        if error.code == REQUEST_TIMEOUT:
            raise TimeoutError(f"the MCP server did not answer within {patience:g} s") from error
        if error.code == CONNECTION_CLOSED:
            line.lost = True
            raise ConnectionError(f"the MCP server is gone: {error}") from error
        raise OperatorError(f"the MCP server refuses the call of {tool}: {error}") from error


def _answer(tool: str, result: CallToolResult) -> Any:
    texts = [text for block in result.content if isinstance(text := getattr(block, "text", None), str)]
    if result.is_error:
        raise OperatorError(f"{tool} fails: {' '.join(texts) or 'without a word'}")
    if result.structured_content is not None:
        return result.structured_content
    if not result.content:
        return None
    if len(texts) != len(result.content):
        raise OperatorError(f"{tool} answers with what is no text")
    answers = [_read(text) for text in texts]
    return answers[0] if len(answers) == 1 else answers


def _read(text: str) -> Any:
    """Servers without structured answers put their JSON into a text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _told(error: BaseException) -> str:
    """The error itself, where task groups have wrapped it."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return " ".join(str(error).split()) or type(error).__name__
