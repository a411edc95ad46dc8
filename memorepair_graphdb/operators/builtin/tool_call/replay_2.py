"""Defines replay@2: a cached tool result, from a real call of the tool under its contract in force (recompute).

Arguments are checked before the call and the response after it; what is no JSON is no response.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ....errors import BadInput, OperatorError
from ....model.artifact import Kind
from ....model.content import as_content, canonical_json
from ....model.vocabulary import Mode, SupportNeed
from ...checks.expressions import evaluate
from ...contracts.validation import schema_fault
from ...protocol.context import CHARACTERS_PER_TOKEN, Context
from ...protocol.payload import Payload
from ...protocol.tools import ToolRunner, answered
from .call import NAME, RESULT, ToolCallRecipe, ToolCallRequest, call_of
from .checks import CHECKS
from .error_texts import raise_if_suspicious
from .repeating import callers, refusal, tool_in_place

if TYPE_CHECKING:
    from ...protocol.registry import Registry

RETRIES = 2
"""further tries after an error that can pass: a network, a server that starts"""
TIMEOUT = 60.0
EXPECTED = 200.0
"""tokens of an answer of which nothing is known"""


def estimate(context: Context) -> float:
    """Return tokens: the call and its answer; a source that is a recorded response says how long that is."""
    recipe = context.recipe if isinstance(context.recipe, dict) else {}
    call = canonical_json(recipe.get("arguments", {}))
    answer = max((source.characters for source in context.by_role("response")), default=0)
    return len(call) / CHARACTERS_PER_TOKEN + (answer / CHARACTERS_PER_TOKEN or EXPECTED)


def refuses(context: Context, runners: Sequence[ToolRunner]) -> str:
    """Return why the call is not made again, or ""; a tool without a contract in force fails when it is run."""
    return refusal(context, runners) if tool_in_place(context) in context.interfaces else ""


async def replay(context: Context, runners: Sequence[ToolRunner]) -> Payload:
    """Call the tool and keep what the recipe wants of its answer; raises `OperatorError`, or what the tool raises."""
    call = call_of(context)
    able = callers(context, runners)
    result = _as_json(call, await answered(able, call.tool, json.loads(canonical_json(call.arguments))))
    schema = call.contract.get("outputSchema")
    if schema is not None and (fault := schema_fault(schema, result)):
        raise OperatorError(f"response: what {call.tool} answers breaks its contract: {fault}")
    raise_if_suspicious(call.tool, result, call.contract, context.recipe_as(ToolCallRecipe).content_schema)
    content = _wanted(call, result)
    tokens = (len(canonical_json(call.arguments)) + len(canonical_json(result))) / CHARACTERS_PER_TOKEN
    return Payload(content, spent=max(1.0, tokens))


def register(registry: Registry, *, timeout: float = TIMEOUT, retries: int = RETRIES) -> None:
    """Add `replay@2` and its checks to a registry, whose tools and runners it asks."""

    @registry.operator(
        NAME,
        mode=Mode.RECOMPUTE,
        support=SupportNeed.ALL,
        cost=estimate,
        timeout=timeout,
        kinds=(Kind.CACHE,),
        retries=retries,
        refuses=lambda context: refuses(context, registry.runners),
        answered=lambda context: True,
        recipe=ToolCallRecipe,
    )
    async def replay_2(context: Context) -> Payload:
        """Call the tool again, under its contract in force, and again to see that it answers alike."""
        return await replay(context, registry.runners)

    for check in CHECKS:
        registry.validator(NAME)(check)


def _as_json(call: ToolCallRequest, answer: Any) -> Any:
    """Return the answer as its canonical JSON reads: no tuple, no object that the tool still holds."""
    if answer is None:
        raise OperatorError(f"response: {call.tool} answers nothing")
    try:
        return json.loads(canonical_json(answer, "it"))
    except BadInput as error:
        raise OperatorError(f"response: what {call.tool} answers is no JSON: {error}") from error


def _wanted(call: ToolCallRequest, result: Any) -> str:
    """Return what the expression makes of the answer, canonical; a text that is JSON is taken for that."""
    document = {"tool": call.tool, "arguments": call.arguments, RESULT: result}
    content = as_content(evaluate(call.expression, document, f"what {call.tool} answers"))
    try:
        return canonical_json(json.loads(content))
    except ValueError:
        return content
