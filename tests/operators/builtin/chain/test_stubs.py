"""The stubs of a contract let the type checker find what a chain gets wrong, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from memorepair_graphdb.errors import OperatorError
from memorepair_graphdb.operators.builtin.chain.names import function_names
from memorepair_graphdb.operators.builtin.chain.sandbox import Sandbox
from memorepair_graphdb.operators.builtin.chain.stubs import stubs, typed_view
from memorepair_graphdb.operators.contracts.examples import example
from memorepair_graphdb.operators.contracts.schemas import expanded

TOOL: dict[str, Any] = {
    "name": "geo.find-city",
    "inputSchema": {
        "type": "object",
        "properties": {
            "query": {"type": "string"},
            "max-rows": {"type": "integer"},
            "from": {"type": ["string", "null"]},
            "order": {"enum": ["asc", "desc"]},
        },
        "required": ["query", "max-rows"],
    },
    "outputSchema": {
        "type": "object",
        "properties": {"rows": {"type": "array", "items": {"$ref": "#/$defs/row"}}, "next-page": {"type": "integer"}},
        "required": ["rows", "next-page"],
        "$defs": {
            "row": {
                "allOf": [{"$ref": "#/$defs/named"}],
                "properties": {"size": {"type": "number"}, "inner": {"$ref": "#/$defs/row"}},
                "required": ["size"],
            },
            "named": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
        },
    },
}
CALL = "geo_find_city(query='x', **{'max-rows': 3, 'from': None})"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(workers=1) as sandbox:
        yield sandbox


def fault(sandbox: Sandbox, expression: str) -> str:
    contracts = {"geo.find-city": TOOL}
    return sandbox.type_fault(typed_view(f"def chain():\n    return {expression}\n", contracts), stubs(contracts))


@pytest.mark.parametrize(
    "expression",
    [
        CALL,
        f"{CALL}['next-page'] + 1",
        f"[row['name'].upper() for row in {CALL}['rows'] if row['size'] > 2.5]",
        "geo_find_city(query='x', order='asc', **{'max-rows': (3)})",
    ],
)
def test_what_fits_the_contract_passes(sandbox: Sandbox, expression: str) -> None:
    assert fault(sandbox, expression) == ""


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("geo_find_city(query='x')", "missing-argument"),
        ("geo_find_city('x', **{'max-rows': 3})", "too-many-positional-arguments"),
        ("geo_find_city(query='x', town='y', **{'max-rows': 3})", "unknown-argument"),
        ("geo_find_city(query='x', **{'max-rows': 3, 'max-cols': 3})", "unknown-argument"),
        ("geo_find_city(query=3, **{'max-rows': 3})", "invalid-argument-type"),
        ("geo_find_city(query='x', **{'max-rows': '3'})", "invalid-argument-type"),
        ("geo_find_city(query='x', order='up', **{'max-rows': 3})", "invalid-argument-type"),
        (f"{CALL}['page']", "invalid-key"),
        (f"{CALL}['rows'][0]['title']", "invalid-key"),
        ("geo_find_town(query='x')", "unresolved-reference"),
    ],
)
def test_what_does_not_is_named(sandbox: Sandbox, expression: str, said: str) -> None:
    assert said in fault(sandbox, expression)


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(OperatorError, match="would both be a_b"):
        function_names(["a-b", "a.b"])


@pytest.mark.parametrize(
    "schema",
    [
        TOOL["inputSchema"],
        TOOL["outputSchema"],
        {"type": "string", "format": "date", "minLength": 3},
        {"type": "integer", "minimum": 7, "maximum": 9, "multipleOf": 1},
        {"type": "integer", "minimum": 17, "multipleOf": 5},
        {"type": "integer", "exclusiveMinimum": 20, "multipleOf": 5},
        {"anyOf": [{"type": "array", "items": {"const": 4}, "minItems": 2}, {"type": "null"}]},
        {"type": "string", "pattern": "^[A-Z]{2}$", "examples": ["no", "NO"]},
        {"type": ["null", "boolean"]},
    ],
)
def test_an_example_keeps_to_its_schema(schema: dict[str, Any]) -> None:
    jsonschema.validate(example(expanded(schema)), schema)


def test_a_tool_whose_name_begins_with_no_letter_is_found_by_the_type_checker(sandbox: Sandbox) -> None:
    for tool, name in (("360 Tool/List", "tool_360_Tool_List"), ("_own", "tool_own"), ("🐍 Pit/Get", "tool__Pit_Get")):
        source = f"def chain():\n    return {name}(query='x', **{{'max-rows': 3}})['next-page']\n"
        assert sandbox.type_fault(typed_view(source, {tool: TOOL}), stubs({tool: TOOL})) == "", tool
