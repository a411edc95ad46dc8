"""Answers the tool calls of a chain outside its sandbox: checks them, limits their time, and records them.

A violation stays on the record whatever the chain does with the exception it gets: a chain that catches it fails too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any, NoReturn

from ....errors import BadInput, OperatorError
from ....model.content import as_json
from ...contracts.validation import call_fault, schema_fault
from ...execution.pool import Pool, Task

Answer = Callable[[str, dict[str, Any]], Any]
"""(tool, arguments) → its result, JSON-able."""


class ChainFailed(OperatorError):
    """A chain ended without a result."""


class ContractViolation(ChainFailed):
    """A chain broke a limit or a contract; what it would have returned does not count."""


@dataclass(frozen=True, slots=True)
class HostCall:
    """A call of a tool, with its result."""

    tool: str
    arguments: dict[str, Any]
    result: Any


@dataclass(frozen=True, slots=True)
class ToolLimits:
    """What a chain may ask of its tools."""

    calls: int = 200
    tool_seconds: float = 10.0
    """wall seconds of one call"""
    wall_seconds: float = 60.0
    """wall seconds of all calls together; the sandbox's own clock stands still meanwhile"""


class ToolHost:
    """Answers the calls of one run and records them; `contracts` are the tools it may call."""

    def __init__(self, contracts: Mapping[str, Mapping[str, Any]], answer: Answer, limits: ToolLimits) -> None:
        self._contracts, self._answer, self._limits = contracts, answer, limits
        self._tool_seconds = 0.0
        self.calls: list[HostCall] = []
        self.violation: str = ""
        """the first one; every call after it is refused"""

    @property
    def tools(self) -> tuple[str, ...]:
        """Names of the tools that a chain may call here."""
        return tuple(self._contracts)

    def call(self, tool: object, text: object) -> str:
        """Answer a call whose arguments are JSON text with its result as JSON text; raises `ContractViolation`."""
        if self.violation:
            self._refuse(self.violation)
        if not isinstance(tool, str) or tool not in self._contracts:
            self._refuse(f"calls {tool!r}, which is no tool of this chain")
        if len(self.calls) >= self._limits.calls:
            self._refuse(f"calls tools more than {self._limits.calls} times")
        arguments = self._arguments(tool, text)
        result, text_of_result = self._result(tool, arguments)
        fault = schema_fault((self._contracts[tool].get("outputSchema")) or True, result)
        if fault:
            self._refuse(f"the result of {tool} breaks its contract: {fault}")
        self.calls.append(HostCall(tool, arguments, result))
        return text_of_result

    def _arguments(self, tool: str, text: object) -> dict[str, Any]:
        try:
            arguments = json.loads(text) if isinstance(text, str) else None
            as_json(arguments, "an argument")
        except (ValueError, RecursionError) as error:
            self._refuse(f"calls {tool} with what is no JSON: {error}")
        if not isinstance(arguments, dict):
            self._refuse(f"calls {tool} without named arguments")
        if fault := call_fault(self._contracts[tool], arguments):
            self._refuse(f"calls {tool} against its contract: {fault}")
        return arguments

    def _result(self, tool: str, arguments: dict[str, Any]) -> tuple[Any, str]:
        """Return the result and its JSON; what the tool raises, the chain may handle."""
        limit = min(self._limits.tool_seconds, self._limits.wall_seconds - self._tool_seconds)
        began = monotonic()
        (outcome,) = Pool(1).run([Task(lambda stage: self._answer(tool, arguments), max(limit, 0.0))])
        self._tool_seconds += monotonic() - began
        if outcome.overran is not None:
            self._refuse(f"{tool} gave no answer within {limit:g} s")
        if isinstance(outcome.error, ContractViolation):
            self._refuse(str(outcome.error))
        if outcome.error is not None:
            raise RuntimeError(f"{tool} failed: {outcome.error}")
        try:
            return outcome.value, as_json(outcome.value, f"the result of {tool}")
        except BadInput as error:
            self._refuse(str(error))

    def _refuse(self, violation: str) -> NoReturn:
        self.violation = self.violation or violation
        raise ContractViolation(violation)
