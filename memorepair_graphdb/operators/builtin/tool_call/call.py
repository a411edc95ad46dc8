"""What a recipe of replay@2 asks for: a tool, its arguments, and what of the answer is kept.

A call that the contract in force does not take is not made, and one that could act twice neither.

The recipe is `{"tool": "<name>", "arguments"?: {…}, "expression"?: "<JMESPath>", "volatile"?: ["<place>", …],
"idempotent"?: false, "schema"?: {…}, "checks"?: […]}`. The expression is searched in
`{"tool", "arguments", "result"}`, and is `result` where there is none. `operators/volatile.py` says what a place is.
`schema` is what the content must keep to, and `checks` are stored questions to it (`operators/regression.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import Field, field_validator

from ....errors import OperatorError
from ...checks.volatile import read_places, volatile_places
from ...contracts.validation import schema_fault
from ...protocol.context import Context
from ...protocol.recipe import Recipe

NAME = "replay@2"
RESULT = "result"


class ToolCallRecipe(Recipe):
    """What a recipe of replay@2 may say."""

    tool: str = Field(description="The tool that is called, under its contract in force.")
    arguments: dict[str, Any] = Field(default_factory=dict, description="Parameter → value of the call.")
    expression: str = Field(
        default=RESULT, description="A JMESPath expression over tool, arguments and result: what of them is kept."
    )
    volatile: list[str] = Field(
        default_factory=list, description="JSON Pointers to what may differ between two calls; `*` is every item."
    )
    idempotent: bool | None = Field(default=None, description="false: the call is never made a second time.")

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
    """The call that a recipe asks for; raises `BadInput`, or `OperatorError` for a call that may not be made."""
    recipe = context.recipe_as(ToolCallRecipe)
    tool, arguments = recipe.tool, recipe.arguments
    if tool not in context.interfaces:
        raise OperatorError(f"the tool {tool!r} has no contract in force: it was retired, or never recorded")
    if objection := never_again(context):
        raise OperatorError(objection)
    volatile_places(context)
    contract = context.interfaces[tool]
    if fault := schema_fault(contract.get("inputSchema", {}), arguments):
        raise OperatorError(f"arguments: the contract of {tool} does not take the recorded call: {fault}")
    return ToolCallRequest(tool, arguments, recipe.expression, contract)


def never_again(context: Context) -> str:
    """Why the call must not be made a second time, "" where it may: its recipe, or MCP's hints in its contract.

    Who declares nothing is taken to read. A tool that is said to write, and not to be idempotent, is not: that is what
    MCP takes for granted of such a tool.
    """
    recipe = context.recipe if isinstance(context.recipe, dict) else {}
    tool = recipe.get("tool")
    if recipe.get("idempotent") is False:
        return f"a call of {tool} is not repeated: its recipe says that it is not idempotent"
    contract = context.interfaces[tool] if isinstance(tool, str) and tool in context.interfaces else {}
    hints = contract.get("annotations")
    if not isinstance(hints, dict) or hints.get("readOnlyHint") is True or hints.get("idempotentHint") is True:
        return ""
    for hint, said in (("idempotentHint", False), ("readOnlyHint", False), ("destructiveHint", True)):
        if hints.get(hint) is said:
            return f"a call of {tool} is not repeated: its contract says {hint} {str(said).lower()}"
    return ""
