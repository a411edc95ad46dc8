"""The small rules behind the ToolBench workload: arguments, schemas, recordings, synthesised values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import validate

from memorepair_graphdb.evaluation.workloads.synthesis import synthesise
from memorepair_graphdb.evaluation.workloads.toolbench_calls import arguments_of
from memorepair_graphdb.evaluation.workloads.toolbench_contracts import contract, read_cut_json
from memorepair_graphdb.evaluation.workloads.toolbench_files import Api
from memorepair_graphdb.evaluation.workloads.toolbench_recordings import Recordings, function_name


def api(required: list[Any] | None = None, optional: list[Any] | None = None, **fields: Any) -> Api:
    document = {
        "category_name": "Logistics",
        "tool_name": "Post",
        "api_name": "Track",
        "api_description": " Where it is. ",
    }
    parameters = {"required_parameters": required or [], "optional_parameters": optional or []}
    return Api.checked({**document, "method": "GET", **parameters, **fields})


def parameter(name: str, type: str = "STRING", default: Any = "") -> dict[str, Any]:
    return {"name": name, "type": type, "description": "", "default": default}


@pytest.mark.parametrize(
    ("query", "one", "expected"),
    [
        ("Where is the parcel with tracking number AB123X?", parameter("trackingNumber", default="ZZ9"), "AB123X"),
        ("Where is parcel ZZ9, or AB123X?", parameter("parcel", default="ZZ9"), "ZZ9"),
        ("Where is my parcel?", parameter("parcel", default="ZZ9"), "ZZ9"),
        ("List page 4 of the parcels", parameter("page", "NUMBER", "1"), 4),
        ("List the parcels", parameter("page", "NUMBER", "1"), 1),
        ("Anything about 'Red Shoes'?", parameter("q"), "Red Shoes"),
        ("Parcels sent since 2023-04-14", parameter("from", "DATE (YYYY-MM-DD)"), "2023-04-14"),
        ("Is it insured?", parameter("insured", "BOOLEAN", "true"), True),
    ],
)
def test_an_argument_is_what_the_query_names_else_the_documented_default(
    query: str, one: dict[str, Any], expected: Any
) -> None:
    assert arguments_of(query, api([one]), "seed") == {one["name"]: expected}


def test_an_invented_argument_is_the_same_in_every_task() -> None:
    document = api([parameter("parcel_id"), parameter("weight", "NUMBER")])
    first, second = (arguments_of(query, document, query) for query in ("Track it.", "Where is it?"))
    assert first == second
    assert isinstance(first["weight"], int)


def test_an_optional_parameter_is_given_only_where_the_query_names_it() -> None:
    document = api(optional=[parameter("limit", "NUMBER", "10"), parameter("country", default="us")])
    assert arguments_of("Show parcels with limit 5.", document, "seed") == {"limit": 5}


def test_a_contract_says_what_the_document_says() -> None:
    template = {
        "status": "str",
        "steps": [{"_list_length": 9, "at": "int"}],
        "tags": ["list of str with length 3"],
        "none": "empty list",
    }
    document = api(
        [parameter("n", "NUMBER", "3")], [parameter("since", "DATE (YYYY-MM-DD)")], template_response=template
    )
    assert contract(document, "Post/Track") == {
        "name": "Post/Track",
        "description": "Where it is.",
        "inputSchema": {
            "type": "object",
            "properties": {"n": {"type": "number", "default": 3}, "since": {"type": "string", "format": "date"}},
            "required": ["n"],
        },
        "outputSchema": {
            "type": "object",
            "properties": {
                "status": {"type": "string"},
                "steps": {
                    "type": "array",
                    "items": {"type": "object", "properties": {"at": {"type": "integer"}}},
                },
                "tags": {"type": "array", "items": {"type": "string"}},
                "none": {"type": "array"},
            },
        },
    }
    assert "outputSchema" not in contract(api(), "Post/Track")


@pytest.mark.parametrize(
    ("cut", "whole"),
    [
        ('{"a": "str", "b": {"c": ["int", "fl', {"a": "str", "b": {"c": ["int"]}}),
        ('{"a": "st\\"r,", "b', {"a": 'st"r,'}),
        ('{"a": {"b": "str"}, "c": ', {"a": {"b": "str"}}),
        ('[{"a": "int"}]', [{"a": "int"}]),
        ("no JSON", None),
    ],
)
def test_cut_json_is_read_up_to_its_last_whole_member(cut: str, whole: Any) -> None:
    assert read_cut_json(cut) == whole


def test_a_synthesised_response_fits_its_schema_and_repeats_the_arguments() -> None:
    schema = {
        "type": "object",
        "properties": {
            "parcel": {"type": "string"},
            "count": {"type": "integer"},
            "steps": {"type": "array", "items": {"type": "object", "properties": {"at": {"type": "number"}}}},
        },
    }
    value = synthesise(schema, "seed", {"Parcel": "ZZ9"})
    validate(value, schema)
    assert value["parcel"] == "ZZ9"
    assert value == synthesise(schema, "seed", {"Parcel": "ZZ9"})
    assert value != synthesise(schema, "another seed", {"Parcel": "ZZ9"})


def test_only_an_answered_call_is_a_recording(tmp_path: Path) -> None:
    document = api([parameter("parcelId"), parameter("id")])

    def step(arguments: str, observation: str) -> list[dict[str, Any]]:
        call = {"node_type": "Action Input", "description": arguments, "observation": observation}
        return [{"node_type": "Action", "description": function_name(document)}, call]

    chain = [
        *step('{"parcelid": "A", "is_id": "1"}', '{"error": "Timeout", "response": ""}'),
        *step('{"parcelid": "B", "is_id": "1"}', '{"error": "", "response": "{\'at\': None}"}'),
        *step('{"parcelid": "C", "is_id": "1"}', '{"error": "", "response": "cut off at 2048 char...'),
    ]
    path = tmp_path / "data_example/answer/7_dfs.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"trys": [{"chain": chain}]}))
    recordings = Recordings(tmp_path, [document])
    assert recordings.arguments(7, document) == {"parcelId": "B", "id": "1"}
    assert recordings.arguments(8, document) is None
    assert recordings.response(document, {"parcelId": "B", "id": "1"}) == ({"at": None},)
    assert recordings.response(document, {"parcelId": "A", "id": "1"}) is None
    assert recordings.response(document, {"parcelId": "C", "id": "1"}) is None
