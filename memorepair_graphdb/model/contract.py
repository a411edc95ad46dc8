"""Reads and checks tool contracts, in MCP's shape: a name, and schemas that are JSON Schema."""

from __future__ import annotations

import json
from typing import Any

import jsonschema_rs
from pydantic import ConfigDict, Field, field_validator

from ..errors import BadInput
from .frozen import Frozen
from .names import Name, Text

_SCHEMAS = jsonschema_rs.Draft202012Validator({"$ref": "https://json-schema.org/draft/2020-12/schema"})
"""The schema of schemas; it ships with the library, and nothing is fetched."""


class Contract(Frozen):
    """The interface of a tool: `{name, description, inputSchema, outputSchema}`; further MCP fields are kept."""

    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=True)

    name: Name
    description: Text = ""
    input_schema: dict[str, Any] = Field(alias="inputSchema")
    output_schema: dict[str, Any] | None = Field(default=None, alias="outputSchema")

    @field_validator("input_schema", "output_schema")
    @classmethod
    def _check_schema(cls, schema: dict[str, Any] | None) -> dict[str, Any] | None:
        if schema is not None:
            try:
                _SCHEMAS.validate(schema)
            except jsonschema_rs.ValidationError as error:
                raise ValueError(f"is no JSON Schema: {error.message}") from error
            except RecursionError:
                raise ValueError("is a JSON Schema nested too deep to be checked") from None
        return schema

    @property
    def parameters(self) -> dict[str, Any]:
        """Parameter name → its schema, in the contract's order."""
        properties = self.input_schema.get("properties", {})
        return dict(properties) if isinstance(properties, dict) else {}

    @property
    def required_parameters(self) -> tuple[str, ...]:
        """Names of the parameters that a call must give."""
        return tuple(self.input_schema.get("required", ()))


def read_contract(content: str, where: str = "contract") -> Contract:
    """Parse a stored contract; raises `BadInput` that says what is missing."""
    try:
        data = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{where}: a contract is a JSON object, this is not JSON: {error}") from error
    return Contract.checked(data, where)


def check_tool_name(contract: Contract, tool: Any) -> None:
    """Refuse a contract that calls itself another name than the tool's; raises `BadInput` that names the ways out."""
    if contract.name != tool:
        raise BadInput(
            f"contract of {tool}: it calls itself {contract.name!r}: give the tool and the contract one name; where "
            f"the tool is renamed, retire the contract of {tool} and record one of {contract.name!r} with "
            f'"x-replaces": "{tool}"'
        )
