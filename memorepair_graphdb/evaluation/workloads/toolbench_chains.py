"""Makes chains from the calls of the tasks: Python over the tools, with the tasks as recorded runs.

A chain says how, not what for: what a task gave is an argument of the chain, not its text; and a recorded run is one
whose every call keeps to its contract.

A chain calls its tools in the order of the first task that shows it. Arguments of one name that are equal in every
run are one parameter; what is the documented default in every run stands in the source. It returns fields that the
contracts document and every run's responses hold, or whole responses of tools that document none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...errors import BadInput
from ...model.content import canonical_json
from ...operators.builtin.chain.names import function_name, is_plain, python_name
from ...operators.contracts.validation import schema_fault
from .toolbench_contracts import contract
from .toolbench_readings import EACH, Reading, expression, read, readings
from .toolbench_responses import documented_answer
from .toolbench_usage import ToolbenchCall

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
"""The variables that hold the responses."""
FIELDS = 2
"""of each response that a chain returns, at most"""
ANNOTATIONS = {"string": "str", "number": "float", "boolean": "bool", "array": "list", "object": "dict"}
RESERVED = frozenset(
    {"chain", "each", "list", "reversed", "sorted", "len", "enumerate", "str", "float", "bool", "dict"}
)
"""Names that a parameter does not take: the source's own, and built-ins that a rewriting reads."""

Run = Mapping[str, ToolbenchCall]
"""Tool → the call of it that a task makes."""


@dataclass(frozen=True, slots=True)
class ChainParameter:
    """A parameter of a chain: its type in the source, "" where there is none, and its value in each run."""

    kind: str
    values: list[Any]


@dataclass(frozen=True, slots=True)
class ReturnedField:
    """One entry of what a chain returns."""

    name: str
    variable: str
    tool: str
    reading: Reading


class Procedure:
    """One chain: `source()` is its text, `recipe()` what `chain@1` needs, `contracts` its tools' contracts in order."""

    def __init__(self, runs: Sequence[Run]) -> None:
        """Lay the chain out; `runs` are the calls of each task that shows it, over the same tools."""
        first = runs[0]
        if len(first) > len(ORDINALS):
            raise BadInput(f"a chain over {len(first)} tools; {len(ORDINALS)} are the most")
        self.contracts = {name: contract(call.api, name) for name, call in first.items()}
        self._recorded = list(self._recordable(runs))
        self._shown = self._recorded or [first]
        self._parameters: dict[str, ChainParameter] = {}
        self._calls = {tool: self._call(tool) for tool in self.contracts}
        self._returned = list(self._returns())

    def source(self) -> str:
        """Return the chain as Python."""
        signature = ", ".join(f"{name}: {one.kind}" if one.kind else name for name, one in self._parameters.items())
        calls = [f"    {variable} = {call}\n" for variable, call in zip(ORDINALS, self._calls.values(), strict=False)]
        told = [f"        {one.name!r}: {expression(one.variable, one.reading)},\n" for one in self._returned]
        return f"def chain({signature}):\n{''.join(calls)}    return {{\n{''.join(told)}    }}\n"

    def recipe(self) -> dict[str, Any]:
        """Return the tools, the contracts that the chain is written for, and its recorded runs."""
        runs = [self._run(number, run) for number, run in enumerate(self._recorded)]
        return {"tools": list(self.contracts), "contracts": self.contracts, "runs": runs}

    def _recordable(self, runs: Sequence[Run]) -> Iterator[Run]:
        """Yield the runs that give what the first gives and whose responses keep to their contracts.

        Equal ones once.
        """
        given = _given(runs[0])
        seen: set[frozenset[str]] = set()
        for run in runs:
            calls = frozenset(call.key for call in run.values())
            if calls not in seen and _given(run) == given and not any(map(self._breaks, run.values())):
                seen.add(calls)
                yield run

    def _breaks(self, call: ToolbenchCall) -> str:
        schema = self.contracts[call.name].get("outputSchema")
        return "" if schema is None else schema_fault(schema, documented_answer(call))

    def _run(self, number: int, run: Run) -> dict[str, Any]:
        answers = {tool: documented_answer(run[tool]) for tool in self.contracts}
        return {
            "arguments": {name: one.values[number] for name, one in self._parameters.items()},
            "calls": [{"tool": tool, "arguments": run[tool].arguments, "result": answers[tool]} for tool in answers],
            "result": {one.name: read(answers[one.tool], one.reading) for one in self._returned},
        }

    def _call(self, tool: str) -> str:
        """Return a tool's call: keywords, and a dict that is spread for names that are none."""
        keywords, entries = [], []
        for name in self._shown[0][tool].arguments:
            value = self._argument(tool, name)
            if is_plain(name):
                keywords.append(f"{name}={value}")
            else:
                entries.append(f"{name!r}: {value}")
        spread = [f"**{{{', '.join(entries)}}}"] if entries else []
        return f"{function_name(tool)}({', '.join(keywords + spread)})"

    def _argument(self, tool: str, name: str) -> str:
        """Return how an argument stands in the source: its documented default, or a parameter of the chain."""
        schema = self.contracts[tool]["inputSchema"]["properties"][name]
        values = [run[tool].arguments[name] for run in self._shown]
        if "default" in schema and {canonical_json(value) for value in values} == {canonical_json(schema["default"])}:
            return repr(schema["default"])
        wanted = ChainParameter(ANNOTATIONS.get(schema.get("type", ""), ""), values)
        base = self._parameter_name(name)
        for free in (base, *(f"{base}_{number}" for number in range(2, 100))):
            if self._parameters.setdefault(free, wanted) == wanted:
                return free
        raise BadInput(f"a chain with a hundred parameters {base}")

    def _parameter_name(self, name: str) -> str:
        plain = python_name(name)
        taken = plain in RESERVED or plain in ORDINALS or plain in map(function_name, self.contracts)
        return f"{plain}_" if taken else plain

    def _returns(self) -> Iterator[ReturnedField]:
        named: set[str] = set()
        for variable, tool in zip(ORDINALS, self.contracts, strict=False):
            responses = [documented_answer(run[tool]) for run in self._shown]
            for reading in readings(self.contracts[tool].get("outputSchema") or {}, responses, FIELDS):
                name = next((step for step in reversed(reading) if step != EACH), "response")
                name = f"{variable}_{name}" if name in named else name
                named.add(name)
                yield ReturnedField(name, variable, tool, reading)


def _given(run: Run) -> dict[str, list[str]]:
    return {name: sorted(call.arguments) for name, call in run.items()}
