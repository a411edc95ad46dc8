"""Turns ToolBench's API documents into contracts in MCP's shape.

A contract says what the document says, and no more; what is not documented has no schema.
"""

from __future__ import annotations

import json
from typing import Any

from .toolbench_files import Api, ApiParameter

Schema = dict[str, Any]

PARAMETER_TYPES: dict[str, Schema] = {
    "STRING": {"type": "string"},
    "ENUM": {"type": "string"},
    "NUMBER": {"type": "number"},
    "BOOLEAN": {"type": "boolean"},
    "ARRAY": {"type": "array"},
    "OBJECT": {"type": "object"},
    "BINARY": {"type": "string", "contentEncoding": "base64"},
    "DATE (YYYY-MM-DD)": {"type": "string", "format": "date"},
    "TIME (24-HOUR HH:MM)": {"type": "string", "pattern": "^[0-2][0-9]:[0-5][0-9]$"},
}
"""ToolBench's parameter types, in capitals, as JSON Schema."""

LEAVES: dict[str, Schema] = {
    "str": {"type": "string"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "bool": {"type": "boolean"},
    "list": {"type": "array"},
    "NoneType": {},  # the sample was null: a documented field of unknown type
}
LENGTH = "_list_length"
"""Where a template keeps the length of the list that it abridges: no field of the response."""


def contract(api: Api, name: str) -> dict[str, Any]:
    """`{name, description, inputSchema}` of the document, and `outputSchema` where it shows a response."""
    parameters = (*api.required, *api.optional)
    document: dict[str, Any] = {
        "name": name,
        "description": api.description.strip(),
        "inputSchema": {
            "type": "object",
            "properties": {parameter.name: _parameter_schema(parameter) for parameter in parameters},
            "required": list(dict.fromkeys(parameter.name for parameter in api.required)),
        },
    }
    output = response_schema(api)
    if output is not None:
        document["outputSchema"] = output
    return document


def response_schema(api: Api) -> Schema | None:
    """Return the schema of the document's `template_response`; None where it has none."""
    template = api.template
    if isinstance(template, str) and template not in LEAVES:
        template = read_cut_json(template)  # upstream stored long templates as text, cut at 1,000 characters
    return None if template is None else _template_schema(template)


def typed_default(parameter: ApiParameter) -> Any:
    """Return the documented default in the type of the parameter; None where there is none or it does not fit."""
    raw = parameter.default
    kind = PARAMETER_TYPES.get(parameter.type.upper(), {}).get("type")
    if raw in ("", None) or not isinstance(raw, str | int | float | bool):
        return raw or None
    if kind == "number":
        return _number(str(raw))
    if kind == "boolean":
        return {"true": True, "1": True, "false": False, "0": False}.get(str(raw).lower())
    return raw if kind is None else (str(raw) if kind == "string" else None)


def _number(text: str) -> int | float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    if number != number or number in (float("inf"), float("-inf")):
        return None
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def _parameter_schema(parameter: ApiParameter) -> Schema:
    schema = dict(PARAMETER_TYPES.get(parameter.type.upper(), {}))
    if parameter.description.strip():
        schema["description"] = parameter.description.strip()
    default = typed_default(parameter)
    if default is not None:
        schema["default"] = default
    elif parameter.default not in ("", None):
        schema["examples"] = [parameter.default]  # documented, though not of the documented type
    return schema


def _template_schema(template: Any) -> Schema:
    if isinstance(template, dict):
        fields = {name: _template_schema(part) for name, part in template.items() if name != LENGTH}
        return {"type": "object", "properties": fields}
    if isinstance(template, list):
        return {"type": "array", "items": _template_schema(template[0])} if template else {"type": "array"}
    if isinstance(template, str):
        return _leaf_schema(template)
    return {}


def _leaf_schema(leaf: str) -> Schema:
    """Return the schema of "str", "empty list", "list of str with length 6", …"""
    if leaf == "empty list":
        return {"type": "array"}
    return dict(LEAVES.get(leaf.removeprefix("list of ").partition(" with length ")[0], {}))


def read_cut_json(text: str) -> Any:
    """Return JSON whose end was cut off, up to its last whole member; None where nothing of it is whole."""
    for end, closers in reversed(_whole_prefixes(text)):
        try:
            return json.loads(text[:end] + closers)
        except ValueError:
            continue
    return None


def _whole_prefixes(text: str) -> list[tuple[int, str]]:
    """Return every place after a closing bracket or before a comma, with the brackets that close what is open there."""
    prefixes, opened, quoted, escaped = [], "", False, False
    for position, character in enumerate(text):
        if quoted:
            quoted, escaped = escaped or character != '"', character == "\\" and not escaped
        elif character == '"':
            quoted = True
        elif character in "{[":
            opened = ("}" if character == "{" else "]") + opened
            prefixes.append((position + 1, opened))
        elif character in "}]":
            opened = opened[1:]
            prefixes.append((position + 1, opened))
        elif character == ",":
            prefixes.append((position, opened))
    return prefixes
