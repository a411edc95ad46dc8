"""Makes the tools of an MCP server a runner (extra `mcp`), over one connection that is opened when first needed.

What a server reports as an error is never an answer; a lost connection is made again on the next call.
"""

from __future__ import annotations

import asyncio
import atexit
import json
import threading
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, Self

from ....errors import BadInput, OperatorError
from ...protocol.tools import restart_clock
from .error_texts import failure
from .mcp_connection import McpConnection

if TYPE_CHECKING:
    from mcp.types import CallToolResult

    from .turns import Turn

PATIENCE = 30.0
"""seconds for an answer, from when no call that was sent before is under way"""
OPENING = 30.0
"""seconds that a server has to start"""
LOOKED = 0.1
"""seconds between two looks at whether a call is still behind others"""


class McpRunner:
    """A `ToolRunner` over `server`: a URL, or `mcp.StdioServerParameters` for a process to be started.

    `reads` says which of its tools only read, by name, or True for all, where their contracts do not say so; such a
    tool may be called again. The connection's loop has a daemon thread of its own, so that calls from any worker share
    it; `close()`, the end of a `with` or of the process ends both. Raises `BadInput` for `reads` that is one name.
    """

    def __init__(
        self,
        server: Any,
        *,
        patience: float = PATIENCE,
        opening: float = OPENING,
        reads: bool | Collection[str] = (),
    ) -> None:
        if isinstance(reads, str):
            raise BadInput(f"reads of a runner is true or the names of its tools, not one string: [{reads!r}]")
        self._server = server
        self._patience = patience
        self._opening = opening
        self._reads = reads if isinstance(reads, bool) else frozenset(reads)
        self._lock = threading.Lock()
        self._connection: McpConnection | None = None

    async def __call__(self, tool: str, arguments: Mapping[str, Any]) -> Any:
        """Return the tool's structured answer, else its text, read as JSON where it is.

        Raises `NotOffered` when the server has no such tool, `OperatorError` with what it says when the tool fails, and
        `Passing` where that may pass, `ConnectionError` when it is gone or cannot be reached, `TimeoutError` when no
        answer came in time.
        """
        connection = await asyncio.to_thread(self._connected)
        turn: list[Turn] = []
        call = connection.call(tool, arguments, turn)
        try:
            answer = asyncio.wrap_future(asyncio.run_coroutine_threadsafe(call, connection.loop))
        except RuntimeError as error:  # its loop has ended since
            call.close()
            raise ConnectionError(f"the MCP server is gone: {error}") from error
        try:
            while not answer.done() and (not turn or turn[0].waits):
                if turn:
                    restart_clock()
                await asyncio.wait([answer], timeout=LOOKED)
            return _answer(tool, await answer)
        except asyncio.CancelledError:
            if answer.cancelled() and connection.lost:
                raise ConnectionError("the connection to the MCP server was closed during the call") from None
            raise
        finally:
            answer.cancel()

    def reads(self, tool: str) -> bool:
        """Return whether the tool is said to read only."""
        return self._reads if isinstance(self._reads, bool) else tool in self._reads

    def close(self) -> None:
        """End the connection, and the server's process where it was started here."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
        atexit.unregister(self.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _connected(self) -> McpConnection:
        with self._lock:
            if self._connection is None or self._connection.lost:
                if self._connection is not None:
                    self._connection.close()
                self._connection = McpConnection(self._server, self._opening, self._patience)
                atexit.register(self.close)
            return self._connection


def _answer(tool: str, result: CallToolResult) -> Any:
    texts = [text for block in result.content if isinstance(text := getattr(block, "text", None), str)]
    if result.is_error:
        raise failure(f"{tool} fails: {' '.join(texts) or 'without a word'}")
    if result.structured_content is not None:
        return result.structured_content
    if not result.content:
        return None
    if len(texts) != len(result.content):
        raise OperatorError(f"{tool} answers with what is no text")
    answers = [_read(text) for text in texts]
    return answers[0] if len(answers) == 1 else answers


def _read(text: str) -> Any:
    """Return a text as the JSON that it is: servers without structured answers put it there."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
