"""Registers note@1: it writes how to use a tool from its contract in force and its summary (regen).

A note names no tool and no parameter that the contracts in force do not have.

The recipe is `{"tool": "<name>"}` or `{"tools": ["<name>", …]}`. A contract is taken from those in force, else from a
source that is one. What stands in backticks is the name of a tool or of a parameter; a lesson that names another, from
an interface that was, is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ....errors import OperatorError
from ....model.artifact import Arch, Kind
from ....model.content import canonical_json
from ....model.vocabulary import Mode, SupportNeed
from ...contracts.schemas import parameters_as_written, required_as_written
from ...protocol.context import Context
from ...protocol.verdict import Review, Verdict
from .checks import knows, names_required
from .writing import (
    NAMED,
    TEMPLATES,
    NoteRecipe,
    about,
    estimate,
    lessons,
    names_of,
    one_line,
    tools_of,
    with_lessons,
)

if TYPE_CHECKING:
    from ...protocol.registry import Registry

NAME = "note@1"

_BY_TYPE = {"integer": 1, "number": 1, "boolean": True, "array": [], "object": {}, "null": None}


def write_note(context: Context) -> str:
    """Write how to use a tool from its contract in force and the lessons of its summary."""
    contracts = _contracts(context)
    known = names_of(contracts)
    blocks = [
        block for contract in contracts for block in about(contract, one_line(canonical_json(_example(contract))))
    ]
    return with_lessons(blocks, (line for line in lessons(context) if set(NAMED.findall(line)) <= known))


def register(registry: Registry) -> None:
    """Add `note@1` and its checks to a registry."""
    registry.operator(
        NAME,
        mode=Mode.REGEN,
        support=SupportNeed.AVAILABLE,
        cost=estimate,
        kinds=(Kind.SUMMARY, Arch.PROMPT),
        recipe=NoteRecipe,
        templates=TEMPLATES,
        vouching=("known_names",),
    )(write_note)
    registry.validator(NAME)(known_names)
    registry.validator(NAME)(required_named)


def known_names(review: Review, content: str) -> Verdict:
    """Check that every name in backticks is a tool's or a parameter's."""
    known = names_of(_contracts(review.context))
    return knows(set(NAMED.findall(content)) - known, known)


def required_named(review: Review, content: str) -> Verdict:
    """Check that every parameter that a call must give is named."""
    return names_required(_contracts(review.context), set(NAMED.findall(content)))


def _contracts(context: Context) -> list[Mapping[str, Any]]:
    return [_contract(context, tool) for tool in tools_of(context)]


def _contract(context: Context, tool: str) -> Mapping[str, Any]:
    if tool in context.interfaces:
        return context.interfaces[tool]
    for source in context.supports:
        data = source.data
        if isinstance(data, dict) and data.get("name") == tool and "inputSchema" in data:
            return data
    raise OperatorError(f"the tool {tool!r} has no contract in force: it was retired, or never recorded")


def _example(contract: Mapping[str, Any]) -> dict[str, Any]:
    """Return a call from the defaults: every parameter that has one, and those that a call must give."""
    arguments: dict[str, Any] = {}
    required = required_as_written(contract)
    for name, schema in parameters_as_written(contract).items():
        facts = schema if isinstance(schema, dict) else {}
        if "default" in facts:
            arguments[name] = facts["default"]
        elif name in required:
            choices = facts.get("examples") or facts.get("enum") or ()
            kind = facts.get("type") if isinstance(facts.get("type"), str) else "string"
            arguments[name] = choices[0] if choices else _BY_TYPE.get(str(kind), f"<{name}>")
    return {"tool": contract.get("name"), "arguments": arguments}
