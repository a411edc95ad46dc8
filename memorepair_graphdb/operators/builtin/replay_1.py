"""replay@1: compute a cached result again, by an expression over the sources or by a registered tool (recompute).

The law of the room: the same sources give the same canonical JSON; nothing is guessed where one is missing.

The recipe is one of

- `{"expression": "<JMESPath>", "arguments"?: {…}, "fields_of"?: "<role>", "cut"?: "<role>"}`. The document it is
  searched in has the sources under their roles (one: its value; several: a list in the order of keys), those without a
  role in the list `sources`, and the literal `arguments`. `fields_of` names the role of a contract: the value of the
  role `cut` (`response` where none is named) is first cut to the fields that the contract's `outputSchema` documents.
- `{"tool": "<name>", "arguments"?: {…}, "expression"?: "<JMESPath>"}`. The tool registered under this name is called
  with the arguments, checked before and after against its contract in force; the document then also has `result`.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import jmespath
from jmespath.exceptions import JMESPathError
from jmespath.parser import ParsedResult

from ...errors import BadInput, OperatorError
from ...model.artifact import Kind
from ...model.content import as_content
from ...model.vocabulary import Mode
from ..checks.json_schema import canonical
from ..contracts.documented import documented_part
from ..contracts.schemas import parameters_as_written, required_as_written
from ..contracts.validation import schema_fault
from ..protocol.context import Context
from ..protocol.operator import Tool
from ..protocol.payload import Payload
from ..protocol.verdict import Review, Verdict, excerpt

if TYPE_CHECKING:
    from ..protocol.registry import Registry

NAME = "replay@1"
RECIPE = frozenset({"expression", "arguments", "fields_of", "cut", "tool", "schema", "checks"})
SHARE = 0.1
"""A replay moves its sources about, but no model reads them: counted as a tenth of their tokens."""


def estimate(context: Context) -> float:
    """Tokens: a tenth of what a model would read, at least 1."""
    return max(1.0, SHARE * context.tokens)


def replay(context: Context, tools: Mapping[str, Tool]) -> Payload | Awaitable[Payload]:
    """Compute a result again from the sources, by a JMESPath expression or a registered tool."""
    recipe = context.options
    unknown = sorted(recipe.keys() - RECIPE)
    if unknown or not recipe.keys() & {"expression", "tool"}:
        raise BadInput(f"a recipe of {NAME} has an expression or a tool; not {unknown or 'neither'}")
    document = _document(context, recipe)
    if "tool" not in recipe:
        return _settled(recipe, document)
    return _called(context, recipe, document, tools)


def register(registry: Registry) -> None:
    """Add `replay@1` and its checks to a registry, whose tools it calls."""

    @registry.operator(NAME, mode=Mode.RECOMPUTE, cost=estimate, kinds=(Kind.CACHE,))
    def replay_1(context: Context) -> Any:
        """Compute a result again from the sources, by a JMESPath expression or a registered tool."""
        return replay(context, registry.tools)

    registry.validator(NAME)(canonical)
    registry.validator(NAME)(takes_the_call)


def takes_the_call(review: Review, content: str) -> Verdict:
    """Where the recipe names a contract and a call, the contract in force still takes the call.

    By names: types are the tool's own matter.
    """
    recipe = review.context.options
    if not ("fields_of" in recipe and "arguments" in recipe):
        return Verdict(True, "takes_the_call")
    contract, given = _the_contract(_document(review.context, {}), recipe["fields_of"]), recipe["arguments"]
    known, needed = parameters_as_written(contract), required_as_written(contract)
    name, saw = contract.get("name", "the tool"), excerpt(", ".join(sorted(given)) or "no argument")
    if missing := sorted(set(needed) - given.keys()):
        reason = f"{name} now requires {', '.join(missing)}, which the recorded call does not give"
        return Verdict(False, "takes_the_call", reason, saw, excerpt(", ".join(sorted(needed))))
    if known and (unknown := sorted(given.keys() - known.keys())):
        reason = f"{name} does not take {', '.join(unknown)} any more, which the recorded call gives"
        return Verdict(False, "takes_the_call", reason, saw, excerpt(", ".join(sorted(known))))
    return Verdict(True, "takes_the_call")


def _document(context: Context, recipe: Mapping[str, Any]) -> dict[str, Any]:
    """The sources by role, cut where the recipe says so, and the arguments."""
    document: dict[str, Any] = {}
    grouped: dict[str | None, list[Any]] = {}
    for source in sorted(context.supports, key=lambda source: source.key):
        grouped.setdefault(source.role, []).append(source.data)
    for role, values in grouped.items():
        if role in ("sources", "arguments", "result"):
            raise OperatorError(f"a source of {context.key} has the role {role!r}, which {NAME} keeps for itself")
        document["sources" if role is None else role] = values[0] if role and len(values) == 1 else values
    arguments = recipe.get("arguments", {})
    if not isinstance(arguments, dict):
        raise BadInput(f"arguments are an object: parameter → value, not {type(arguments).__name__}")
    if "fields_of" in recipe:
        schema = _the_contract(document, recipe["fields_of"]).get("outputSchema")
        role = recipe.get("cut", "response")
        if role not in document:
            raise OperatorError(f"no source of {context.key} has the role {role!r}, which is to be cut")
        if schema is not None:
            many = len(grouped[role]) > 1
            value = document[role]
            document[role] = (
                [documented_part(item, schema) for item in value] if many else documented_part(value, schema)
            )
    return {**document, "arguments": arguments}


def _the_contract(document: Mapping[str, Any], role: str) -> dict[str, Any]:
    contract = document.get(role)
    if not isinstance(contract, dict):
        found = "several are" if isinstance(contract, list) else "none is"
        raise OperatorError(f"fields_of: one source of role {role!r} is the contract; {found}")
    return contract


def _called(
    context: Context, recipe: dict[str, Any], document: dict[str, Any], tools: Mapping[str, Tool]
) -> Payload | Awaitable[Payload]:
    name, arguments = recipe["tool"], document["arguments"]
    tool = tools.get(name)
    if tool is None:
        raise OperatorError(f"no tool {name!r} is registered; there are {', '.join(sorted(tools)) or 'none'}")
    contract = context.interfaces.get(name, {})
    if "inputSchema" in contract and (fault := schema_fault(contract["inputSchema"], arguments)):
        raise OperatorError(f"the contract of {name} does not take these arguments: {fault}")

    def finish(result: Any) -> Payload:
        if result is None:
            raise OperatorError(f"the tool {name} returned nothing")
        if contract.get("outputSchema") is not None and (fault := schema_fault(contract["outputSchema"], result)):
            raise OperatorError(f"the result of {name} breaks its contract: {fault}")
        return _settled(recipe, {**document, "result": result})

    async def awaited(pending: Awaitable[Any]) -> Payload:
        return finish(await pending)

    result = tool(**arguments)
    return awaited(result) if inspect.isawaitable(result) else finish(result)


def _settled(recipe: Mapping[str, Any], document: dict[str, Any]) -> Payload:
    expression = recipe.get("expression", "result")
    try:
        value = _compiled(expression).search(document)
    except (JMESPathError, TypeError) as error:
        raise OperatorError(f"the expression {expression!r} fails: {' '.join(str(error).split())}") from error
    if value is None:
        raise OperatorError(f"the expression {expression!r} finds nothing in {sorted(document)}")
    return Payload(as_content(value))


@lru_cache(maxsize=256)
def _compiled(expression: str) -> ParsedResult:
    return jmespath.compile(expression)
