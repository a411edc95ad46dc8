"""The runner speaks to a real MCP server in a process of its own, over stdio."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from memorepair_graphdb.errors import OperatorError
from memorepair_graphdb.model.artifact import Kind
from memorepair_graphdb.model.vocabulary import Outcome
from memorepair_graphdb.operators.builtin.tool_call import NotOffered, register
from memorepair_graphdb.operators.builtin.tool_call.mcp_client import McpRunner
from memorepair_graphdb.operators.execution.attempt import attempt
from memorepair_graphdb.operators.execution.stage import Attempt
from memorepair_graphdb.operators.protocol.context import Context, Interfaces
from memorepair_graphdb.operators.protocol.registry import Registry
from memorepair_graphdb.repair.execution.validation import checked_job
from tests.harness.places import MCP_SERVER

SERVER = StdioServerParameters(command=sys.executable, args=[str(MCP_SERVER)])


@pytest.fixture(scope="module")
def runner() -> Iterator[McpRunner]:
    """Give a runner on a server that was started here."""
    with McpRunner(SERVER) as made:
        yield made


@pytest.fixture(scope="module")
def contracts() -> dict[str, dict[str, Any]]:
    """Give the contracts as the server itself lists them, by name."""

    async def listed() -> dict[str, dict[str, Any]]:
        async with Client(SERVER) as client:
            tools = (await client.list_tools()).tools
        return {tool.name: tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in tools}

    return asyncio.run(listed())


def called(runner: McpRunner, tool: str, **arguments: Any) -> Any:
    return asyncio.run(runner(tool, arguments))


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def tried(runner: McpRunner, contract: dict[str, Any], timeout: float = 60.0, **recipe: Any) -> Attempt:
    registry = Registry()
    register(registry, retries=1, timeout=timeout)
    registry.runner(runner)
    operator = registry.find("replay@2")
    assert operator is not None
    given = Context(
        "cache/1",
        Kind.CACHE,
        recipe={"tool": contract["name"], **recipe},
        interfaces=Interfaces.of({contract["name"]: contract}),
    )
    return attempt(checked_job(operator, given, (), lambda word: 99))


def test_a_structured_answer_comes_as_it_is_and_a_text_with_json_is_read(runner: McpRunner) -> None:
    assert called(runner, "weather", city="Oslo", days=2)["temp"] == 8
    assert called(runner, "told", city="Oslo") == {"city": "Oslo"}


def test_calls_from_many_loops_share_one_process(runner: McpRunner) -> None:
    answers = [called(runner, "weather", city="Rome") for _ in range(3)]
    assert len({answer["process"] for answer in answers}) == 1
    assert [answer["asked"] - answers[0]["asked"] for answer in answers] == [0, 1, 2]


def test_an_error_of_the_tool_is_no_answer_and_an_unknown_tool_is_passed_over(runner: McpRunner) -> None:
    with pytest.raises(OperatorError, match=r"fails fails: .*no station in Oslo"):
        called(runner, "fails", city="Oslo")
    with pytest.raises(NotOffered, match=r"no tool 'fax'; it has bare, dawdles, dies, fails"):
        called(runner, "fax")


def test_an_answer_that_is_late_is_a_timeout_and_the_next_call_is_served() -> None:
    with McpRunner(SERVER, patience=5) as hasty:
        assert called(hasty, "weather", city="Oslo")["temp"] == 4
        with pytest.raises(TimeoutError, match=r"did not answer within 5 s"):
            called(hasty, "dawdles")
        assert called(hasty, "weather", city="Oslo")["temp"] == 4


def test_a_call_past_the_limit_of_its_operator_is_cancelled_and_the_next_is_served(
    runner: McpRunner, contracts: dict[str, dict[str, Any]]
) -> None:
    called(runner, "weather", city="Oslo")
    made = tried(runner, contracts["dawdles"], timeout=0.5)
    assert (made.outcome, made.reason) == (Outcome.OPERATOR_FAILED, "no answer within 0.5 s")
    assert called(runner, "weather", city="Oslo")["temp"] == 4


def test_a_server_that_dies_is_a_lost_connection_and_the_next_call_starts_it_again() -> None:
    with McpRunner(SERVER) as made:
        first = called(made, "weather", city="Oslo")
        with pytest.raises(ConnectionError, match="the MCP server is gone"):
            called(made, "dies")
        second = called(made, "weather", city="Oslo")
    assert second["temp"] == first["temp"]
    assert second["process"] != first["process"]


def test_closing_ends_the_process_and_a_closed_runner_opens_again_when_it_is_called() -> None:
    made = McpRunner(SERVER)
    process = called(made, "weather", city="Oslo")["process"]
    assert alive(process)
    made.close()
    assert not alive(process)
    again = called(made, "weather", city="Oslo")["process"]
    made.close()
    assert again != process
    assert not alive(again)


def test_a_server_that_cannot_be_started_is_a_connection_error() -> None:
    nobody = McpRunner(StdioServerParameters(command=str(Path(__file__).with_name("no_such_program"))))
    with pytest.raises(ConnectionError, match="no MCP server answers"):
        called(nobody, "weather", city="Oslo")


def test_a_process_that_never_closes_its_runner_ends_all_the_same() -> None:
    program = (
        "import asyncio, sys; from mcp import StdioServerParameters;"
        "from memorepair_graphdb.operators.builtin.tool_call.mcp_client import McpRunner;"
        f"runner = McpRunner(StdioServerParameters(command=sys.executable, args={SERVER.args!r}));"
        "print(asyncio.run(runner('weather', {'city': 'Oslo'}))['process'])"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert not alive(int(ended.stdout))


def test_a_cached_result_is_replayed_on_the_server_under_the_contract_that_it_lists(
    runner: McpRunner, contracts: dict[str, dict[str, Any]]
) -> None:
    arguments = {"city": "Oslo", "days": 2}
    counted = tried(runner, contracts["weather"], arguments=arguments)
    assert counted.outcome is Outcome.REJECTED
    assert counted.reason.startswith("replay: a second replay differs: $.asked")
    steady = tried(runner, contracts["weather"], arguments=arguments, volatile=["/asked", "/process"])
    assert steady.payload is not None, steady.reason
    assert json.loads(steady.payload.content)["temp"] == 8
    wrong = tried(runner, contracts["weather"], arguments={"city": 4})
    assert wrong.reason.startswith("arguments: the contract of weather does not take the recorded call")
    broken = tried(runner, contracts["fails"], arguments={"city": "Oslo"})
    assert broken.outcome is Outcome.OPERATOR_FAILED
    assert "no station in Oslo" in broken.reason


def test_what_the_server_says_is_not_idempotent_is_never_called(
    runner: McpRunner, contracts: dict[str, dict[str, Any]]
) -> None:
    made = tried(runner, contracts["pays"], arguments={"to": "Ann"})
    assert made.outcome is Outcome.OPERATOR_FAILED
    assert made.reason == "a call of pays is not repeated: its contract says idempotentHint false"


@pytest.mark.parametrize("tool", ["merge_branch", "bare"])
def test_what_the_server_says_nothing_of_is_called_only_where_the_runner_says_that_it_reads(
    runner: McpRunner, contracts: dict[str, dict[str, Any]], tool: str
) -> None:
    silent = tried(runner, contracts[tool], arguments={"name": "dev"})
    assert silent.outcome is Outcome.OPERATOR_FAILED
    assert silent.reason.startswith(f"a call of {tool} is not repeated: nothing says that it only reads")
    with McpRunner(SERVER, reads=["bare"]) as knowing:
        made = tried(knowing, contracts[tool], arguments={"name": "dev"})
    assert (made.payload is not None) is (tool == "bare"), made.reason


def test_the_package_is_not_needed_by_those_who_have_no_server() -> None:
    program = (
        "import sys; import memorepair_graphdb, memorepair_graphdb.operators.builtin.tool_call.mcp_client;"
        "assert not [name for name in sys.modules if name == 'mcp' or name.startswith('mcp.')]"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
