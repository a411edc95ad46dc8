"""Answers the tool calls of a chain that a check runs: from its recorded runs, or from responses that are current.

A recorded response that cannot be translated for the new contract leaves its run out; nothing of it is made up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ....model.content import canonical_json
from ...contracts.schemas import constraints, parameters, properties, response
from ...contracts.translation import translate
from ...contracts.validation import schema_fault
from ...protocol.context import Context
from .recipe import ChainSkill, RecordedRun
from .tool_host import ContractViolation

Current = Mapping[tuple[str, str], Any]
"""(tool, arguments as canonical JSON) → the response that is in memory now."""


class LeftOut(Exception):
    """A recorded run that says nothing of the contracts in force."""


def current_responses(context: Context) -> Current:
    """Return the calls among the sources: those of the form `{"tool", "arguments", "response"}`."""
    responses = {}
    for source in context.supports:
        data = source.data
        if isinstance(data, dict) and {"tool", "arguments", "response"} <= data.keys():
            responses[str(data["tool"]), canonical_json(data["arguments"])] = data["response"]
    return responses


class Replay:
    """A recorded run, translated for the contracts in force; raises `LeftOut` where that is not possible."""

    def __init__(self, skill: ChainSkill, run: RecordedRun, current: Current) -> None:
        self._skill, self._current = skill, current
        calls: dict[str, list[tuple[str, dict[str, Any], Any]]] = {}
        for call in run.calls:
            now = self._successor(call.tool)
            result = translate(call.result, response(skill.old[call.tool]), response(skill.new[now]))
            if schema_fault(skill.new[now].get("outputSchema") or True, result):
                raise LeftOut
            calls.setdefault(now, []).append((call.tool, call.arguments, result))
        self._calls = {tool: iter(queue) for tool, queue in calls.items()}

    def answer(self, tool: str, arguments: dict[str, Any]) -> Any:
        """Return the response to the next call of a tool; raises `ContractViolation` for one that was not recorded."""
        call = next(self._calls.get(tool, iter(())), None)
        if call is None:
            raise ContractViolation(f"calls {tool} more often than it did")
        former, recorded, result = call
        if changed := sorted(_changed_arguments(recorded, arguments, self._skill.old[former], self._skill.new[tool])):
            raise ContractViolation(f"calls {tool} with another {', '.join(changed)} than it did")
        return self._current.get((tool, canonical_json(arguments)), result)

    def _successor(self, tool: str) -> str:
        same = self._skill.recorded_for.get(tool) == self._skill.old.get(tool)
        if not same or tool not in self._skill.successors:
            raise LeftOut
        return self._skill.successors[tool]


def _changed_arguments(
    recorded: Mapping[str, Any], arguments: Mapping[str, Any], old: Mapping[str, Any], new: Mapping[str, Any]
) -> Iterator[str]:
    """Yield the arguments that both contracts document alike, and that are not what they were."""
    before, after = properties(parameters(old)), properties(parameters(new))
    for name in before.keys() & after.keys():
        comparable = name in recorded and constraints(before[name]) == constraints(after[name])
        if comparable and (name not in arguments or canonical_json(arguments[name]) != canonical_json(recorded[name])):
            yield name
