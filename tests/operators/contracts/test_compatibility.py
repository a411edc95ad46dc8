"""What fits part by part is taken: objects, arrays, alternatives, literals; a JSON Schema validator is the oracle."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from memorepair_graphdb.operators.contracts.compatibility import takes, takes_value

TEXT: dict[str, Any] = {"type": "string"}
WHOLE: dict[str, Any] = {"type": "integer"}


def thing(properties: dict[str, Any], *needed: str, **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(needed), **more}


SMALL = thing({"a": TEXT}, "a", additionalProperties=False)
MORE = thing({"a": TEXT, "b": WHOLE}, "a", additionalProperties=False)
OTHER = thing({"c": TEXT}, "c", additionalProperties=False)
OPEN = {"type": "object"}


@pytest.mark.parametrize(
    ("old", "new", "value"),
    [
        (SMALL, MORE, {"a": "x"}),
        ({"type": "array", "items": SMALL}, {"type": "array", "items": MORE}, [{"a": "x"}]),
        ({"oneOf": [SMALL, OTHER]}, {"oneOf": [MORE, OTHER]}, {"a": "x"}),
        ({"anyOf": [SMALL, {"type": "null"}]}, {"anyOf": [{"type": "null"}, MORE]}, None),
        (thing({"in": SMALL}), thing({"in": MORE}), {"in": {"a": "x"}}),
        (SMALL, {**SMALL, "additionalProperties": {"not": {}}}, {"a": "x"}),
        (thing({"a": TEXT}, "a"), SMALL, {"a": "x"}),
        (SMALL, thing({"a": TEXT}, "a", additionalProperties={}), {"a": "x"}),
        (SMALL, OPEN, {"a": "x"}),
        (SMALL, {**SMALL, "$schema": "https://json-schema.org/draft/2020-12/schema"}, {"a": "x"}),
    ],
)
def test_an_optional_member_more_and_another_spelling_of_closed_or_open_are_taken(
    old: dict[str, Any], new: dict[str, Any], value: Any
) -> None:
    jsonschema.validate(value, old)
    jsonschema.validate(value, new)
    assert takes(old, new)
    assert takes_value(value, old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (SMALL, thing({"a": TEXT, "b": WHOLE}, "a", "b")),
        (SMALL, thing({"b": TEXT})),
        (SMALL, thing({"a": TEXT, "b": {**WHOLE, "default": 3}}, "a")),
        (thing({"a": {**WHOLE, "default": 1}}), thing({"a": {**WHOLE, "default": 2}})),
        (thing({"a": {**WHOLE, "description": "in cents"}}), thing({"a": {**WHOLE, "description": "in dollars"}})),
        (thing({"page": {**WHOLE, "minimum": 0}}), thing({"page": {**WHOLE, "minimum": 1}})),
        ({"oneOf": [SMALL, OTHER]}, {"oneOf": [MORE, OPEN]}),
        ({"oneOf": [SMALL]}, {"oneOf": [thing({"b": TEXT})]}),
        (OPEN, SMALL),
        (TEXT, {**TEXT, "pattern": "^[a-z]+$"}),
        (thing({"a": TEXT}), thing({"a": {**TEXT, "format": "uri"}})),
        ({"anyOf": [TEXT, WHOLE]}, {"anyOf": [{**TEXT, "pattern": "^a"}, WHOLE]}),
        ({"type": "array", "items": SMALL}, {"type": "array", "items": SMALL, "maxItems": 1}),
    ],
)
def test_a_member_that_is_gone_needed_or_another_is_not_taken(old: dict[str, Any], new: dict[str, Any]) -> None:
    assert not takes(old, new)


@pytest.mark.parametrize(
    ("value", "old", "new"),
    [
        (3, WHOLE, {**WHOLE, "minimum": 1, "maximum": 100}),
        ([3, 4], {"type": "array", "items": WHOLE}, {"type": "array", "items": {**WHOLE, "maximum": 9}}),
        ({"n": 3}, thing({"n": WHOLE}), thing({"n": {**WHOLE, "maximum": 9}})),
        ({"a": "x"}, OPEN, SMALL),
        ("open", TEXT, {**TEXT, "enum": ["open", "closed"]}),
    ],
)
def test_a_literal_that_keeps_a_new_bound_is_taken(value: Any, old: dict[str, Any], new: dict[str, Any]) -> None:
    assert not takes(old, new)
    jsonschema.validate(value, new)
    assert takes_value(value, old, new)


@pytest.mark.parametrize(
    ("value", "old", "new"),
    [
        (30, WHOLE, {**WHOLE, "maximum": 9}),
        ({"a": "x"}, thing({"a": TEXT, "n": WHOLE}), thing({"a": TEXT, "n": {**WHOLE, "maximum": 9, "default": 5}})),
        ({"b": "x"}, OPEN, thing({"a": TEXT})),
        (
            {"n": 3},
            thing({"n": {**WHOLE, "description": "cents"}}),
            thing({"n": {"type": "number", "description": "euros"}}),
        ),
        ("2026-01-01", TEXT, {**TEXT, "format": "date"}),
    ],
)
def test_a_literal_that_means_something_else_or_leaves_out_another_default_is_not(
    value: Any, old: dict[str, Any], new: dict[str, Any]
) -> None:
    assert not takes_value(value, old, new)
