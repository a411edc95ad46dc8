"""Decides whether a call of a tool may be made a second time, and by whom.

MCP's defaults hold: a contract that says nothing describes a tool that acts, and not in the same way twice. Such a tool
is called again only where its recipe says `"reads": true` (or `"idempotent": true`), or where whoever calls it says so:
`registry.tool(…, reads=True)`, `registry.runner(…, reads=…)`, or the runner's own method `reads(tool)`. Nobody's word
outweighs a contract or a recipe that says the opposite.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import Field

from ....errors import OperatorError
from ....model.successors import successors
from ...protocol.context import Context
from ...protocol.recipe import Recipe
from ...protocol.tools import ToolRunner, may_offer, says_reads

_ACTS = (("idempotentHint", False), ("readOnlyHint", False), ("destructiveHint", True))
"""The hints by which a contract says that a tool acts, and the value that says so."""


class RepeatableRecipe(Recipe):
    """What a recipe may say of the second call of its tool."""

    reads: bool | None = Field(
        default=None, description="true: a call changes nothing outside. false: it does, and is never made again."
    )
    idempotent: bool | None = Field(
        default=None,
        description="true: a second call changes no more than the first. false: it is never made a second time.",
    )


def refusal(context: Context, runners: Iterable[ToolRunner]) -> str:
    """Return why the call of a recipe must not be made a second time; "" where it may, or where there is no call.

    Asked at planning, and before each call. Where nobody here could call the tool at all, there is no reason to remove
    what another process may rebuild: the run says that the tool is not here.
    """
    tool, recipe = tool_in_place(context), _recipe_of(context)
    if tool is None:
        return ""
    hints = _hints(context, tool)
    if reason := _objection(tool, recipe, hints):
        return reason
    possible = [runner for runner in runners if may_offer(runner, tool)]
    if not possible or _is_declared(tool, recipe, hints) or any(says_reads(runner, tool) for runner in possible):
        return ""
    return (
        f"a call of {tool} is not repeated: nothing says that it only reads, neither its contract (readOnlyHint or "
        'idempotentHint true), nor its recipe ("reads": true), nor who calls it (registry.tool or registry.runner '
        "with reads)"
    )


def callers(context: Context, runners: Iterable[ToolRunner]) -> list[ToolRunner]:
    """Return the runners that may make the call of a recipe; raises `OperatorError` where none may.

    Those are all where the contract or the recipe says that a second call does no harm, else those that say so, and
    those that do not have the tool.
    """
    known = list(runners)
    if reason := refusal(context, known):
        raise OperatorError(reason)
    tool, recipe = str(tool_in_place(context)), _recipe_of(context)
    if _is_declared(tool, recipe, _hints(context, tool)):
        return known
    return [runner for runner in known if says_reads(runner, tool) or not may_offer(runner, tool)]


def _objection(tool: str, recipe: Mapping[str, Any], hints: Mapping[str, Any]) -> str:
    """Return who says that the tool acts, or ""."""
    if recipe.get("idempotent") is False:
        return f"a call of {tool} is not repeated: its recipe says that it is not idempotent"
    if recipe.get("reads") is False:
        return f"a call of {tool} is not repeated: its recipe says that it does not only read"
    if _is_harmless(hints):
        return ""
    for hint, value in _ACTS:
        if hints.get(hint) is value:
            return f"a call of {tool} is not repeated: its contract says {hint} {str(value).lower()}"
    return ""


def tool_in_place(context: Context) -> str | None:
    """Return the tool that a recipe names, or the only one in force that replaces it; None where it names none."""
    tool = _recipe_of(context).get("tool")
    if not isinstance(tool, str):
        return None
    return successors([tool], context.again().interfaces).get(tool, tool)


def _is_declared(tool: str, recipe: Mapping[str, Any], hints: Mapping[str, Any]) -> bool:
    """Return whether a second call is said to do no harm; what a recipe says is of the tool that it names."""
    if tool != recipe.get("tool"):
        return _is_harmless(hints)
    return _is_harmless(hints) or recipe.get("reads") is True or recipe.get("idempotent") is True


def _is_harmless(hints: Mapping[str, Any]) -> bool:
    """Return whether a contract says that a second call does no more; a hint that is no boolean says nothing."""
    return hints.get("readOnlyHint") is True or hints.get("idempotentHint") is True


def _recipe_of(context: Context) -> Mapping[str, Any]:
    """Return the recipe as it is: at planning it may be one that its operator cannot read."""
    return context.recipe if isinstance(context.recipe, dict) else {}


def _hints(context: Context, tool: str) -> Mapping[str, Any]:
    hints = context.interfaces.get(tool, {}).get("annotations")
    return hints if isinstance(hints, dict) else {}
