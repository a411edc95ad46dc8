"""note@1: how to use a tool, as a prompt: from its contract in force and from its summary (regen).

The law of the room: a note names no tool and no parameter that the contracts in force do not have.

The recipe is `{"tool": "<name>"}` or `{"tools": ["<name>", …]}`. A contract is taken from those in force, else from a
source that is one. What stands in backticks is the name of a tool or of a parameter; a lesson that names another, from
an interface that was, is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..errors import BadInput
from ..model.artifact import Arch, Kind
from ..model.content import canonical_json
from ..model.outcome import Mode, SupportNeed
from .context import Context
from .verdict import Review, Verdict

if TYPE_CHECKING:
    from .registry import Registry

NAME = "note@1"
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

_NAMED = re.compile(r"`([^`\n]+)`")
_BY_TYPE = {"integer": 1, "number": 1, "boolean": True, "array": [], "object": {}, "null": None}


def estimate(context: Context) -> float:
    """Tokens: what is read, and the frame of each tool."""
    return context.tokens + TOKENS_A_TOOL * len(_tools(context))


def write_note(context: Context) -> str:
    """Write how to use a tool from its contract in force and the lessons of its summary."""
    contracts = [_contract(context, tool) for tool in _tools(context)]
    known = _names(contracts)
    blocks = [block for contract in contracts for block in _about(contract)]
    lessons = [line for line in _lesson_lines(context) if set(_NAMED.findall(line)) <= known][:LESSONS]
    if lessons:
        blocks.append(f"## {LESSONS_HEADING}\n\n" + "\n".join(f"- {line}" for line in lessons))
    return "\n\n".join(blocks) + "\n"


def register(registry: Registry) -> None:
    """Add `note@1` and its check to a registry."""
    registry.operator(
        NAME,
        mode=Mode.REGEN,
        support=SupportNeed.AVAILABLE,
        cost=estimate,
        kinds=(Kind.SUMMARY, Arch.PROMPT),
        templates=TEMPLATES,
    )(write_note)
    registry.validator(NAME)(keeps_to_contracts)


def keeps_to_contracts(review: Review, content: str) -> Verdict:
    """Every name in backticks is a tool's or a parameter's, and every parameter that a call must give is named."""
    contracts = [_contract(review.context, tool) for tool in _tools(review.context)]
    named, known = set(_NAMED.findall(content)), _names(contracts)
    if strange := sorted(named - known):
        return Verdict(False, NAME, f"names {', '.join(strange)}, which no contract in force has")
    for contract in contracts:
        needed = {_line(name) for name in (contract.get("inputSchema") or {}).get("required") or ()}
        if lacking := sorted(needed - named):
            return Verdict(False, NAME, f"does not say that {contract.get('name')} requires {', '.join(lacking)}")
    return Verdict(True, NAME)


def _tools(context: Context) -> list[str]:
    recipe = context.options
    tools = recipe.get("tools", [recipe["tool"]] if "tool" in recipe else [])
    if not isinstance(tools, list) or not tools or not all(isinstance(tool, str) for tool in tools):
        raise BadInput(f'a recipe of {NAME} is {{"tool": "name"}} or {{"tools": ["name", …]}}')
    return tools


def _contract(context: Context, tool: str) -> Mapping[str, Any]:
    if tool in context.interfaces:
        return context.interfaces[tool]
    for source in context.supports:
        data = source.data
        if isinstance(data, dict) and data.get("name") == tool and "inputSchema" in data:
            return data
    raise BadInput(f"the tool {tool!r} has no contract in force: it was retired, or never recorded")


def _names(contracts: list[Mapping[str, Any]]) -> set[str]:
    names = {_line(str(contract.get("name"))) for contract in contracts}
    return names.union(*({_line(name) for name in _parameters(contract)} for contract in contracts))


def _parameters(contract: Mapping[str, Any]) -> dict[str, Any]:
    return (contract.get("inputSchema") or {}).get("properties") or {}


def _about(contract: Mapping[str, Any]) -> Iterator[str]:
    """The blocks on one tool: heading, description, parameters, example."""
    yield f"# {HEADING} `{_line(str(contract.get('name')))}`"
    if description := _line(contract.get("description")):
        yield description
    parameters = _parameters(contract)
    required = (contract.get("inputSchema") or {}).get("required") or ()
    if parameters:
        first = sorted(parameters, key=lambda name: name not in required)
        rows = [_row(name, parameters[name], name in required) for name in first]
        yield f"## {PARAMETERS}\n\n" + "\n".join([_cells(COLUMNS), _cells(("---",) * len(COLUMNS)), *rows])
    else:
        yield NO_PARAMETERS
    yield f"## {EXAMPLE}\n\n    {_line(canonical_json(_example(contract, parameters, required)))}"


def _row(name: str, schema: Any, required: bool) -> str:
    facts = schema if isinstance(schema, dict) else {}
    default = canonical_json(facts["default"]) if "default" in facts else ""
    needed = "yes" if required else "no"
    others = (_type(facts), needed, default, facts.get("description"))
    return _cells((f"`{_line(name)}`", *map(_line, others)))


def _cells(texts: tuple[str, ...]) -> str:
    inner = " | ".join(text.replace("|", "\\|") for text in texts)
    return f"| {inner} |"


def _type(facts: Mapping[str, Any]) -> str:
    if facts.get("enum"):
        return " or ".join(canonical_json(one) for one in facts["enum"])
    kinds = facts.get("type") or [one.get("type") for one in facts.get("anyOf") or () if isinstance(one, dict)]
    return " or ".join(str(kind) for kind in ([kinds] if isinstance(kinds, str) else kinds) if kind) or "any"


def _example(contract: Mapping[str, Any], parameters: Mapping[str, Any], required: Any) -> dict[str, Any]:
    """A call from the defaults: every parameter that has one, and those that a call must give."""
    arguments: dict[str, Any] = {}
    for name, schema in parameters.items():
        facts = schema if isinstance(schema, dict) else {}
        if "default" in facts:
            arguments[name] = facts["default"]
        elif name in required:
            choices = facts.get("examples") or facts.get("enum") or ()
            kind = facts.get("type") if isinstance(facts.get("type"), str) else "string"
            arguments[name] = choices[0] if choices else _BY_TYPE.get(str(kind), f"<{name}>")
    return {"tool": contract.get("name"), "arguments": arguments}


def _lesson_lines(context: Context) -> Iterator[str]:
    for source in context.supports:
        if source.kind is Kind.SUMMARY:
            for line in source.content.splitlines():
                if lesson := " ".join(line.split()).lstrip("-*# "):
                    yield lesson


def _line(text: Any) -> str:
    """A text on one line, without backticks: these mark the names that the contracts have."""
    return " ".join(str(text or "").split()).replace("`", "'")
