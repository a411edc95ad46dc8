"""ToolBench's chains are chains: they fit their contracts, and the sandbox answers as each recorded run says."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from memorepair_graphdb.model.artifact import Arch, Kind
from memorepair_graphdb.model.content import as_content
from memorepair_graphdb.operators.builtin.chain.operator import NAME, register
from memorepair_graphdb.operators.builtin.chain.sandbox import Sandbox
from memorepair_graphdb.operators.builtin.chain.stubs import stubs, typed_view
from memorepair_graphdb.operators.execution.attempt import attempt
from memorepair_graphdb.operators.protocol.context import Context, Interfaces, LiveSource
from memorepair_graphdb.operators.protocol.registry import Registry
from memorepair_graphdb.repair.execution.validation import checked_job

Line = dict[str, Any]
WORKERS = 2


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(workers=WORKERS) as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def chains(toolbench_lines: list[Line]) -> list[Line]:
    return [line for line in toolbench_lines if line.get("arch") == "chain"]


@pytest.fixture(scope="module")
def by_key(toolbench_lines: list[Line]) -> dict[str, Line]:
    return {line["key"]: line for line in toolbench_lines}


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.torture)])
def test_every_chain_fits_the_contracts_it_is_written_for(sandbox: Sandbox, chains: list[Line], every: int) -> None:
    def fault(line: Line) -> str:
        contracts = line["recipe"]["contracts"]
        return sandbox.type_fault(typed_view(line["content"], contracts), stubs(contracts))

    with ThreadPoolExecutor(WORKERS) as pool:
        faults = zip((line["key"] for line in chains[::every]), pool.map(fault, chains[::every]), strict=True)
    assert {key: fault for key, fault in faults if fault} == {}
    assert len(chains) == 629


def test_every_recorded_run_is_what_the_sandbox_answers(sandbox: Sandbox, chains: list[Line]) -> None:
    runs: Counter[int] = Counter()
    for line in chains:
        recipe = line["recipe"]
        runs[len(recipe["runs"])] += 1
        for run in recipe["runs"]:
            left = list(run["calls"])

            def answer(tool: str, arguments: Any, left: list[Any] = left) -> Any:
                call = left.pop(0)
                assert (call["tool"], call["arguments"]) == (tool, arguments)
                return call["result"]

            again = sandbox.run(line["content"], run["arguments"], recipe["contracts"], answer)
            assert json.dumps(again.result) == json.dumps(run["result"]), line["key"]
            assert not left, line["key"]
    # Without a run are two chains over a tool whose only real response is not what its document shows.
    assert runs == {0: 2, 1: 603, 2: 19, 3: 4, 6: 1}


def test_a_run_is_of_calls_in_memory_that_keep_to_their_contracts(chains: list[Line], by_key: dict[str, Line]) -> None:
    for line in chains:
        results = [json.loads(by_key[key]["content"]) for key in sources(line, "result")]
        for run in line["recipe"]["runs"]:
            assert {call["tool"] for call in run["calls"]} == set(line["recipe"]["tools"])
            for call in run["calls"]:
                contract = by_key[f"doc/{call['tool']}"]["content"]
                assert contract == line["recipe"]["contracts"][call["tool"]]
                Draft202012Validator(contract["inputSchema"]).validate(call["arguments"])
                Draft202012Validator(contract.get("outputSchema", True)).validate(call["result"])
                said = {"tool": call["tool"], "arguments": call["arguments"], "response": call["result"]}
                assert said in results, "a run replays what a cached result holds"


def test_a_chain_calls_each_tool_once_in_the_order_of_its_recipe(chains: list[Line]) -> None:
    for line in chains:
        recipe = line["recipe"]
        assert sources(line, "contract") == [f"doc/{tool}" for tool in recipe["tools"]]
        for run in recipe["runs"]:
            assert [call["tool"] for call in run["calls"]] == recipe["tools"]


def test_what_a_task_gave_is_an_argument_and_what_is_documented_stands_in_the_source(chains: list[Line]) -> None:
    given = documented = shared = 0
    for line in chains:
        recipe = line["recipe"]
        for run in recipe["runs"]:
            arguments = [
                (value, recipe["contracts"][call["tool"]]["inputSchema"]["properties"][name].get("default"))
                for call in run["calls"]
                for name, value in call["arguments"].items()
            ]
            free = [value for value, default in arguments if value != default]
            assert all(value in run["arguments"].values() for value in free)
            given += len(free)
            documented += len(arguments) - len(free)
            shared += len(free) > len(run["arguments"])
    assert min(given, documented) > 300
    assert shared > 20, "tools that are asked the same share a parameter"


def test_a_migrated_parameter_and_a_field_are_followed_and_the_runs_replay(
    sandbox: Sandbox, chains: list[Line], by_key: dict[str, Line]
) -> None:
    registry = Registry()
    register(registry, lambda: sandbox)
    operator = registry.find(NAME)
    assert operator is not None
    followed = 0
    for line in chains[::25]:
        renamed = {tool: respelt(contract) for tool, contract in line["recipe"]["contracts"].items()}
        supports = tuple(
            LiveSource(key, "result", Kind.CACHE, as_content(answered(by_key[key]["content"], renamed)))
            for key in sources(line, "result")
        )
        context = Context(
            line["key"],
            Kind.SKILL,
            Arch.CHAIN,
            line["recipe"],
            Interfaces.of(renamed),
            previous=line["content"],
            supports=supports,
        )
        made = attempt(checked_job(operator, context, (), lambda word: 99))
        assert made.payload is not None, f"{line['key']}: {made.reason}\n{line['content']}"
        followed += made.payload.content != line["content"]
        before, after = json.loads(json.dumps(renamed)), json.loads(made.payload.blob or b"{}")
        assert after == before
    assert followed > 15


def sources(line: Line, role: str) -> list[str]:
    return [source["key"] for source in line["influenced_by"] if source["role"] == role]


def respelt(contract: Line) -> Line:
    """The contract with parameters and fields at the top renamed, and said to be."""
    told = json.loads(json.dumps(contract))
    for side in ("inputSchema", "outputSchema"):
        schema = told.get(side, {})
        if "properties" in schema:
            schema["properties"] = {
                f"{name}_v2": {**inner, "x-renamed-from": name} for name, inner in schema["properties"].items()
            }
            schema["required"] = [f"{name}_v2" for name in schema.get("required", [])]
    return told


def answered(cache: str, renamed: dict[str, Line]) -> Line:
    """What the renamed tool answers to the call of a cached result."""
    call = json.loads(cache)
    contract, told = renamed[call["tool"]], {}
    for side, part in (("inputSchema", "arguments"), ("outputSchema", "response")):
        known = contract.get(side, {}).get("properties", {})
        value = call[part]
        told[part] = (
            {f"{name}_v2" if f"{name}_v2" in known else name: inner for name, inner in value.items()}
            if isinstance(value, dict)
            else value
        )
    return {**call, **told}
