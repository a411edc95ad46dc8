"""Checks what replay@2 keeps, beside the checks of its mode; each has its own name.

A check reads the content and the contract, and believes nothing of the run that made it.
"""

from __future__ import annotations

from typing import Any

from ...checks.expressions import Place, sources_of
from ...checks.json_schema import canonical
from ...contracts.validation import schema_fault
from ...protocol.context import parsed
from ...protocol.verdict import Review, Verdict
from .call import RESULT, ToolCallRecipe
from .repeating import tool_in_place


def response(review: Review, content: str) -> Verdict:
    """The tool's answer, wherever the expression puts it whole, keeps to the contract's result schema."""
    recipe = review.context.recipe_as(ToolCallRecipe)
    tool = str(tool_in_place(review.context))
    schema = review.context.interfaces[tool].get("outputSchema")
    if schema is None:
        return Verdict.not_applicable("response", "the contract has no result schema")
    targets = [target for target, source in sources_of(recipe.expression) if source == (RESULT,)]
    if not targets:
        return Verdict.not_applicable("response", "the expression does not keep the answer whole")
    value = parsed(content)
    for target in targets:
        if fault := schema_fault(schema, _at(value, target)):
            return Verdict(False, "response", f"the answer breaks the contract of {tool}: {fault}")
    return Verdict(True, "response")


def _at(value: Any, place: Place) -> Any:
    for step in place:
        if isinstance(value, list):
            value = value[int(step)] if int(step) < len(value) else None
        else:
            value = value.get(step) if isinstance(value, dict) else None
    return value


CHECKS = (canonical, response)
