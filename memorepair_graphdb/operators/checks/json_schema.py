"""Checks that a successor keeps to the schema of its recipe, and that its JSON is in canonical form."""

from __future__ import annotations

from ...errors import BadInput
from ...model.content import canonical_json
from ..contracts.validation import schema_fault
from ..protocol.check import Check, CheckInput
from ..protocol.context import parsed
from ..protocol.verdict import Review, Verdict, excerpt

NAME = "schema"


def keeps_schema(check_input: CheckInput) -> Verdict:
    """The content keeps to the recipe's `schema`, where it has one (design section 6)."""
    recipe = check_input.review.context.recipe
    schema = recipe.get("schema") if isinstance(recipe, dict) else None
    if schema is None:
        return Verdict.not_applicable(NAME, "the recipe has no schema")
    try:
        fault = schema_fault(schema, parsed(check_input.review.payload.content))
    except BadInput as error:
        return Verdict(False, NAME, f"the recipe's schema: {error}")
    return Verdict(not fault, NAME, fault)


def canonical(review: Review, content: str) -> Verdict:
    """JSON is in its canonical form; other text may be as it is."""
    value = parsed(content)
    if isinstance(value, str):
        return Verdict.not_applicable("canonical", "the content is no JSON")
    if content == canonical_json(value):
        return Verdict(True, "canonical")
    wanted = canonical_json(value)
    return Verdict(False, "canonical", "is not canonical JSON", excerpt(content), excerpt(wanted))


SCHEMA = Check(NAME, keeps_schema)
