"""Three chains over each of 1,311 released changes of public MCP servers: what comes back is right, or nothing does.

`tests/data/mcp_judgements.jsonl` holds what a person judged: every chain that is rewritten, and 105 of the others.
"""

from __future__ import annotations

import ast
import random
from collections import Counter
from typing import Any

import pytest

from memorepair_graphdb.operators.builtin.chain.names import function_name
from memorepair_graphdb.operators.builtin.chain.rewriting import rewrite
from memorepair_graphdb.operators.builtin.chain.sandbox import Sandbox
from memorepair_graphdb.operators.builtin.chain.tool_host import ChainFailed
from memorepair_graphdb.operators.contracts.validation import call_fault
from tests.operators.builtin.chain.release_chains import (
    Change,
    all_chains,
    end_of,
    judgements,
    operator_in,
    released_changes,
    source_of,
)

SHORT = 60
OUTCOMES = {
    "required": {"as it was": 959, "rewritten": 9, "refused": 336, "no example": 7},
    "all": {"as it was": 938, "rewritten": 3, "refused": 352, "no example": 18},
    "typical": {"as it was": 941, "rewritten": 8, "refused": 343, "no example": 19},
}
"""Of each chain, how the 1,311 changes end; 131 of them take the tool away."""


@pytest.fixture(scope="module")
def changes() -> list[Change]:
    return released_changes()


@pytest.fixture(scope="module")
def judged() -> dict[tuple[int, str], dict[str, Any]]:
    return {(judgement["change"], judgement["chain"]): judgement for judgement in judgements()}


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


def rule_outcome(number: int, change: Change, chain: str) -> str:
    """How the rules alone end a chain, without a sandbox; "no example" where the old contract takes no such call."""
    tool, source = change["tool"], source_of(number, change, chain)
    new = {} if change["after"] is None else {tool: change["after"]}
    if not source:
        return "no example"
    try:
        made = rewrite(source, {tool: change["before"]}, new, {tool: tool for tool in new}, {})
    except ChainFailed:
        return "refused"
    return "as it was" if made == source else "rewritten"


def test_the_changes_are_of_many_servers(changes: list[Change]) -> None:
    assert len(changes) == 1311
    assert len({change["server"] for change in changes}) == 16
    assert sum(change["after"] is None for change in changes) == 131


def test_every_chain_that_is_rewritten_was_judged_with_a_hundred_others_and_none_is_wrong(
    changes: list[Change], judged: dict[tuple[int, str], dict[str, Any]]
) -> None:
    rewritten = {
        (number, chain)
        for number, change, chain in all_chains(changes)
        if rule_outcome(number, change, chain) == "rewritten"
    }
    assert rewritten == {name for name, judgement in judged.items() if judgement["outcome"] == "rewritten"}
    assert len(judged.keys() - rewritten) >= 100
    verdicts = Counter(judgement["verdict"] for judgement in judged.values())
    assert verdicts.keys() <= {"right", "needless refusal"}
    assert verdicts["needless refusal"] <= 0.05 * sum(one["outcome"] == "refused" for one in judged.values())


def test_every_judged_chain_still_ends_as_it_was_judged(
    changes: list[Change], judged: dict[tuple[int, str], dict[str, Any]]
) -> None:
    with Sandbox(workers=1) as sandbox:
        operator = operator_in(sandbox)
        for (number, chain), judgement in judged.items():
            change = changes[number]
            assert judgement["tool"] == change["tool"]
            assert judgement["reason"]
            assert rule_outcome(number, change, chain) == judgement["outcome"], judgement
            if judgement["outcome"] == "rewritten":
                assert end_of(operator, number, change, chain).outcome == "rewritten", judgement


@pytest.mark.parametrize("count", [SHORT, pytest.param(0, marks=[pytest.mark.torture, pytest.mark.timeout(7200)])])
def test_whatever_comes_back_is_a_call_that_the_new_contract_takes(changes: list[Change], count: int) -> None:
    """A count of 0 is all: then the outcomes are those of the table."""
    outcomes: dict[str, Counter[str]] = {chain: Counter() for chain in OUTCOMES}
    everything = list(all_chains(changes))
    with Sandbox(workers=1) as sandbox:
        operator = operator_in(sandbox)
        for number, change, chain in random.Random(5).sample(everything, count) if count else everything:
            ended = end_of(operator, number, change, chain)
            outcomes[chain][ended.outcome] += 1
            if ended.source:
                assert change["after"] is not None
                assert call_fault(change["after"], call_in(ended.source, change["tool"])) == "", (number, ended.source)
    together = sum(outcomes.values(), Counter[str]())
    assert together["as it was"] > 0 < together["refused"]
    if not count:
        assert outcomes == OUTCOMES
