"""How successors of one sort are made: a function, what it needs, and what checks it.

An operator is a value; registering a validator makes another one.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any

from pydantic import BaseModel

from ...model.artifact import Arch, Kind
from ...model.numbers import as_figure
from ...model.vocabulary import Mode, SupportNeed
from .context import Context
from .verdict import Review

Run = Callable[[Context], Any]
"""A context → str, dict, list or Payload, or an awaitable of one."""
Validator = Callable[[Review, str], Any]
"""A review and the content → bool or Verdict, or an awaitable of one."""
Cost = Callable[[Context], float]
"""A context → expected tokens."""
Tool = Callable[..., Any]
"""A function that a replay may call with keyword arguments; it may be async."""
Answered = Callable[[Context], bool]
"""A context → whether its content comes from a tool that is called, and not from sources."""
Refuse = Callable[[Context], str]
"""A context without sources → why no successor may be built at all, "" where one may."""


@dataclass(frozen=True, slots=True)
class Operator:
    """How successors of one sort are made."""

    name: str
    """name@version"""
    mode: Mode
    support: SupportNeed
    run: Run
    cost: Cost | None = None
    previous: bool = False
    """whether it wants the content that is to be succeeded"""
    timeout: float = 60.0
    """seconds, for the run and for each check of it"""
    validators: tuple[Validator, ...] = ()
    templates: tuple[str, ...] = ()
    """phrases of its own, which are no residue"""
    description: str = ""
    kinds: tuple[Kind | Arch, ...] = ()
    """what it is made for: a kind, or how a skill is built; () for all that its mode fits"""
    needs: tuple[str, ...] = ()
    """modules that it cannot run without"""
    extra: str = ""
    """the extra of this package that brings them"""
    retries: int = 0
    """how often an error that can pass is tried again"""
    memory: int | None = None
    """MiB that a run may take, in a process of its own; None: it runs here, without a limit"""
    rewrites: bool = False
    """whether it does nothing without the former content: it is not planned where that rests on retracted text"""
    refuses: Refuse | None = None
    """asked at planning: what it refuses is removed, with its reason, and never run"""
    answered: Answered | None = None
    """whether the content is what a tool answers now: such an answer is held to retracted names and numbers alone"""
    vouching: tuple[str, ...] = ()
    """names of checks of which one at least must have seen something, or nothing vouches for a successor"""
    recipe: type[BaseModel] | None = None
    """what its recipes are: checked when one is recorded and before a run; None: any JSON"""

    @property
    def lacks(self) -> str:
        """What is not installed that it needs, and how to get it; "" where nothing is."""
        missing = [module for module in self.needs if not _installed(module)]
        if not missing:
            return ""
        way = f": pip install 'memorepair-graphdb[{self.extra}]'" if self.extra else ""
        return f"needs {', '.join(missing)}, not installed here{way}"

    def suits(self, kind: Kind, arch: Arch | None) -> bool:
        """Return whether it is made for artifacts of this kind."""
        return not self.kinds or kind in self.kinds or arch in self.kinds

    def estimate(self, context: Context) -> float:
        """Return the expected tokens; raises `ValueError` for an estimate that is negative, NaN, infinite or no number.

        What the operator's own function raises comes through. Whoever plans or runs takes `context.tokens` instead.
        """
        if self.cost is None:
            return context.tokens
        figure: Any = self.cost(context)
        if inspect.iscoroutine(figure):
            figure.close()
        try:
            return as_figure(figure)
        except ValueError as error:
            raise ValueError(f"its estimate {repr(figure)[:60]} {error}") from None


@cache
def _installed(module: str) -> bool:
    return find_spec(module) is not None
