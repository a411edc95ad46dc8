"""Makes the ToolBench memory with its work shared out, so that every built-in operator has a part of it.

The same artifacts and edges as the workload; who would rebuild them differs, and what is checked.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Any

from ....model.content import as_content, canonical_json
from ....operators.builtin.llm.endpoint import MODEL
from ....operators.contracts.validation import schema_fault
from ....operators.protocol.context import parsed
from ....operators.protocol.registry import Registry
from ....operators.protocol.tools import NotOffered
from ...workloads.derivation import Line
from ...workloads.toolbench import toolbench

OTHER = {"summary@1": "summary@2", "note@1": "note@2", "replay@1": "replay@2", "selector@1": "adapter@1"}
EVERY = {"summary@1": 4, "note@1": 2, "replay@1": 4, "selector@1": 3}
"""One of so many goes to the other operator of its kind: MiniLM takes a second for a summary of many results."""
TO_A_MODEL = 30
"""One of so many copied summaries is left to a model, where one is named: it takes ten seconds for each on a CPU."""
ANSWER = "{tool: tool, arguments: arguments, response: result}"


class World:
    """What tools answer: the memory's own responses, as they are now."""

    def __init__(self) -> None:
        self.registry = Registry.default()
        """the built-in operators; replay@2 asks this world"""
        self._says: dict[str, Any] = {}
        self._asked: dict[tuple[str, str], str] = {}
        self.registry.runner(self._answer, reads=True)

    def says(self, response: str, content: Any) -> None:
        """From now on a call whose response has this key is answered so."""
        self._says[response] = parsed(as_content(content))

    def ask(self, tool: str, arguments: dict[str, Any], response: str) -> None:
        """Return a call that there is, and the key of its response."""
        self._asked[tool, canonical_json(arguments)] = response

    def said(self, response: str) -> Any:
        """Return what is answered under this key."""
        return self._says[response]

    def _answer(self, tool: str, arguments: dict[str, Any]) -> Any:
        response = self._asked.get((tool, canonical_json(arguments)))
        if response is None:
            raise NotOffered(f"{tool} was never called so")
        return self._says[response]


def memory(directory: Path) -> tuple[list[Line], World]:
    """Return the memory's lines, and the world that they were read from; raises `BadInput` for a wrong directory."""
    world, seen, contracts = World(), Counter[str](), dict[str, Any]()

    def share_out(line: Line) -> Line:
        if line["key"].startswith("resp/"):
            world.says(line["key"], line["content"])
        elif "tool" in line:
            contracts[line["tool"]] = line["content"]
        operator = line.get("operator", "")
        seen[operator] += 1
        if line.get("arch") == "prompt":
            line = _questioned(line, contracts)
        if operator not in OTHER or seen[operator] % EVERY[operator]:
            return line
        return _called(line, world, contracts) if operator == "replay@1" else {**line, "operator": OTHER[operator]}

    lines = list(toolbench(directory, share_out, world.registry))
    return (_with_a_model(lines) if os.environ.get(MODEL) else lines), world


def _with_a_model(lines: list[Line]) -> list[Line]:
    """Give some of the summaries to a model's operator; what stands there now was copied."""
    copied = [line["key"] for line in lines if line.get("operator") == "summary@1"]
    chosen = set(copied[::TO_A_MODEL])
    return [{**line, "operator": "llm@1"} if line["key"] in chosen else line for line in lines]


def _questioned(line: Line, contracts: dict[str, Any]) -> Line:
    """Return a prompt with a stored check of each tool that it teaches.

    The check asks for what a call must give, by the contract of today.
    """
    tools = [edge["key"].removeprefix("doc/") for edge in line["influenced_by"] if edge["role"] == "contract"]
    asked = {tool: contracts[tool]["inputSchema"].get("required", []) for tool in tools}
    checks = [
        {"question": f"What must a call of {tool} give?", "must": needed} for tool, needed in asked.items() if needed
    ]
    return {**line, "recipe": {**line["recipe"], "checks": checks}} if checks else line


def _called(line: Line, world: World, contracts: dict[str, Any]) -> Line:
    """Return a cached result as one of a real call; left as it is where the call or its answer breaks the contract."""
    keys = {edge["role"]: edge["key"] for edge in line["influenced_by"]}
    tool, arguments = keys["contract"].removeprefix("doc/"), line["recipe"]["arguments"]
    contract, answer = contracts[tool], world.said(keys["response"])
    if schema_fault(contract["inputSchema"], arguments) or schema_fault(contract.get("outputSchema", {}), answer):
        return line
    world.ask(tool, arguments, keys["response"])
    recipe = {"tool": tool, "arguments": arguments, "expression": ANSWER}
    return {**line, "operator": "replay@2", "recipe": recipe}
