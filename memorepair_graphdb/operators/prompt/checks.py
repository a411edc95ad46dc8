"""The checks of a note, each under its own name.

The law of the room: a check says what it saw and what it wanted; each catches a fault that no other does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...errors import BadInput
from ...model.content import canonical_json
from ..chain.desk import call_fault
from ..context import Context
from ..support import names_supported, numbers_supported
from ..verdict import Review, Verdict
from .blocks import blocks_of
from .example import example_call
from .former import former_names, used
from .writing import TEMPLATES, names_of, one_line, required_of, tools_of

SHOWN = 120
"""characters of what a verdict saw or wanted"""


def contracts_of(context: Context) -> list[Mapping[str, Any]]:
    """The contracts in force of the recipe's tools; raises `BadInput` that names a tool without one."""
    tools = tools_of(context)
    if gone := [tool for tool in tools if tool not in context.interfaces]:
        raise BadInput(f"the tool {gone[0]!r} has no contract in force: it was retired, or never recorded")
    return [context.interfaces[tool] for tool in tools]


def known_names(review: Review, content: str) -> Verdict:
    """Every name in backticks is a tool in force, or a parameter of a tool that the note is about."""
    known = names_of(contracts_of(review.context))
    strange = sorted(blocks_of(content).names - known - set(map(one_line, review.context.interfaces)))
    if strange:
        reason = f"names {', '.join(strange)}, which no contract in force has"
        return Verdict(
            False, "known names", _short(reason), _short(", ".join(strange)), _short(", ".join(sorted(known)))
        )
    return Verdict(True, "known names")


def valid_examples(review: Review, content: str) -> Verdict:
    """Everything it shows as code is a call of a tool in force, with arguments that its schema takes."""
    shown = blocks_of(content)
    wanted = '{"tool": …, "arguments": {…}} that the contract in force takes'
    if shown.unreadable:
        return Verdict(False, "valid examples", "an example is no JSON object", _short(shown.unreadable[0]), wanted)
    for call in shown.calls:
        if fault := _call_fault(review.context, call):
            return Verdict(False, "valid examples", f"an example {fault}", _short(canonical_json(call)), wanted)
    return Verdict(True, "valid examples")


def required_named(review: Review, content: str) -> Verdict:
    """It names every parameter that a call must give."""
    named = blocks_of(content).names
    for contract in contracts_of(review.context):
        needed = {one_line(name) for name in required_of(contract)}
        if lacking := sorted(needed - named):
            reason = f"does not say that {contract.get('name')} requires {', '.join(lacking)}"
            saw = ", ".join(sorted(named)) or "no name"
            return Verdict(False, "required named", _short(reason), _short(saw), _short(", ".join(sorted(needed))))
    return Verdict(True, "required named")


def no_former_names(review: Review, content: str) -> Verdict:
    """It goes by no name that only the old contracts had, in backticks or not."""
    found = used(former_names(review.context), content)
    if not found:
        return Verdict(True, "no former names")
    line = next(line for line in content.splitlines() if used(found, line))
    reason = f"goes by {', '.join(found)}, from a contract that is not in force any more"
    return Verdict(False, "no former names", _short(reason), _short(line), "names of the contracts in force")


def numbers_stand(review: Review, content: str) -> Verdict:
    """Every number stands in a live source, in a contract in force, or in the example that the contract gives."""
    return numbers_supported(review, content, _also(review.context))


def names_stand(review: Review, content: str) -> Verdict:
    """So does every name of a person, a place or a thing."""
    return names_supported(review, content, _also(review.context))


CHECKS: tuple[Callable[[Review, str], Verdict], ...] = (
    known_names,
    valid_examples,
    required_named,
    no_former_names,
    numbers_stand,
    names_stand,
)
"""In the order in which they run."""


def _call_fault(context: Context, call: Mapping[str, Any]) -> str:
    tool, arguments = call.get("tool"), call.get("arguments")
    if not isinstance(tool, str) or not isinstance(arguments, dict) or len(call) != 2:
        return "is no call of a tool"
    if tool not in context.interfaces:
        return f"calls {tool}, which is not in force"
    fault = call_fault(context.interfaces[tool], arguments)
    return f"breaks the contract of {tool}: {fault}" if fault else ""


def _also(context: Context) -> list[str]:
    contracts = contracts_of(context)
    return [*map(canonical_json, contracts), *map(example_call, contracts), *TEMPLATES]


def _short(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"
