"""Chains over released changes of public MCP servers: what comes back is a call that the new contract takes."""

from __future__ import annotations

import ast
import json
import lzma
import random
from collections import Counter
from typing import Any

import pytest

from memorepair_graphdb.model.artifact import Arch, Kind
from memorepair_graphdb.operators.builtin.chain.names import function_name
from memorepair_graphdb.operators.builtin.chain.operator import NAME, register
from memorepair_graphdb.operators.builtin.chain.sandbox import Sandbox
from memorepair_graphdb.operators.contracts.examples import example
from memorepair_graphdb.operators.contracts.schemas import parameters, properties, required
from memorepair_graphdb.operators.contracts.validation import call_fault
from memorepair_graphdb.operators.execution.attempt import attempt
from memorepair_graphdb.operators.protocol.context import Context, Interfaces
from memorepair_graphdb.operators.protocol.registry import Registry
from memorepair_graphdb.repair.execution.validation import checked_job
from tests.harness.places import CHECKOUT

Change = dict[str, Any]

SHORT, ALL = 60, 1311


@pytest.fixture(scope="module")
def changes() -> list[Change]:
    with lzma.open(CHECKOUT / "tests" / "data" / "mcp_releases.jsonl.xz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def given(contract: dict[str, Any]) -> dict[str, Any]:
    """What must be given, and the first thing that may."""
    schema = parameters(contract)
    documented, needed = properties(schema), required(schema)
    more = sorted(documented.keys() - set(needed))[:1]
    return {name: example(documented[name]) for name in [*needed, *more] if name in documented}


def call_in(source: str, tool: str) -> dict[str, Any]:
    """The arguments of the one call of a tool, all of them literals."""
    (call,) = (
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function_name(tool)
    )
    arguments: dict[str, Any] = {}
    for keyword in call.keywords:
        value = ast.literal_eval(keyword.value)
        arguments |= value if keyword.arg is None else {keyword.arg: value}
    return arguments


def test_the_changes_are_of_many_servers(changes: list[Change]) -> None:
    assert len(changes) == 1311
    assert len({change["server"] for change in changes}) == 16
    assert sum(change["after"] is None for change in changes) == 131


@pytest.mark.parametrize("count", [SHORT, pytest.param(ALL, marks=[pytest.mark.torture, pytest.mark.timeout(7200)])])
def test_whatever_comes_back_is_a_call_that_the_new_contract_takes(changes: list[Change], count: int) -> None:
    outcomes: Counter[str] = Counter()
    with Sandbox(workers=1) as sandbox:
        registry = Registry()
        register(registry, lambda: sandbox)
        operator = registry.find(NAME)
        assert operator is not None
        for change in random.Random(5).sample(changes, count):
            tool, before, after = change["tool"], change["before"], change["after"]
            arguments = given(before)
            if call_fault(before, arguments):
                outcomes["no example of a call"] += 1
                continue
            source = f"def chain():\n    return {function_name(tool)}(**{arguments!r})\n"
            in_force = {} if after is None else {tool: after}
            recipe = {"contracts": {tool: before}}
            context = Context("chain/1", Kind.SKILL, Arch.CHAIN, recipe, Interfaces.of(in_force), previous=source)
            ended = attempt(checked_job(operator, context, (), lambda word: 99))
            if ended.payload is None:
                outcomes["refused"] += 1
                continue
            assert after is not None
            assert call_fault(after, call_in(ended.payload.content, tool)) == "", (change, ended.payload.content)
            outcomes["as it was" if ended.payload.content == source else "rewritten"] += 1
    assert outcomes["as it was"] > 0 < outcomes["refused"]
    if count == ALL:
        assert outcomes == {"as it was": 950, "rewritten": 26, "refused": 329, "no example of a call": 6}
