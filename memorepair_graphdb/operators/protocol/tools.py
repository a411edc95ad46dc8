"""Who calls the tools: plain callables, asked in turn until one has the tool.

A runner that does not have a tool says so and is passed over; any other error is the tool's.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ...errors import OperatorError
from .operator import Tool

ToolRunner = Callable[[str, dict[str, Any]], Any]
"""A tool's name, its arguments → what it answers, as JSON; it may be async. Raises `NotOffered` to be passed by."""


class NotOffered(OperatorError):
    """This runner does not have the tool, or no answer to this call; the next one may."""


def of_tools(tools: Mapping[str, Tool]) -> ToolRunner:
    """Return the functions of `Registry.tool` as one runner; each gets the arguments as keywords."""

    def run(tool: str, arguments: dict[str, Any]) -> Any:
        if tool not in tools:
            raise NotOffered(f"no tool {tool!r} is registered; there are {', '.join(sorted(tools)) or 'none'}")
        return tools[tool](**arguments)

    return run


async def answered(runners: Iterable[ToolRunner], tool: str, arguments: dict[str, Any]) -> Any:
    """Return the answer of the first runner that has the tool; raises `NotOffered` with what each of them said."""
    refusals = []
    for run in runners:
        try:
            answer = run(tool, dict(arguments))
            return await answer if inspect.isawaitable(answer) else answer
        except NotOffered as passed:
            refusals.append(str(passed))
    raise NotOffered("; ".join(refusals) or f"nobody is registered who could call {tool}")
