"""A value that a schema takes, always the same one: what a dry run's tools answer.

The law of the room: what the contract shows comes first; the rest is the plainest value that fits.
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
    """A value of a schema without references; what its patterns ask for beyond an example is not met."""
    if not isinstance(schema, dict):
        return DIGITS
    shown = [*schema.get("examples", ()), *([schema["default"]] if "default" in schema else ())]
    for value in [*shown, *([schema["const"]] if "const" in schema else ()), *schema.get("enum", ())]:
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
    """1, or the number of its steps that is nearest to it within the bounds."""
    step, high = schema.get("multipleOf", 1), schema.get("maximum")
    value = step
    if "minimum" in schema:
        value = max(value, ceil(schema["minimum"] / step) * step)
    if "exclusiveMinimum" in schema:
        value = max(value, (floor(schema["exclusiveMinimum"] / step) + 1) * step)
    return value if high is None or value <= high else high


def example_call(contract: Mapping[str, Any]) -> str:
    """`{"tool", "arguments"}` as JSON: what must be given and what has a default, else only what must be; else ""."""
    schema = parameters(contract)
    documented, needed = properties(schema), required(schema)
    shown = {name: _shown(name, inner) for name, inner in documented.items() if name in needed or "default" in inner}
    for arguments in (shown, {name: value for name, value in shown.items() if name in needed}):
        if not call_fault(contract, arguments):
            return canonical_json({"tool": contract.get("name"), "arguments": arguments})
    return ""


def _shown(name: str, schema: Mapping[str, Any]) -> Any:
    """What the document shows, else a text that says what belongs there, else the plainest value that fits."""
    told = "default" in schema or schema.get("examples") or "enum" in schema or "const" in schema
    blank = f"<{name}>"
    if (
        not told
        and schema.get("type") in ("string", None)
        and "format" not in schema
        and not schema_fault(schema, blank)
    ):
        return blank
    return example(dict(schema))
