"""Volatile places are followed from a contract through an expression, and nothing else is left out."""

from __future__ import annotations

from typing import Any

import pytest

from memorepair_graphdb.errors import BadInput
from memorepair_graphdb.model.artifact import Kind
from memorepair_graphdb.operators.checks.volatile import volatile_places, without
from memorepair_graphdb.operators.protocol.context import Context, Interfaces


def places(recipe: Any, *declared: str) -> set[str]:
    contract = {"name": "clock", "inputSchema": {}, "_meta": {"memorepair/volatile": list(declared)}}
    given = Context("cache/1", Kind.CACHE, recipe=recipe, interfaces=Interfaces.of({"clock": contract}))
    return {"/" + "/".join(place) if place else "" for place in volatile_places(given)}


@pytest.mark.parametrize(
    ("pointer", "left"),
    [
        ("/at", {"items": [{"at": 2, "n": 3}, {"at": 4, "n": 5}], "a/b": 6}),
        ("/items/*/at", {"at": 1, "items": [{"n": 3}, {"n": 5}], "a/b": 6}),
        ("/items/1", {"at": 1, "items": [{"at": 2, "n": 3}], "a/b": 6}),
        ("/a~1b", {"at": 1, "items": [{"at": 2, "n": 3}, {"at": 4, "n": 5}]}),
        ("/items/0/n/x", {"at": 1, "items": [{"at": 2, "n": 3}, {"at": 4, "n": 5}], "a/b": 6}),
        ("/no/such", {"at": 1, "items": [{"at": 2, "n": 3}, {"at": 4, "n": 5}], "a/b": 6}),
    ],
)
def test_a_value_is_left_without_its_volatile_places_and_no_others(pointer: str, left: Any) -> None:
    value = {"at": 1, "items": [{"at": 2, "n": 3}, {"at": 4, "n": 5}], "a/b": 6}
    given = Context("cache/1", Kind.CACHE, recipe={"volatile": [pointer]})
    assert without(value, volatile_places(given)) == left


@pytest.mark.parametrize(
    ("expression", "followed"),
    [
        (None, {"/at", "/items/*/age"}),
        ("result", {"/at", "/items/*/age"}),
        ("result.at", {""}),
        ("result.now", set()),
        ("{said: result, tool: tool}", {"/said/at", "/said/items/*/age"}),
        ("{when: result.at, first: result.items[0]}", {"/when", "/first/age"}),
        ("result.{t: at, all: items}", {"/t", "/all/*/age"}),
        ("result | [at, items[1].age]", {"/0", "/1"}),
        ("result.items[].age", set()),
    ],
)
def test_what_a_contract_declares_is_followed_through_plain_expressions(expression: str | None, followed: Any) -> None:
    recipe = {"tool": "clock", **({} if expression is None else {"expression": expression})}
    assert places(recipe, "/at", "/items/*/age") == followed


def test_a_recipe_adds_places_of_its_own_and_needs_no_tool() -> None:
    assert places({"tool": "clock", "volatile": ["/x"]}, "/at") == {"/x", "/at"}
    assert places({"volatile": ["/x"]}, "/at") == {"/x"}
    assert places(None) == places("text") == set()


@pytest.mark.parametrize("pointer", ["", "at", "/*", "/*/*", 3])
def test_a_place_that_is_none_or_is_everything_is_refused(pointer: Any) -> None:
    with pytest.raises(BadInput, match=r"volatile place|nothing to compare"):
        places({"volatile": [pointer]})
    with pytest.raises(BadInput, match="in a list, not in str"):
        places({"volatile": "/at"})
