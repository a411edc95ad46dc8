"""Does a value keep to a JSON Schema?

The law of the room: nothing is fetched; a schema refers to itself only.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from jsonschema.exceptions import SchemaError, best_match
from jsonschema.protocols import Validator
from jsonschema.validators import Draft202012Validator, validator_for
from referencing import Registry
from referencing.exceptions import Unresolvable

from ..errors import BadInput
from ..model.content import canonical_json
from .context import parsed
from .trial import Check, Trial
from .verdict import Verdict

NAME = "schema"


def keeps_schema(trial: Trial) -> Verdict:
    """The content keeps to the recipe's `schema`, where it has one (regen, design section 6)."""
    recipe = trial.review.context.recipe
    schema = recipe.get("schema") if isinstance(recipe, dict) else None
    if schema is None:
        return Verdict(True, NAME)
    try:
        fault = schema_fault(schema, parsed(trial.review.payload.content))
    except BadInput as error:
        return Verdict(False, NAME, f"the recipe's schema: {error}")
    return Verdict(not fault, NAME, fault)


def schema_fault(schema: Any, value: Any) -> str:
    """The most telling way in which a value breaks the schema, or ""; raises `BadInput` when the schema is none."""
    try:
        error = best_match(_validator(canonical_json(schema)).iter_errors(value))
    except Unresolvable as unresolvable:
        raise BadInput(f"refers to what is not in it: {unresolvable}") from unresolvable
    if error is None:
        return ""
    message = error.message if len(error.message) <= 200 else f"{error.message[:199]}…"
    return f"{error.json_path}: {message}"


@lru_cache(maxsize=256)
def _validator(schema: str) -> Validator:
    data = parsed(schema)
    kind = validator_for(data, default=Draft202012Validator)
    try:
        kind.check_schema(data)
    except SchemaError as error:
        raise BadInput(f"is no JSON Schema: {error.message}") from error
    return kind(data, registry=Registry())


SCHEMA = Check(NAME, keeps_schema)
