"""Defines replay@1: computes a cached result again, by an expression over its sources or a registered tool (recompute).

The same sources give the same canonical JSON; nothing is guessed where one is missing.

The recipe is one of

- `{"expression": "<JMESPath>", "arguments"?: {…}, "fields_of"?: "<role>", "cut"?: "<role>"}`. The document it is
  searched in has the sources under their roles (one: its value; several: a list in the order of keys), those without a
  role in the list `sources`, and the literal `arguments`. `fields_of` names the role of a contract: the value of the
  role `cut` (`response` where none is named) is first cut to the fields that the contract's `outputSchema` documents.
- `{"tool": "<name>", "arguments"?: {…}, "expression"?: "<JMESPath>", "reads"?: true, "idempotent"?: false}`. The tool
  registered under this name is called with the arguments, checked before and after against its contract in force; the
  document then also has `result`. `tool_call/repeating.py` says when a call is made again.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Mapping
from typing import TYPE_CHECKING, Any, Self

from pydantic import Field, model_validator

from ...errors import OperatorError
from ...model.artifact import Kind
from ...model.content import as_content
from ...model.vocabulary import Mode
from ..checks.expressions import evaluate
from ..checks.json_schema import canonical
from ..contracts.documented import documented_part
from ..contracts.schemas import parameters, properties, required
from ..contracts.validation import recorded_call_fault, schema_fault, undocumented_arguments
from ..protocol.context import Context
from ..protocol.payload import Payload
from ..protocol.tools import RegisteredTools
from ..protocol.verdict import Review, Verdict, excerpt
from .tool_call.error_texts import raise_if_suspicious
from .tool_call.repeating import RepeatableRecipe, callers, refusal

if TYPE_CHECKING:
    from ..protocol.registry import Registry

NAME = "replay@1"
SHARE = 0.1
"""A replay moves its sources about, but no model reads them: counted as a tenth of their tokens."""


class ReplayRecipe(RepeatableRecipe):
    """What a recipe of replay@1 may say: an expression, a tool, or both."""

    expression: str | None = Field(
        default=None, description="A JMESPath expression over the document; with a tool, `result` by default."
    )
    arguments: dict[str, Any] = Field(
        default_factory=dict, description="Parameter → value: what the tool is called with, and part of the document."
    )
    fields_of: str | None = Field(
        default=None, description="The role of a contract, to whose documented fields a source is cut first."
    )
    cut: str = Field(default="response", description="The role of the source that is cut.")
    tool: str | None = Field(default=None, description="The registered tool that is called.")

    @model_validator(mode="after")
    def _compute_something(self) -> Self:
        if self.expression is None and self.tool is None:
            raise ValueError(f"a recipe of {NAME} has an expression or a tool")
        return self


def estimate(context: Context) -> float:
    """Return tokens: a tenth of what a model would read, at least 1."""
    return max(1.0, SHARE * context.tokens)


def replay(context: Context, tools: RegisteredTools) -> Payload | Awaitable[Payload]:
    """Compute a result again from the sources, by a JMESPath expression or a registered tool."""
    recipe = context.recipe_as(ReplayRecipe)
    document = {**_documented(context, recipe), "arguments": recipe.arguments}
    if recipe.tool is None:
        return _search(recipe, document)
    return _call(context, recipe.tool, recipe, document, tools)


def register(registry: Registry) -> None:
    """Add `replay@1` and its checks to a registry, whose tools it calls."""

    def registered() -> RegisteredTools:
        return RegisteredTools(registry.tools, registry.reading_tools)

    @registry.operator(
        NAME,
        mode=Mode.RECOMPUTE,
        cost=estimate,
        kinds=(Kind.CACHE,),
        refuses=lambda context: refusal(context, (registered(),)),
        answered=lambda context: context.recipe_as(ReplayRecipe).tool is not None,
        recipe=ReplayRecipe,
    )
    def replay_1(context: Context) -> Any:
        """Compute a result again from the sources, by a JMESPath expression or a registered tool."""
        return replay(context, registered())

    registry.validator(NAME)(canonical)
    registry.validator(NAME)(takes_the_call)


def takes_the_call(review: Review, content: str) -> Verdict:
    """Where the recipe names a contract and a call, the contract in force still takes the call.

    By names, however deep: types are the tool's own matter.
    """
    recipe = review.context.recipe_as(ReplayRecipe)
    if recipe.fields_of is None or "arguments" not in recipe.model_fields_set:
        return Verdict.not_applicable("takes_the_call", "the recipe names no contract and call")
    contract, arguments = _the_contract(_by_role(review.context), recipe.fields_of), recipe.arguments
    schema = parameters(contract)
    known, needed = sorted(properties(schema)), sorted(required(schema))
    name, saw = contract.get("name", "the tool"), excerpt(", ".join(sorted(arguments)) or "no argument")
    if missing := sorted(set(needed) - arguments.keys()):
        reason = f"{name} now requires {', '.join(missing)}, which the recorded call does not give"
        return Verdict(False, "takes_the_call", reason, saw, excerpt(", ".join(needed)))
    if contract.get("inputSchema") and (unknown := undocumented_arguments(contract, arguments)):
        reason = f"{name} does not take {', '.join(unknown)} any more, which the recorded call gives"
        return Verdict(False, "takes_the_call", reason, saw, excerpt(", ".join(known) or "no argument"))
    return Verdict(True, "takes_the_call")


def _by_role(context: Context) -> dict[str, Any]:
    """Return the sources by role: one by its value, several in a list; those without a role under `sources`."""
    document: dict[str, Any] = {}
    for role, values in _values(context).items():
        if role in ("sources", "arguments", "result"):
            raise OperatorError(f"a source of {context.key} has the role {role!r}, which {NAME} keeps for itself")
        document["sources" if role is None else role] = values[0] if role and len(values) == 1 else values
    return document


def _values(context: Context) -> dict[str | None, list[Any]]:
    values: dict[str | None, list[Any]] = {}
    for source in sorted(context.supports, key=lambda source: source.key):
        values.setdefault(source.role, []).append(source.data)
    return values


def _documented(context: Context, recipe: ReplayRecipe) -> dict[str, Any]:
    """Return the sources by role, one role cut to the fields that its contract documents, where the recipe says so."""
    document = _by_role(context)
    if recipe.fields_of is None:
        return document
    schema = _the_contract(document, recipe.fields_of).get("outputSchema")
    role = recipe.cut
    if role not in document:
        raise OperatorError(f"no source of {context.key} has the role {role!r}, which is to be cut")
    if schema is not None:
        value, many = document[role], len(context.by_role(role)) > 1
        document[role] = [documented_part(item, schema) for item in value] if many else documented_part(value, schema)
    return document


def _the_contract(document: Mapping[str, Any], role: str) -> dict[str, Any]:
    contract = document.get(role)
    if not isinstance(contract, dict):
        found = "several are" if isinstance(contract, list) else "none is"
        raise OperatorError(f"fields_of: one source of role {role!r} is the contract; {found}")
    return contract


def _call(
    context: Context, name: str, recipe: ReplayRecipe, document: dict[str, Any], tools: RegisteredTools
) -> Payload | Awaitable[Payload]:
    arguments = recipe.arguments
    if name not in tools.tools:
        raise OperatorError(f"no tool {name!r} is registered; there are {', '.join(sorted(tools.tools)) or 'none'}")
    contract = context.interfaces.get(name, {})
    if fault := recorded_call_fault(contract, arguments):
        raise OperatorError(f"the contract of {name} does not take these arguments: {fault}")
    callers(context, (tools,))

    def finish(result: Any) -> Payload:
        if result is None:
            raise OperatorError(f"the tool {name} returned nothing")
        if contract.get("outputSchema") is not None and (fault := schema_fault(contract["outputSchema"], result)):
            raise OperatorError(f"the result of {name} breaks its contract: {fault}")
        raise_if_suspicious(name, result, contract, recipe.content_schema)
        return _search(recipe, {**document, "result": result})

    async def awaited(pending: Awaitable[Any]) -> Payload:
        return finish(await pending)

    result = tools(name, arguments)
    return awaited(result) if inspect.isawaitable(result) else finish(result)


def _search(recipe: ReplayRecipe, document: dict[str, Any]) -> Payload:
    expression = "result" if recipe.expression is None else recipe.expression
    return Payload(as_content(evaluate(expression, document, str(sorted(document)))))
