"""Answers for a chain that is run to be judged: from schemas, from recorded runs, from responses that are current.

The law of the room: what a recorded response cannot tell of the new contract is not made up: the run is left out.
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
    """The calls among the sources: those of the form `{"tool", "arguments", "response"}`."""
    found = {}
    for source in context.supports:
        data = source.data
        if isinstance(data, dict) and {"tool", "arguments", "response"} <= data.keys():
            found[str(data["tool"]), canonical_json(data["arguments"])] = data["response"]
    return found


class Replay:
    """One recorded run, translated for the contracts in force; raises `LeftOut` where that is not possible."""

    def __init__(self, skill: ChainSkill, run: RecordedRun, current: Current) -> None:
        self._skill, self._current = skill, current
        lines: dict[str, list[tuple[str, dict[str, Any], Any]]] = {}
        for call in run.calls:
            now = self._stands_for(call.tool)
            told = translate(call.result, response(skill.old[call.tool]), response(skill.new[now]))
            if schema_fault(skill.new[now].get("outputSchema") or True, told):
                raise LeftOut
            lines.setdefault(now, []).append((call.tool, call.arguments, told))
        self._lines = {tool: iter(told) for tool, told in lines.items()}

    def answer(self, tool: str, arguments: dict[str, Any]) -> Any:
        """The response to the next call of a tool; raises `ContractViolation` for a call that was not recorded."""
        line = next(self._lines.get(tool, iter(())), None)
        if line is None:
            raise ContractViolation(f"calls {tool} more often than it did")
        former, recorded, told = line
        if strange := sorted(_differing(recorded, arguments, self._skill.old[former], self._skill.new[tool])):
            raise ContractViolation(f"calls {tool} with another {', '.join(strange)} than it did")
        return self._current.get((tool, canonical_json(arguments)), told)

    def _stands_for(self, tool: str) -> str:
        same = self._skill.recorded_for.get(tool) == self._skill.old.get(tool)
        if not same or tool not in self._skill.successors:
            raise LeftOut
        return self._skill.successors[tool]


def _differing(
    recorded: Mapping[str, Any], given: Mapping[str, Any], old: Mapping[str, Any], new: Mapping[str, Any]
) -> Iterator[str]:
    """The arguments that both contracts know alike, and that are not what they were."""
    before, after = properties(parameters(old)), properties(parameters(new))
    for name in before.keys() & after.keys():
        alike = name in recorded and constraints(before[name]) == constraints(after[name])
        if alike and (name not in given or canonical_json(given[name]) != canonical_json(recorded[name])):
            yield name
