"""Holds one connection to an MCP server open, on a loop of its own; every call of any worker goes through it."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ...protocol.tools import NotOffered
from .error_texts import failure
from .mcp_listing import ToolNames
from .turns import Turn, Turns

if TYPE_CHECKING:
    from mcp import Client
    from mcp.types import CallToolResult

_log = logging.getLogger(__name__)

CLOSING = 10.0
"""seconds that a server has to end"""


class McpConnection:
    """One connection, held open by a task of its own loop; raises `ConnectionError` where it cannot be made."""

    def __init__(self, server: Any, opening: float, patience: float) -> None:
        self.loop = asyncio.new_event_loop()
        self.lost = False
        self._patience = patience
        self._tools = ToolNames(patience)
        self._turns = Turns()
        self._client: Client | None = None
        self._failure: BaseException | None = None
        self._opened = threading.Event()
        self._closing = asyncio.Event()
        self._thread = threading.Thread(target=self._live, args=(server, opening), name="memorepair-mcp", daemon=True)
        self._thread.start()
        self._opened.wait()
        if self._failure is not None:
            raise ConnectionError(f"no MCP server answers: {_cause(self._failure)}") from self._failure

    def close(self) -> None:
        """Let the task end, and wait for it."""
        self.lost = True
        with suppress(RuntimeError):  # the loop has ended by itself
            self.loop.call_soon_threadsafe(self._closing.set)
        self._thread.join(CLOSING)

    async def call(self, tool: str, arguments: Mapping[str, Any], turn: list[Turn]) -> CallToolResult:
        """Call a tool, on this connection's loop, and put the turn that the call has into `turn` when it is sent.

        Raises `NotOffered`, `TimeoutError`, `ConnectionError`, or `OperatorError` with what the server says.
        """
        from mcp import MCPError
        from mcp.types import CONNECTION_CLOSED

        assert self._client is not None  # noqa: S101 - a connection that opened has one
        own: Turn | None = None
        try:
            if not await self._tools.has(self._client, tool):
                names = ", ".join(sorted(self._tools.known)) or "none"
                raise NotOffered(f"the MCP server has no tool {tool!r}; it has {names}")
            own = self._turns.begin()
            turn.append(own)
            return await own.run(self._client.call_tool(tool, dict(arguments)), self._patience)
        except TimeoutError as error:
            raise TimeoutError(f"the MCP server did not answer within {self._patience:g} s") from error
        except MCPError as error:
            if error.code == CONNECTION_CLOSED:
                self.lost = True
                raise ConnectionError(f"the MCP server is gone: {error}") from error
            raise failure(f"the MCP server refuses the call of {tool}: {error}") from error
        finally:
            if own is not None:
                self._turns.end(own, self._patience)

    def _live(self, server: Any, opening: float) -> None:
        try:
            self.loop.run_until_complete(self._keep(server, opening))
        except BaseException as error:
            self._failure = error
        finally:
            self.lost = True
            self._opened.set()
            self._cancel_calls()
            self.loop.close()

    def _cancel_calls(self) -> None:
        """End what still waits on the loop, so that nobody waits for it for ever."""
        pending = asyncio.all_tasks(self.loop)
        for task in pending:
            task.cancel()
        if pending:
            self.loop.run_until_complete(asyncio.gather(*pending, return_exceptions=True))

    async def _keep(self, server: Any, opening: float) -> None:
        from mcp import Client

        async with asyncio.timeout(opening) as limit, Client(server, message_handler=self._hear) as client:
            self._client = client
            limit.reschedule(None)
            listening = asyncio.create_task(self._listen(client))
            try:
                self._opened.set()
                await self._closing.wait()
            finally:
                listening.cancel()
                with suppress(asyncio.CancelledError):
                    await listening

    async def _hear(self, message: Any) -> None:
        """Take note of a changed list of tools."""
        from mcp.types import ToolListChangedNotification

        if isinstance(message, ToolListChangedNotification):
            self._tools.forget()

    async def _listen(self, client: Client) -> None:
        """Ask to be told of changes, where the protocol of the connection is one in which that must be asked for."""
        from mcp.client.subscriptions import ListenNotSupportedError

        try:
            async with client.listen(tools_list_changed=True) as changes:
                async for _ in changes:
                    self._tools.forget()
        except ListenNotSupportedError:
            return
        except Exception as error:
            _log.debug("an MCP server does not tell of changes: %s", error)


def _cause(error: BaseException) -> str:
    """Return the error itself, where task groups have wrapped it."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return " ".join(str(error).split()) or type(error).__name__
