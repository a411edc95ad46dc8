"""Reads a tool's contract: its schemas without references, its parameters, its result, what they demand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from ...model.content import canonical_json
from .pointers import pointer_steps

Schema = Mapping[str, Any]
Contracts = Mapping[str, Mapping[str, Any]]
"""Tool → its contract."""
Path = tuple[str, ...]
"""Names of members from the root of a response inwards."""

DEPTH = 12
"""A schema that is nested deeper, or refers to itself, is open from there on."""
NOTES = frozenset({
    "description", "title", "examples", "$comment", "$schema", "$id", "deprecated", "default", "readOnly", "writeOnly",
})  # fmt: skip
"""Keywords that no value can break."""
FORMER = "x-renamed-from"
"""On a parameter or a field: the name it had."""
PRESENTATIONAL = "x-presentational"
"""On a parameter: it changes how a result looks, not what it says."""


def parameters(contract: Mapping[str, Any]) -> Schema:
    """Return the schema of a tool's arguments, without references."""
    return expanded(contract.get("inputSchema") or {})


def response(contract: Mapping[str, Any]) -> Schema:
    """Return the schema of a tool's result, without references; {} where the contract says nothing of it."""
    return expanded(contract.get("outputSchema") or {})


def parameters_as_written(contract: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameter → its schema as the contract writes it, references and all."""
    return (contract.get("inputSchema") or {}).get("properties") or {}


def required_as_written(contract: Mapping[str, Any]) -> list[str]:
    """Return the parameters that a call must give, in the order of the contract."""
    return list((contract.get("inputSchema") or {}).get("required") or ())


def expanded(schema: Any) -> Schema:
    """Return a schema with its local references and `allOf` put in their places."""
    return _expanded(schema, schema, 0)


def resolve(reference: str, whole: Any) -> Any:
    """Return the part of the schema `whole` that a `$ref` inside it points at; None for what lies elsewhere."""
    part = whole if reference.startswith("#") else None
    for step in pointer_steps(unquote(reference)):
        part = part.get(step) if isinstance(part, Mapping) else None
    return part


def properties(schema: Schema) -> Mapping[str, Schema]:
    """Return the documented members of an object, by name."""
    return {name: inner for name, inner in (schema.get("properties") or {}).items() if isinstance(inner, Mapping)}


def required(schema: Schema) -> frozenset[str]:
    """Return the members an object must have."""
    return frozenset(schema.get("required") or ())


def items(schema: Schema) -> Schema | None:
    """Return the schema of an array's items; None where it is no array or leaves them open."""
    inner = schema.get("items")
    return inner if isinstance(inner, Mapping) and _is(schema, "array") else None


def own_constraints(schema: Schema, *parts: str) -> str:
    """Return what a container demands of itself, apart from its parts and its type."""
    excluded = parts or ("properties", "required", "additionalProperties", "items", "type")
    return constraints({key: value for key, value in schema.items() if key not in excluded})


def is_object(schema: Schema) -> bool:
    """Return whether a value is an object and nothing else."""
    return _is(schema, "object") or ("type" not in schema and "properties" in schema)


def field_paths(schema: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the path to every field that a response documents, however deep; arrays and alternatives are no step."""
    if isinstance(schema, list):
        for part in schema:
            yield from field_paths(part, path)
    elif isinstance(schema, Mapping):
        members = schema.get("properties")
        for name, inner in members.items() if isinstance(members, Mapping) else ():
            yield (*path, name)
            yield from field_paths(inner, (*path, name))
        for keyword, part in schema.items():
            if keyword != "properties":
                yield from field_paths(part, path)


def constraints(schema: Any) -> str:
    """Return what a schema demands, as canonical JSON without notes: equal for schemas that take the same values."""
    return canonical_json(_demands(schema))


def _is(schema: Schema, kind: str) -> bool:
    return schema.get("type") in (kind, [kind])


def _expanded(schema: Any, whole: Any, depth: int) -> Schema:
    if not isinstance(schema, Mapping) or depth > DEPTH:
        return {}
    if isinstance(schema.get("$ref"), str):
        own = {key: value for key, value in schema.items() if key != "$ref"}
        return {**_expanded(resolve(schema["$ref"], whole), whole, depth + 1), **_expanded(own, whole, depth + 1)}
    plain = {
        key: _part(key, value, whole, depth) for key, value in schema.items() if key not in ("$defs", "definitions")
    }
    for part in plain.pop("allOf", ()):
        merged = {"properties": {**part.get("properties", {}), **plain.get("properties", {})}}
        both = sorted({*part.get("required", ()), *plain.get("required", ())})
        plain = {**part, **plain, **(merged if merged["properties"] else {}), **({"required": both} if both else {})}
    return plain


def _part(keyword: str, value: Any, whole: Any, depth: int) -> Any:
    if keyword == "properties" and isinstance(value, Mapping):
        return {name: _expanded(inner, whole, depth + 1) for name, inner in value.items()}
    if keyword in ("anyOf", "oneOf", "allOf", "prefixItems") and isinstance(value, list):
        return [_expanded(inner, whole, depth + 1) for inner in value]
    if keyword in ("items", "additionalProperties", "not") and isinstance(value, Mapping):
        return _expanded(value, whole, depth + 1)
    return value


def _demands(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_demands(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    keywords = {key: value for key, value in schema.items() if key not in NOTES and not key.startswith("x-")}
    demands = {key: _demands(value) for key, value in keywords.items() if key != "properties"}
    if "properties" in keywords:
        demands["properties"] = {name: _demands(inner) for name, inner in keywords["properties"].items()}
    if isinstance(demands.get("required"), list):
        demands["required"] = sorted(demands["required"])
    return demands
