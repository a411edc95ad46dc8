"""Real MCP servers that misbehave: lists without an end, slow neighbours, errors that pass, tools that come later."""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from mcp import StdioServerParameters

from memorepair_graphdb.errors import OperatorError, Passing
from memorepair_graphdb.model.artifact import Kind
from memorepair_graphdb.model.vocabulary import Outcome
from memorepair_graphdb.operators.builtin.tool_call import NotOffered, register
from memorepair_graphdb.operators.builtin.tool_call.mcp_client import McpRunner
from memorepair_graphdb.operators.execution.attempt import attempts
from memorepair_graphdb.operators.execution.pool import Pool
from memorepair_graphdb.operators.execution.stage import Attempt
from memorepair_graphdb.operators.protocol.context import Context, Interfaces
from memorepair_graphdb.operators.protocol.registry import Registry
from memorepair_graphdb.repair.execution.validation import checked_job
from tests.harness.places import ODD_MCP_SERVER
from tests.harness.waiting import soon


def server(behaviour: str) -> StdioServerParameters:
    return StdioServerParameters(command=sys.executable, args=[str(ODD_MCP_SERVER), behaviour])


def called(runner: McpRunner, tool: str, **arguments: Any) -> Any:
    return asyncio.run(runner(tool, arguments))


def replayed(runner: McpRunner, calls: list[tuple[str, dict[str, Any]]], timeout: float = 60.0) -> list[Attempt]:
    """Replay these calls side by side, as a repair does, each with the time limit of its operator."""
    registry = Registry()
    register(registry, retries=1, timeout=timeout)
    registry.runner(runner)
    operator = registry.find("replay@2")
    assert operator is not None
    jobs = []
    for number, (tool, arguments) in enumerate(calls):
        contracts = {tool: {"name": tool, "annotations": {"readOnlyHint": True}}}
        recipe = {"tool": tool, "arguments": arguments}
        given = Context(f"cache/{number}", Kind.CACHE, recipe=recipe, interfaces=Interfaces.of(contracts))
        jobs.append(checked_job(operator, given, (), lambda word: 99))
    return [made for _, made in sorted(attempts(Pool(4), jobs), key=lambda pair: pair[0])]


# Lists that do not end


@pytest.mark.parametrize(
    ("behaviour", "tool", "warning"),
    [
        ("same-cursor", "echo", "at the cursor 'again', which came before; it has 2 tools so far"),
        ("endless", "tool_99", "after 100 pages; it has 100 tools so far"),
        ("stuck", "echo", "after 2 s; it has 1 tools so far"),
    ],
)
def test_a_list_without_an_end_stops_with_the_tools_that_came_and_a_warning(
    caplog: pytest.LogCaptureFixture, behaviour: str, tool: str, warning: str
) -> None:
    started = time.monotonic()
    with caplog.at_level(logging.WARNING), McpRunner(server(behaviour), patience=2) as runner:
        if behaviour == "stuck":  # it never answers again, but its first page came
            with pytest.raises(TimeoutError):
                called(runner, tool)
        else:
            assert called(runner, tool, text="here") == "here"
    assert time.monotonic() - started < 20
    assert [record.getMessage() for record in caplog.records if "cut off" in record.getMessage()] == [
        f"the list of an MCP server's tools was cut off {warning}"
    ]


# Lists that change


def test_a_tool_that_came_later_is_found_though_the_server_does_not_say_so() -> None:
    with McpRunner(server("grows"), patience=10) as runner:
        assert called(runner, "echo", text="first") == "first"
        assert called(runner, "late", text="there") == "there"
        with pytest.raises(NotOffered, match="no tool 'fax'; it has broken, echo, flaky, late, slow"):
            called(runner, "fax")


def test_a_list_that_the_server_says_has_changed_is_read_anew() -> None:
    with McpRunner(server("grows-loudly"), patience=10) as runner:
        with pytest.raises(NotOffered):
            called(runner, "late")
        called(runner, "echo")
        # "late" was missing a moment ago, and is not looked for again so soon: the server's word makes the difference.
        assert soon(lambda: _has(runner, "late"), 3)


