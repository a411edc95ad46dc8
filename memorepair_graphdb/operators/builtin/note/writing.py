"""Writes what a note says of a tool: heading, description, parameters, an example call, lessons.

What stands in backticks is the name of a tool or of a parameter, and nothing else is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from ....model.artifact import Kind
from ....model.content import canonical_json
from ....model.successors import successors
from ...contracts.schemas import parameters_as_written, required_as_written
from ...protocol.context import Context
from ...protocol.recipe import Recipe

LESSONS = 20
"""lines of the summary at most"""
TOKENS_A_TOOL = 100.0

HEADING = "How to use the tool"
PARAMETERS = "Parameters"
NO_PARAMETERS = "It takes no parameters."
COLUMNS = ("Parameter", "Type", "Required", "Default", "Description")
EXAMPLE = "Example call"
LESSONS_HEADING = "What earlier calls showed"
TEMPLATES = (HEADING, PARAMETERS, NO_PARAMETERS, " ".join(COLUMNS), EXAMPLE, LESSONS_HEADING, "yes no")

NAMED = re.compile(r"`([^`\n]+)`")


class NoteRecipe(Recipe):
    """Describes the recipes of note@1 and note@2."""

    tool: str | None = Field(default=None, description="The tool that the note is on; `tools` counts before it.")
    tools: Annotated[list[str], Field(min_length=1)] | None = Field(
        default=None, description="The tools that the note is on, in this order."
    )
    contracts: dict[str, Any] | None = Field(
        default=None, description="Tool → the contract that the first version was written for (note@2)."
    )

    @model_validator(mode="after")
    def _name_a_tool(self) -> Self:
        if self.tool is None and self.tools is None:
            raise ValueError('a recipe of a note is {"tool": "name"} or {"tools": ["name", …]}')
        return self


def estimate(context: Context) -> float:
    """Return the tokens: what is read, and the frame of each tool."""
    return context.tokens + TOKENS_A_TOOL * len(tools_of(context))


def tools_of(context: Context) -> list[str]:
    """Return the tools that the recipe names, or what took their place; raises `BadInput` where it names none."""
    recipe = context.recipe_as(NoteRecipe)
    names = recipe.tools or [str(recipe.tool)]
    in_place = successors(names, context.again().interfaces)
    return list(dict.fromkeys(in_place.get(name, name) for name in names))


def names_of(contracts: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the tools and parameters that contracts name, as a note writes them."""
    names = {one_line(contract.get("name")) for contract in contracts}
    return names.union(*({one_line(name) for name in parameters_as_written(contract)} for contract in contracts))


def about(contract: Mapping[str, Any], call: str) -> Iterator[str]:
    """Return the blocks on one tool; `call` is an example as JSON, "" where there is none."""
    yield f"# {HEADING} `{one_line(contract.get('name'))}`"
    if description := one_line(contract.get("description")):
        yield description
    parameters, required = parameters_as_written(contract), required_as_written(contract)
    if parameters:
        first = sorted(parameters, key=lambda name: name not in required)
        rows = [_row(name, parameters[name], name in required) for name in first]
        yield f"## {PARAMETERS}\n\n" + "\n".join([_cells(COLUMNS), _cells(("---",) * len(COLUMNS)), *rows])
    else:
        yield NO_PARAMETERS
    if call:
        yield f"## {EXAMPLE}\n\n    {call}"


def lessons(context: Context) -> Iterator[str]:
    """Return the lines of the summaries among the sources, without what marks a list or a heading."""
    for source in context.supports:
        if source.kind is Kind.SUMMARY:
            for line in source.content.splitlines():
                if lesson := " ".join(line.split()).lstrip("-*# "):
                    yield lesson


def with_lessons(blocks: list[str], kept: Iterable[str]) -> str:
    """Return the whole note."""
    lines = [f"- {line}" for line in kept][:LESSONS]
    ending = [f"## {LESSONS_HEADING}\n\n" + "\n".join(lines)] if lines else []
    return "\n\n".join([*blocks, *ending]) + "\n"


def one_line(text: Any) -> str:
    """Return a text on one line, without backticks: these mark the names that the contracts have."""
    return " ".join(str(text or "").split()).replace("`", "'")


def _row(name: str, schema: Any, required: bool) -> str:
    facts = schema if isinstance(schema, dict) else {}
    default = canonical_json(facts["default"]) if "default" in facts else ""
    needed = "yes" if required else "no"
    others = (_type(facts), needed, default, facts.get("description"))
    return _cells((f"`{one_line(name)}`", *map(one_line, others)))


def _cells(texts: tuple[str, ...]) -> str:
    inner = " | ".join(text.replace("|", "\\|") for text in texts)
    return f"| {inner} |"


def _type(facts: Mapping[str, Any]) -> str:
    if facts.get("enum"):
        return " or ".join(canonical_json(value) for value in facts["enum"])
    kinds = facts.get("type") or [way.get("type") for way in facts.get("anyOf") or () if isinstance(way, dict)]
    return " or ".join(str(kind) for kind in ([kinds] if isinstance(kinds, str) else kinds) if kind) or "any"
