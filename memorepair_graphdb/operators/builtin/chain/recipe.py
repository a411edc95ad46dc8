"""Reads what a chain skill has besides its source: its recipe, the contracts it was written for, its recorded runs.

The recipe is `{"contracts": {tool: contract}, "runs"?: [run, …], "presentational"?: {tool: ["parameter", …]}}`; a run
is `{"arguments": {…}, "calls": [{"tool", "arguments", "result"}, …], "result": …}`. A successor keeps the recipe it was
derived with, and carries the contracts that it was rewritten for in its blob, as canonical JSON.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ....errors import BadInput
from ....model.content import canonical_json
from ...contracts.schemas import REPLACES, Contracts
from ...protocol.context import Context
from .tool_host import HostCall

_KEYS = frozenset({"tools", "contracts", "runs", "presentational", "checks"})


class RecordedRun(NamedTuple):
    """A run of a chain in the past, from its recipe."""

    arguments: dict[str, Any]
    calls: tuple[HostCall, ...]
    result: Any


@dataclass(frozen=True, slots=True)
class ChainSkill:
    """A chain skill with its contracts: those it was written for, and those in force."""

    old: Contracts
    """tool → the contract the chain was written for"""
    new: Contracts
    """tool → its contract in force, for those that stand in an old one's place"""
    successors: Mapping[str, str]
    """old tool → the tool that stands in its place; one that is gone is not in it"""
    recorded: tuple[RecordedRun, ...]
    """as the first version of the chain ran, under the recipe's contracts"""
    recorded_for: Contracts
    presentational: Mapping[str, Collection[str]]


def skill_of(context: Context) -> ChainSkill:
    """Read the recipe and the contracts in force; raises `BadInput` where something is missing or no such thing."""
    recipe = context.options
    if unknown := sorted(recipe.keys() - _KEYS):
        raise BadInput(f"a recipe of a chain does not have {', '.join(unknown)}")
    first = _contracts(context.key, recipe.get("contracts"))
    old = first if context.previous_blob is None else _contracts(context.key, _read(context.previous_blob))
    successors = _successors(context, old)
    return ChainSkill(
        old,
        {tool: context.interfaces[tool] for tool in sorted(successors.values())},
        successors,
        tuple(_run(context.key, run) for run in recipe.get("runs") or ()),
        first,
        recipe.get("presentational") or {},
    )


def written_for(contracts: Contracts) -> bytes:
    """Return the contracts a chain was written for, as its blob."""
    return canonical_json(dict(contracts)).encode("utf-8")


def _read(blob: bytes) -> Any:
    try:
        return json.loads(blob)
    except ValueError:
        return None


def _contracts(key: str, given: Any) -> Contracts:
    if not isinstance(given, dict) or not given or not all(isinstance(one, dict) for one in given.values()):
        raise BadInput(f"the contracts that {key} was written for are not recorded (recipe: contracts)")
    return given


def _successors(context: Context, old: Contracts) -> dict[str, str]:
    """Return old tool → its successor: itself where it is in force, else the only tool that says it replaces it."""
    successors = {tool: tool for tool in old if tool in context.interfaces}
    gone = old.keys() - successors.keys()
    if not gone:
        return successors
    for tool, contract in context.again().interfaces.items():
        replaced = contract.get(REPLACES)
        for former in gone & set(replaced if isinstance(replaced, list) else [replaced]):
            successors[former] = "" if former in successors else tool
    return {former: tool for former, tool in successors.items() if tool}


def _run(key: str, given: Any) -> RecordedRun:
    try:
        calls = tuple(HostCall(one["tool"], dict(one["arguments"]), one["result"]) for one in given["calls"])
        return RecordedRun(dict(given["arguments"]), calls, given["result"])
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput(f"a recorded run of {key} has arguments, calls and a result: {error!r}") from error
