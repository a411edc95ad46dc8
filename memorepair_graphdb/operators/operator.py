"""How successors of one sort are made: a function, what it needs, and what checks it.

The law of the room: an operator is a value; registering a validator makes another one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from typing import Any

from ..errors import BadInput
from ..model.outcome import Mode, SupportNeed
from .context import Context
from .verdict import Review

Run = Callable[[Context], Any]
"""A context → str, dict, list or Payload, or an awaitable of one."""
Validator = Callable[[Review, str], Any]
"""A review and the content → bool or Verdict, or an awaitable of one."""
Cost = Callable[[Context], float]
"""A context → expected tokens."""


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

    def estimate(self, context: Context) -> float:
        """Expected tokens; raises `BadInput` when the operator's own estimate is negative, NaN or no number."""
        if self.cost is None:
            return context.tokens
        figure = self.cost(context)
        if isinstance(figure, bool) or not isinstance(figure, int | float) or not (isfinite(figure) and figure >= 0):
            raise BadInput(
                f"{self.name} estimates {figure!r} tokens for {context.key}: finite and not negative, please"
            )
        return float(figure)