def _has(runner: McpRunner, tool: str) -> bool:
    try:
        called(runner, tool)
    except NotOffered:
        return False
    return True


# Neighbours


def test_slow_neighbours_on_one_connection_do_not_time_each_other_out() -> None:
    with McpRunner(server("serial"), patience=2) as runner, ThreadPoolExecutor(4) as workers:
        called(runner, "echo")
        answers = workers.map(lambda number: called(runner, "slow", seconds=1.2, text=f"no {number}"), range(4))
        assert list(answers) == ["no 0", "no 1", "no 2", "no 3"]


def test_the_time_behind_neighbours_does_not_count_against_the_limit_of_an_operator() -> None:
    with McpRunner(server("serial"), patience=5) as runner:
        called(runner, "echo")
        calls = [("slow", {"seconds": 0.8, "text": f"no {number}"}) for number in range(4)]
        ended = replayed(runner, calls, timeout=1.6)
    assert [made.payload and made.payload.content for made in ended] == ["no 0", "no 1", "no 2", "no 3"]


def test_a_call_that_is_too_slow_is_late_and_the_one_behind_it_is_answered() -> None:
    with McpRunner(server("serial"), patience=1.5) as runner, ThreadPoolExecutor(2) as workers:
        called(runner, "echo")
        late = workers.submit(called, runner, "slow", seconds=2.5)
        time.sleep(0.3)
        behind = workers.submit(called, runner, "echo", text="patient")
        assert behind.result() == "patient"
        with pytest.raises(TimeoutError, match=r"did not answer within 1\.5 s"):
            late.result()


def test_a_call_with_nobody_before_it_has_the_limit_of_its_operator() -> None:
    with McpRunner(server("serial"), patience=10) as runner:
        called(runner, "echo")
        (made,) = replayed(runner, [("slow", {"seconds": 2})], timeout=0.6)
    assert (made.outcome, made.reason) == (Outcome.OPERATOR_FAILED, "no answer within 0.6 s")


def test_a_call_under_way_when_its_connection_is_closed_ends_as_a_lost_connection() -> None:
    runner = McpRunner(server("serial"), patience=30)
    with ThreadPoolExecutor(1) as workers:
        called(runner, "echo")
        waiting = workers.submit(called, runner, "slow", seconds=20)
        time.sleep(0.5)
        runner.close()
        with pytest.raises(ConnectionError):
            waiting.result(timeout=15)


# Errors


@pytest.mark.parametrize(
    "says",
    ["Rate limit exceeded, try again", "upstream request timed out", "503 Service Unavailable", "HTTP error 502"],
)
def test_an_error_that_can_pass_is_tried_again(says: str) -> None:
    with McpRunner(server("flaky"), patience=10) as runner:
        (made,) = replayed(runner, [("flaky", {"failures": 1, "says": says, "text": "at last"})])
    assert made.payload is not None, made.reason
    assert made.payload.content == "at last"


def test_an_error_that_stays_is_not_tried_again() -> None:
    with McpRunner(server("broken"), patience=10) as runner:
        with pytest.raises(OperatorError, match=r"broken fails: no such city \(call 1\)") as raised:
            called(runner, "broken")
        assert not isinstance(raised.value, Passing)
        (made,) = replayed(runner, [("broken", {})])
    assert (made.outcome, made.reason) == (Outcome.OPERATOR_FAILED, "broken fails: no such city (call 2)")


def test_an_error_told_as_text_is_said_to_be_suspicious_and_not_kept() -> None:
    page = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head></html>"
    with McpRunner(server("echo"), patience=10) as runner:
        ended = replayed(runner, [("echo", {"text": text}) for text in (page, "Error 404", "12 degrees")])
    assert [made.outcome for made in ended] == [Outcome.OPERATOR_FAILED, Outcome.OPERATOR_FAILED, None]
    assert ended[0].reason == (
        "response: what echo answers is suspicious and not kept: it reads like an error, and no output schema or "
        "`schema` of the recipe says that it is none: "
        "'<!DOCTYPE html> <html><head><title>Sign in</title></head></html>'"
    )
    assert ended[1].reason.endswith("'Error 404'")
