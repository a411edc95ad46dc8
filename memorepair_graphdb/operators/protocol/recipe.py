"""Holds what a recipe is: a JSON object as its operator's model describes it, checked when recorded and before a run.

An operator's model is a subclass of `Recipe`, or any pydantic model; `parse_recipe` alone reads recipes into models.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, ValidationError, model_validator

from ...errors import BadInput
from ...model.frozen import Frozen

DISPENSABLE: dict[str, JsonValue] = {"dispensable": True}
"""Marks, as `json_schema_extra`, a field that its operator can do without.

Where it quotes retracted text it is dropped; of a list only the items that do.
"""

RecipeModel = TypeVar("RecipeModel", bound=BaseModel)

FAULTS_SHOWN = 3
"""The most faults of a recipe that a message lists."""
LONGEST_FIELD = 80
"""characters of a field's name that a message keeps"""


class StoredCheck(BaseModel):
    """A question to every successor, and phrases that stand or do not stand in its content."""

    model_config = ConfigDict(frozen=True, strict=True)

    question: Any = Field(default=None, description="What is asked, for the person who reads a rejection.")
    must: list[Annotated[str, Field(min_length=1)]] | None = Field(
        default=None, description="Phrases that stand in the content, in any case, spacing and punctuation."
    )
    must_not: list[Annotated[str, Field(min_length=1)]] | None = Field(
        default=None, description="Phrases that do not stand in the content."
    )

    @model_validator(mode="after")
    def _ask_something(self) -> StoredCheck:
        if self.must is None and self.must_not is None:
            raise ValueError("a stored check is an object with must or must_not")
        return self


def _as_list(checks: Any) -> Any:
    return [checks] if isinstance(checks, dict) else checks


class Recipe(Frozen):
    """The fields that a recipe of every built-in operator may have."""

    model_config = ConfigDict(strict=True)

    content_schema: dict[str, Any] | bool | None = Field(
        default=None, alias="schema", description="A JSON Schema that the content of every successor keeps to."
    )
    checks: Annotated[list[StoredCheck] | None, BeforeValidator(_as_list)] = Field(
        default=None, description="Stored checks that every successor passes.", json_schema_extra=DISPENSABLE
    )


def dispensable_fields(model: type[BaseModel] | None) -> frozenset[str]:
    """Return the names, as a recipe writes them, of the fields that an operator with recipes of this model can drop."""
    fields = (Recipe if model is None else model).model_fields.items()
    return frozenset(
        field.alias or name
        for name, field in fields
        if isinstance(field.json_schema_extra, dict) and field.json_schema_extra.get("dispensable")
    )


def parse_recipe(model: type[RecipeModel], recipe: Any, whose: str) -> RecipeModel:
    """Return a recipe, parsed JSON, as its operator's model; None is a recipe without fields.

    Raises `BadInput` with `whose` ("the recipe of sum/1"), the fields that are wrong and those that there are. The
    message names fields and shows no values: it is kept with the event, also after an erasure.
    """
    if recipe is not None and not isinstance(recipe, dict):
        raise BadInput(f"{whose} is a JSON object, not {type(recipe).__name__}")
    try:
        return model.model_validate({} if recipe is None else recipe)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False, include_context=False)
    listed = "; ".join(_describe(fault["loc"], fault["type"], fault["msg"]) for fault in faults[:FAULTS_SHOWN])
    more = f"; and {len(faults) - FAULTS_SHOWN} more" if len(faults) > FAULTS_SHOWN else ""
    fields = ", ".join(sorted(field.alias or name for name, field in model.model_fields.items()))
    raise BadInput(f"{whose}: {listed}{more}; it may have {fields} (memorepair operators --json describes them)")


def _describe(location: tuple[int | str, ...], kind: str, message: str) -> str:
    field = ".".join(map(str, location))[:LONGEST_FIELD]
    if kind == "extra_forbidden":
        return f"{field}: there is no such field"
    text = message.removeprefix("Value error, ")
    return f"{field}: {text}" if field else text
