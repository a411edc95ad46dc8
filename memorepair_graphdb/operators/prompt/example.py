"""An example call that a contract takes, from what it documents.

The law of the room: a call that the schema does not take is no example; then there is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...model.content import canonical_json
from ..chain.contract import parameters, properties, required
from ..chain.desk import call_fault
from ..chain.examples import example
from ..schema import schema_fault


def example_call(contract: Mapping[str, Any]) -> str:
    """`{"tool", "arguments"}` as JSON: what must be given and what has a default, else only what must be; else ""."""
    schema = parameters(contract)
    documented, needed = properties(schema), required(schema)
    shown = {name: _value(name, inner) for name, inner in documented.items() if name in needed or "default" in inner}
    for arguments in (shown, {name: value for name, value in shown.items() if name in needed}):
        if not call_fault(contract, arguments):
            return canonical_json({"tool": contract.get("name"), "arguments": arguments})
    return ""


def _value(name: str, schema: Mapping[str, Any]) -> Any:
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
