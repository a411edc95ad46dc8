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

from pydantic import BaseModel, ConfigDict, Field

from ....errors import OperatorError
from ....model.content import canonical_json
from ....model.successors import successors
from ...contracts.schemas import Contracts
from ...protocol.context import Context
from ...protocol.recipe import DISPENSABLE, Recipe
from .tool_host import HostCall


class RecipeCall(BaseModel):
    """A call of a recorded run, as a recipe writes it."""

    model_config = ConfigDict(frozen=True, strict=True)

    tool: str
    arguments: dict[str, Any]
    result: Any


class RecipeRun(BaseModel):
    """A recorded run, as a recipe writes it."""

    model_config = ConfigDict(frozen=True, strict=True)

    arguments: dict[str, Any]
    calls: list[RecipeCall]
    result: Any


class ChainRecipe(Recipe):
    """What a recipe of chain@1 may say."""

    contracts: dict[str, dict[str, Any]] = Field(
        min_length=1, description="Tool → the contract that the chain was written for."
    )
    runs: list[RecipeRun] | None = Field(
        default=None,
        description="Runs of the chain, recorded under the contracts.",
        json_schema_extra=DISPENSABLE,
    )
    presentational: dict[str, list[str]] | None = Field(
        default=None, description="Tool → parameters that change how an answer is shown, not what it says."
    )
    tools: list[str] | None = Field(
        default=None, description="The chain's tools, for a reader; not used.", json_schema_extra=DISPENSABLE
    )


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
    """Read the recipe and the contracts in force; raises `BadInput`, or `OperatorError` for its blob."""
    recipe = context.recipe_as(ChainRecipe)
    first = recipe.contracts
    old = first if context.previous_blob is None else _contracts(context.key, _read(context.previous_blob))
    in_place = successors(old, context.again().interfaces)
    return ChainSkill(
        old,
        {tool: context.interfaces[tool] for tool in sorted(in_place.values())},
        in_place,
        tuple(map(_recorded, recipe.runs or ())),
        first,
        recipe.presentational or {},
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
        raise OperatorError(f"the contracts that {key} was written for are not in its blob")
    return given


def _recorded(run: RecipeRun) -> RecordedRun:
    calls = tuple(HostCall(call.tool, call.arguments, call.result) for call in run.calls)
    return RecordedRun(run.arguments, calls, run.result)
