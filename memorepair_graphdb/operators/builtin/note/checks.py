"""Checks notes: each check is under its own name.

A check says what it saw and what it wanted; each catches a fault that no other does.

That its numbers and names stand in a source needs no check of its own: they are in lines that do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from difflib import get_close_matches
from typing import Any

from ....errors import OperatorError
from ....model.content import canonical_json
from ...contracts.examples import example_call
from ...contracts.schemas import required_as_written
from ...contracts.validation import call_fault
from ...protocol.context import Context
from ...protocol.verdict import Review, Verdict, excerpt
from .blocks import blocks_of
from .former_names import former_names, used
from .writing import LESSONS_HEADING, about, lessons, names_of, one_line, tools_of


def contracts_of(context: Context) -> list[Mapping[str, Any]]:
    """Return the contracts in force of the recipe's tools; raises `OperatorError` that names a tool without one."""
    tools = tools_of(context)
    if gone := [tool for tool in tools if tool not in context.interfaces]:
        raise OperatorError(f"the tool {gone[0]!r} has no contract in force: it was retired, or never recorded")
    return [context.interfaces[tool] for tool in tools]


def known_names(review: Review, content: str) -> Verdict:
    """Check that every name in backticks is a tool in force, or a parameter of a tool that the note is about."""
    known, named = names_of(contracts_of(review.context)), blocks_of(content).names
    if not named:
        return Verdict.not_applicable("known_names", "it names nothing")
    return knows(named - known - set(map(one_line, review.context.interfaces)), known)


def knows(strange: AbstractSet[str], known: AbstractSet[str]) -> Verdict:
    """Judge names that no contract in force has, beside those that one has."""
    if not strange:
        return Verdict(True, "known_names")
    reason = f"names {', '.join(sorted(strange))}, which no contract in force has"
    saw, wanted = ", ".join(sorted(strange)), ", ".join(sorted(known))
    return Verdict(False, "known_names", excerpt(reason), excerpt(saw), excerpt(wanted))


def valid_examples(review: Review, content: str) -> Verdict:
    """Check that all it shows as code is a call of a tool in force, with arguments that its schema takes."""
    shown = blocks_of(content)
    wanted = '{"tool": …, "arguments": {…}} that the contract in force takes'
    if shown.unreadable:
        return Verdict(False, "valid_examples", "an example is no JSON object", excerpt(shown.unreadable[0]), wanted)
    for call in shown.calls:
        if fault := _call_fault(review.context, call):
            return Verdict(False, "valid_examples", f"an example {fault}", excerpt(canonical_json(call)), wanted)
    return Verdict(True, "valid_examples") if shown.calls else Verdict.not_applicable("valid_examples", "it shows none")


def required_named(review: Review, content: str) -> Verdict:
    """Check that it names every parameter that a call must give."""
    return names_required(contracts_of(review.context), blocks_of(content).names)


def names_required(contracts: Iterable[Mapping[str, Any]], named: AbstractSet[str]) -> Verdict:
    """Judge a note that names these, of what calls must give."""
    required = False
    for contract in contracts:
        needed = {one_line(name) for name in required_as_written(contract)}
        required = required or bool(needed)
        if lacking := sorted(needed - named):
            reason = f"does not say that {contract.get('name')} requires {', '.join(lacking)}"
            saw = ", ".join(sorted(named)) or "no name"
            return Verdict(False, "required_named", excerpt(reason), excerpt(saw), excerpt(", ".join(sorted(needed))))
    return (
        Verdict(True, "required_named") if required else Verdict.not_applicable("required_named", "nothing is required")
    )


def no_former_names(review: Review, content: str) -> Verdict:
    """Check that it goes by no name that only the old contracts had, in backticks or not."""
    former = former_names(review.context)
    if not former:
        return Verdict.not_applicable("no_former_names", "no name has changed")
    names = used(former, content)
    if not names:
        return Verdict(True, "no_former_names")
    line = next(line for line in content.splitlines() if used(names, line))
    reason = f"goes by {', '.join(names)}, from a contract that is not in force any more"
    return Verdict(False, "no_former_names", excerpt(reason), excerpt(line), "names of the contracts in force")


def accounted(review: Review, content: str) -> Verdict:
    """Check that every line is one that a contract in force gives, or a lesson of a live summary, to the letter."""
    contracts = contracts_of(review.context)
    known = {
        line
        for contract in contracts
        for block in about(contract, example_call(contract))
        for line in block.split("\n")
    }
    heard = {f"## {LESSONS_HEADING}", *(f"- {lesson}" for lesson in lessons(review.context))}
    for line in content.split("\n"):
        if line.strip() and line not in known | heard:
            reason = "a line that neither a contract nor a summary gives"
            return Verdict(False, "accounted", reason, excerpt(line), excerpt(_nearest(line, known)))
    return Verdict(True, "accounted") if content.strip() else Verdict.not_applicable("accounted", "it says nothing")


def _nearest(line: str, known: set[str]) -> str:
    """Return what was to be said in the line's place, for who reads the verdict."""
    alike = get_close_matches(line, sorted(known), n=1)
    return alike[0] if alike else "a line of the contract, or a lesson"


CHECKS: tuple[Callable[[Review, str], Verdict], ...] = (
    known_names,
    valid_examples,
    required_named,
    no_former_names,
    accounted,
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
