"""The runner speaks to a real MCP server over HTTP, which dies, comes back, and is late."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from memorepair_graphdb.errors import OperatorError
from memorepair_graphdb.operators.builtin.tool_call import NotOffered
from memorepair_graphdb.operators.builtin.tool_call.mcp_client import McpRunner
from tests.harness.places import MCP_SERVER
from tests.harness.waiting import soon


@contextmanager
def serving(port: int) -> Iterator[str]:
    """Serve until the block ends, or until the server ends itself; gives its URL."""
    program = [sys.executable, str(MCP_SERVER), str(port)]
    process = subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        soon(lambda: listens(port) or process.poll() is not None, 60)
        assert process.poll() is None
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.kill()
        process.wait()


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def port() -> int:
    """Give a port that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def called(runner: McpRunner, tool: str, **arguments: Any) -> Any:
    return asyncio.run(runner(tool, arguments))


def test_it_is_answered_refused_and_told_errors_as_over_stdio(port: int) -> None:
    with serving(port) as url, McpRunner(url, patience=5) as runner:
        assert called(runner, "weather", city="Oslo", days=2)["temp"] == 8
        assert called(runner, "told", city="Oslo") == {"city": "Oslo"}
        with pytest.raises(OperatorError, match=r"fails fails: .*no station in Oslo"):
            called(runner, "fails", city="Oslo")
        with pytest.raises(NotOffered, match="no tool 'fax'"):
            called(runner, "fax")
        with pytest.raises(TimeoutError, match="did not answer within 5 s"):
            called(runner, "dawdles")


def test_a_server_that_dies_is_a_lost_connection_and_one_that_came_back_answers(port: int) -> None:
    with serving(port) as url:
        runner = McpRunner(url, patience=10)
        assert called(runner, "weather", city="Oslo")["temp"] == 4
        with pytest.raises(ConnectionError):
            called(runner, "dies")
        with pytest.raises(ConnectionError):
            called(runner, "weather", city="Oslo")
    with serving(port), runner:
        assert called(runner, "weather", city="Oslo")["temp"] == 4


def test_where_nobody_listens_is_a_connection_error(port: int) -> None:
    with pytest.raises(ConnectionError, match="no MCP server answers"):
        called(McpRunner(f"http://127.0.0.1:{port}/mcp"), "weather", city="Oslo")
