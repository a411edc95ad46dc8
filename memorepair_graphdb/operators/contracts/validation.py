"""Says how a value breaks a JSON Schema, and how a call breaks a tool's contract.

Nothing is fetched: a schema refers to itself only.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import jsonschema_rs

from ...errors import BadInput
from ...model.content import canonical_json
from ..protocol.context import parsed
from ..protocol.verdict import excerpt
from .documented import documents_no_member, undocumented_members


def schema_fault(schema: Any, value: Any) -> str:
    """Return the first way in which a value breaks the schema, or ""; raises `BadInput` when the schema is none."""
    error = next(_validator(canonical_json(schema)).iter_errors(value), None)
    if error is None:
        return ""
    return f"{_json_path(error.instance_path)}: {excerpt(error.message, 200)}"


@lru_cache(maxsize=256)
def _validator(schema: str) -> jsonschema_rs.Validator:
    try:
        return jsonschema_rs.validator_for(parsed(schema), retriever=_refuse_to_fetch)
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
        raise BadInput(f"cannot be used: {getattr(error, 'message', error)}") from error


def _refuse_to_fetch(uri: str) -> Any:
    raise ValueError(f"{uri} is not fetched")


def _json_path(path: list[str | int]) -> str:
    return "$" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)


def call_fault(contract: Mapping[str, Any], arguments: Mapping[str, Any]) -> str:
    """Return how a call breaks a contract, or "": its schema, or an argument that is not documented, however deep.

    Whether the schema is open makes no difference: what a tool does not document it ignores, or reads in its own way.
    """
    if unknown := undocumented_arguments(contract, arguments):
        return f"it does not document {', '.join(unknown)}"
    return schema_fault(contract.get("inputSchema") or {}, arguments)


def recorded_call_fault(contract: Mapping[str, Any], arguments: Mapping[str, Any]) -> str:
    """Return how a call that was made once breaks the contract of today, or "", as `call_fault` does.

    A contract without an `inputSchema` says nothing of calls, and takes them as it took this one.
    """
    schema = contract.get("inputSchema")
    return (schema_fault(schema, arguments) or call_fault(contract, arguments)) if schema else ""


def undocumented_arguments(contract: Mapping[str, Any], arguments: Mapping[str, Any]) -> list[str]:
    """Return the paths of what a call gives and a contract does not document, sorted: `branch`, `filter.branch`.

    A contract that names no parameter at all documents none.
    """
    schema = contract.get("inputSchema") or {}
    if documents_no_member(schema):
        return sorted(arguments)
    return sorted(undocumented_members(dict(arguments), schema))
