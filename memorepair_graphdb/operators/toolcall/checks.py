"""The checks of replay@2, beside the second replay and the residue that always run; each under its own name.

The law of the room: a check reads the content and the contract, and believes nothing of the run that made it.
"""

from __future__ import annotations

from typing import Any

from ...model.content import canonical_json
from ..context import parsed
from ..regression import stored_checks
from ..schema import schema_fault
from ..verdict import Review, Verdict
from ..volatile import Place, sources_of
from .call import RESULT

SHOWN = 60
"""characters of a content that a verdict quotes"""


def canonical(review: Review, content: str) -> Verdict:
    """JSON is in its canonical form, so that equal results are equal texts."""
    value = parsed(content)
    if isinstance(value, str) or content == canonical_json(value):
        return Verdict(True, "canonical")
    wanted = canonical_json(value)
    return Verdict(False, "canonical", "is not canonical JSON", _short(content), _short(wanted))


def response(review: Review, content: str) -> Verdict:
    """The tool's answer, wherever the expression puts it whole, keeps to the contract's result schema."""
    recipe = review.context.options
    schema = review.context.interfaces[recipe["tool"]].get("outputSchema")
    value = parsed(content)
    for target, source in sources_of(recipe.get("expression", RESULT)) if schema is not None else ():
        if source == (RESULT,) and (fault := schema_fault(schema, _at(value, target))):
            return Verdict(False, "response", f"the answer breaks the contract of {recipe['tool']}: {fault}")
    return Verdict(True, "response")


def schema(review: Review, content: str) -> Verdict:
    """The content keeps to the recipe's schema, where it has one."""
    recipe = review.context.options
    fault = schema_fault(recipe["schema"], parsed(content)) if "schema" in recipe else ""
    return Verdict(not fault, "schema", fault and f"breaks the recipe's schema: {fault}")


def regression(review: Review, content: str) -> Verdict:
    """The content answers what the stored checks of the recipe ask."""
    return stored_checks(review)


def _at(value: Any, place: Place) -> Any:
    for step in place:
        if isinstance(value, list):
            value = value[int(step)] if int(step) < len(value) else None
        else:
            value = value.get(step) if isinstance(value, dict) else None
    return value


def _short(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


CHECKS = (canonical, response, schema, regression)
