"""Who calls the tools: plain callables, asked in turn until one has the tool.

A runner that does not have a tool says so and is passed over; any other error is the tool's. A runner may say which of
its tools only read: by a method `reads(tool)`, or by `registry.runner(…, reads=…)`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from ...errors import OperatorError
from .operator import Tool

ToolRunner = Callable[[str, dict[str, Any]], Any]
"""A tool's name, its arguments → what it answers, as JSON; it may be async. Raises `NotOffered` to be passed by."""


_clock: ContextVar[Callable[[], None] | None] = ContextVar("memorepair_clock", default=None)


@contextmanager
def clock(restart: Callable[[], None]) -> Iterator[None]:
    """Let `restart_clock` call this function, in what runs inside the block."""
    token = _clock.set(restart)
    try:
        yield
    finally:
        _clock.reset(token)


def restart_clock() -> None:
    """Give the operator that runs here its whole time limit again: until now its call was behind those of others.

    For runners that are awaited; outside an operator's run it does nothing.
    """
    if (restart := _clock.get()) is not None:
        restart()


class NotOffered(OperatorError):
    """This runner does not have the tool, or no answer to this call; the next one may."""


def says_reads(runner: ToolRunner, tool: str) -> bool:
    """Return whether a runner says that its calls of a tool only read; who says nothing does not."""
    reads = getattr(runner, "reads", None)
    return callable(reads) and reads(tool) is True


def may_offer(runner: ToolRunner, tool: str) -> bool:
    """Return whether a runner may have a tool: only of registered functions that is known before the call."""
    return not isinstance(runner, RegisteredTools) or tool in runner.tools


@dataclass(frozen=True, slots=True)
class RegisteredTools:
    """The functions of `Registry.tool` as one runner; each gets the arguments as keywords."""

    tools: Mapping[str, Tool]
    reading: Collection[str] = ()
    """the tools that are said to read only"""

    def __call__(self, tool: str, arguments: dict[str, Any]) -> Any:
        """Call the function; raises `NotOffered` where there is none of this name."""
        if tool not in self.tools:
            raise NotOffered(f"no tool {tool!r} is registered; there are {', '.join(sorted(self.tools)) or 'none'}")
        return self.tools[tool](**arguments)

    def reads(self, tool: str) -> bool:
        """Return whether the tool was registered with `reads=True`."""
        return tool in self.reading


@dataclass(frozen=True, slots=True)
class ReadingRunner:
    """A runner of which whoever registered it says which tools only read."""

    run: ToolRunner
    reading: Collection[str] | None
    """None: all"""

    def __call__(self, tool: str, arguments: dict[str, Any]) -> Any:
        """Call the tool through the runner."""
        return self.run(tool, arguments)

    def reads(self, tool: str) -> bool:
        """Return whether the runner, or whoever registered it, says that the tool only reads."""
        return self.reading is None or tool in self.reading or says_reads(self.run, tool)


async def answered(runners: Iterable[ToolRunner], tool: str, arguments: dict[str, Any]) -> Any:
    """Return the answer of the first runner that has the tool; raises `NotOffered` with what each of them said."""
    reasons = []
    for run in runners:
        try:
            answer = run(tool, dict(arguments))
            return await answer if inspect.isawaitable(answer) else answer
        except NotOffered as passed:
            reasons.append(str(passed))
    raise NotOffered("; ".join(reasons) or f"nobody is registered who could call {tool}")
