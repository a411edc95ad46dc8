"""Makes values that fit a schema, always the same ones: what a dry run's tools answer, and what a note shows.

What the contract itself shows (examples, defaults, enumerations) comes first, else the plainest value that fits.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, floor
from typing import Any

from ...model.content import canonical_json
from .schemas import Schema, is_object, parameters, properties, required
from .validation import call_fault, schema_fault

FORMATS = {
    "date": "2026-01-01",
    "date-time": "2026-01-01T00:00:00Z",
    "time": "00:00:00Z",
    "email": "someone@example.org",
    "uri": "https://example.org/",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "ipv4": "192.0.2.1",
}
PLAIN: dict[str, Any] = {"boolean": True, "null": None, "object": {}, "array": []}
DIGITS = "1"
"""A text that can be read as a number too: chains do that to texts."""


def example(schema: Any) -> Any:
    """Return a value of a schema without references; one that fits its `pattern` only where the contract shows it."""
    if not isinstance(schema, dict):
        return DIGITS
    examples = [*schema.get("examples", ()), *([schema["default"]] if "default" in schema else ())]
    for value in [*examples, *([schema["const"]] if "const" in schema else ()), *schema.get("enum", ())]:
        if not schema_fault(schema, value):
            return value
    for way in ("anyOf", "oneOf"):
        if schema.get(way):
            return example(schema[way][0])
    kinds = schema.get("type", "object" if is_object(schema) else "string")
    return _plain(kinds if isinstance(kinds, str) else next((kind for kind in kinds if kind != "null"), "null"), schema)


def _plain(kind: str, schema: Schema) -> Any:
    if kind in ("integer", "number"):
        return _number(schema)
    if kind == "string":
        text = FORMATS.get(str(schema.get("format")), DIGITS)
        return text.ljust(int(schema.get("minLength", 0)), DIGITS)
    if kind == "array":
        return [example(schema.get("items"))] * max(1, int(schema.get("minItems", 0)))
    if kind == "object" and properties(schema):
        return {name: example(inner) for name, inner in properties(schema).items() if name in required(schema)}
    return PLAIN.get(kind)


def _number(schema: Schema) -> Any:
    """Return 1, or the number of its steps that is nearest to it within the bounds."""
    step, high = schema.get("multipleOf", 1), schema.get("maximum")
    value = step
    if "minimum" in schema:
        value = max(value, ceil(schema["minimum"] / step) * step)
    if "exclusiveMinimum" in schema:
        value = max(value, (floor(schema["exclusiveMinimum"] / step) + 1) * step)
    return value if high is None or value <= high else high


def example_call(contract: Mapping[str, Any]) -> str:
    """Return `{"tool", "arguments"}` as JSON: required parameters and defaults, else only required ones, else ""."""
    schema = parameters(contract)
    documented, needed = properties(schema), required(schema)
    values = {
        name: _shown_value(name, inner) for name, inner in documented.items() if name in needed or "default" in inner
    }
    for arguments in (values, {name: value for name, value in values.items() if name in needed}):
        if not call_fault(contract, arguments):
            return canonical_json({"tool": contract.get("name"), "arguments": arguments})
    return ""


def _shown_value(name: str, schema: Mapping[str, Any]) -> Any:
    """Return what the contract shows, else `<name>` where that fits, else the plainest value that fits."""
    has_value = "default" in schema or schema.get("examples") or "enum" in schema or "const" in schema
    blank = f"<{name}>"
    if (
        not has_value
        and schema.get("type") in ("string", None)
        and "format" not in schema
        and not schema_fault(schema, blank)
    ):
        return blank
    return example(dict(schema))
