"""Recipes as their operators' models: what each may hold, what a bad one says, and where it is said."""

from __future__ import annotations

import re
from typing import Any

import pytest
from pydantic import BaseModel

from memorepair_graphdb.cli.render.operators import operators_json
from memorepair_graphdb.errors import BadInput
from memorepair_graphdb.model.artifact import Kind
from memorepair_graphdb.model.vocabulary import Outcome
from memorepair_graphdb.operators.execution.attempt import attempt
from memorepair_graphdb.operators.execution.stage import Job
from memorepair_graphdb.operators.protocol.context import Context
from memorepair_graphdb.operators.protocol.recipe import Recipe
from memorepair_graphdb.operators.protocol.registry import Registry

NEEDED: dict[str, dict[str, Any]] = {
    "chain@1": {"contracts": {"weather": {"name": "weather"}}},
    "note@1": {"tool": "weather"},
    "note@2": {"tool": "weather"},
    "replay@1": {"expression": "response"},
    "replay@2": {"tool": "weather"},
}
COMMON = {"schema": {"type": "string"}, "checks": [{"question": "?", "must": ["rain"]}]}


@pytest.mark.parametrize("name", Registry.default().names())
def test_every_built_in_operator_has_a_model_with_the_common_fields_and_forbids_others(name: str) -> None:
    registry = Registry.default()
    registry.check_recipe(name, {**NEEDED.get(name, {}), **COMMON}, "k")
    with pytest.raises(BadInput, match=re.escape(f"the recipe of k for {name}: sorted: there is no such field")):
        registry.check_recipe(name, {**NEEDED.get(name, {}), "sorted": True}, "k")
    with pytest.raises(BadInput, match=r"checks\.0: a stored check"):
        registry.check_recipe(name, {**NEEDED.get(name, {}), "checks": [{"question": "?"}]}, "k")


def test_the_schemas_are_printed_and_describe_every_field() -> None:
    for operator in operators_json(Registry.default())["operators"]:
        properties = operator["recipe"]["properties"]
        assert {"schema", "checks"} <= properties.keys()
        assert all(field.get("description") for field in properties.values()), operator["name"]


class Style(BaseModel):
    """A recipe of a user's operator."""

    tone: str


def test_a_users_operator_has_its_recipe_parsed_once_and_fails_alone_with_a_bad_one() -> None:
    registry = Registry()

    @registry.operator("tell@1", mode="regen", recipe=Style)
    def tell(context: Context) -> str:
        assert context.recipe_as(Style) is context.again().recipe_as(Style)
        return f"{context.recipe_as(Style).tone} {context.recipe['tone']}"

    operator = registry.find("tell@1")
    assert operator is not None
    ended = attempt(Job(operator, Context("s", Kind.SUMMARY, recipe={"tone": "dry"})))
    assert ended.payload is not None, ended.reason
    assert ended.payload.content == "dry dry"
    bad = attempt(Job(operator, Context("s", Kind.SUMMARY, recipe={"tone": 3})))
    assert bad.outcome is Outcome.OPERATOR_FAILED
    assert bad.reason.startswith("the recipe of s: tone: ")


def test_an_unknown_operator_and_one_without_a_model_take_any_recipe() -> None:
    registry = Registry()
    registry.operator("free@1", mode="regen")(lambda context: "x")
    for name in (None, "else@1", "free@1"):
        registry.check_recipe(name, ["anything"], "k")


def test_a_model_is_a_pydantic_model() -> None:
    with pytest.raises(BadInput, match="pydantic model"):
        Registry().operator("odd@1", mode="regen", recipe=dict)  # type: ignore[arg-type]


def test_a_message_shows_no_values() -> None:
    with pytest.raises(BadInput) as raised:
        Registry.default().check_recipe("llm@1", {"model": ["Ann Berg"], "temperature": "Ann Berg"}, "k")
    assert "Ann" not in str(raised.value)
    assert issubclass(Registry.default().find("llm@1").recipe, Recipe)  # type: ignore[union-attr, arg-type]
