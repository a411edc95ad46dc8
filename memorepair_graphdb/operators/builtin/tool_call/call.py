"""Reads the call that a recipe of replay@2 asks for: a tool, its arguments, and what of the answer is kept.

A call that the contract in force does not take is not made.

The recipe is `{"tool": "<name>", "arguments"?: {…}, "expression"?: "<JMESPath>", "volatile"?: ["<place>", …],
"reads"?: true, "idempotent"?: false, "schema"?: {…}, "checks"?: […]}`. The expression is searched in
`{"tool", "arguments", "result"}`, and is `result` where there is none. `operators/checks/volatile.py` says what a place
is, `repeating.py` when a call is made again. `schema` is what the content must keep to, and `checks` are stored
questions to it (`operators/checks/regression.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import Field, field_validator

from ....errors import OperatorError
from ...checks.volatile import read_places, volatile_places
from ...contracts.validation import recorded_call_fault
from ...protocol.context import Context
from .repeating import RepeatableRecipe, tool_in_place

NAME = "replay@2"
RESULT = "result"


class ToolCallRecipe(RepeatableRecipe):
    """What a recipe of replay@2 may say."""

    tool: str = Field(description="The tool that is called, under its contract in force.")
    arguments: dict[str, Any] = Field(default_factory=dict, description="Parameter → value of the call.")
    expression: str = Field(
        default=RESULT, description="A JMESPath expression over tool, arguments and result: what of them is kept."
    )
    volatile: list[str] = Field(
        default_factory=list, description="JSON Pointers to what may differ between two calls; `*` is every item."
    )

    @field_validator("volatile")
    @classmethod
    def _point_somewhere(cls, volatile: list[str]) -> list[str]:
        read_places(volatile, "it")
        return volatile


@dataclass(frozen=True, slots=True)
class ToolCallRequest:
    """A call that the contract in force takes."""

    tool: str
    arguments: dict[str, Any]
    expression: str
    contract: Mapping[str, Any]


def call_of(context: Context) -> ToolCallRequest:
    """Return the call that a recipe asks for; raises `BadInput`, or `OperatorError` for one that the contract refuses.

    Whether it may be made again, `repeating` says.
    """
    recipe = context.recipe_as(ToolCallRecipe)
    tool, arguments = str(tool_in_place(context)), recipe.arguments
    if tool not in context.interfaces:
        raise OperatorError(f"the tool {tool!r} has no contract in force: it was retired, or never recorded")
    volatile_places(context)
    contract = context.interfaces[tool]
    if fault := recorded_call_fault(contract, arguments):
        raise OperatorError(f"arguments: the contract of {tool} does not take the recorded call: {fault}")
    return ToolCallRequest(tool, arguments, recipe.expression, contract)
