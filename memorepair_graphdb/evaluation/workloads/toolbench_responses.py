"""Gives what a service answered to a call: as recorded, else synthesised in the form that its document shows.

The same call has the same answer everywhere, in its record, its cached result and a chain's run.
"""

from __future__ import annotations

from typing import Any

from ...model.content import as_content, canonical_json
from ...operators.contracts.documented import documented_part
from ...operators.protocol.context import parsed
from .synthesis import synthesise
from .toolbench_contracts import response_schema
from .toolbench_usage import ToolbenchCall

UNDOCUMENTED = {"type": "object", "properties": {"status": {"type": "string"}, "result": {"type": "string"}}}
"""The form of a synthesised response where the document shows none."""


def answer(call: ToolbenchCall) -> str | dict[str, Any] | list[Any]:
    """Return the response as a record holds it: text, an object or an array."""
    if call.recorded is None:
        schema = response_schema(call.api)
        response = synthesise(UNDOCUMENTED if schema is None else schema, call.key, call.arguments)
    else:
        response = call.recorded[0]
    return response if isinstance(response, str | dict | list) else canonical_json(response)


def documented_answer(call: ToolbenchCall) -> Any:
    """Return the response as a cached result shows it: without the fields that the contract does not document."""
    schema = response_schema(call.api)
    response = parsed(as_content(answer(call)))
    return response if schema is None else documented_part(response, schema)
