"""Does a value keep to a JSON Schema?

The law of the room: nothing is fetched; a schema refers to itself only.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import jsonschema_rs

from ..errors import BadInput
from ..model.content import canonical_json
from .context import parsed
from .trial import Check, Trial
from .verdict import Verdict, excerpt

NAME = "schema"


def keeps_schema(trial: Trial) -> Verdict:
    """The content keeps to the recipe's `schema`, where it has one (design section 6)."""
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
    """The first way in which a value breaks the schema, or ""; raises `BadInput` when the schema is none."""
    error = next(_validator(canonical_json(schema)).iter_errors(value), None)
    if error is None:
        return ""
    return f"{_place(error.instance_path)}: {excerpt(error.message, 200)}"


@lru_cache(maxsize=256)
def _validator(schema: str) -> jsonschema_rs.Validator:
    try:
        return jsonschema_rs.validator_for(parsed(schema), retriever=_nothing_else)
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
        raise BadInput(f"cannot be used: {getattr(error, 'message', error)}") from error


def _nothing_else(uri: str) -> Any:
    raise ValueError(f"{uri} is not fetched")


def _place(path: list[str | int]) -> str:
    return "$" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)


SCHEMA = Check(NAME, keeps_schema)
