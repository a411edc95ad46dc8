"""What the checks of a mode are given: a review, the operator, and the means to run it again.

A check says what it saw; it never repairs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from .context import Context
from .operator import Operator
from .payload import Payload
from .verdict import Review, Verdict


@dataclass(frozen=True, slots=True)
class CheckInput:
    """One payload before the checks of its mode."""

    review: Review
    operator: Operator
    contracts: tuple[str, ...]
    """contents of the contracts that the run read"""
    again: Callable[[], Payload]
    """a second run over the same context; raises what the operator raises"""

    @property
    def live(self) -> tuple[str, ...]:
        """What the payload may have its words from: the contents of the sources, and the contracts read.

        Not what it succeeds: a `param` operator gets that even where it rests on what was retracted.
        """
        return (*live_texts(self.review.context), *self.contracts)


def live_texts(context: Context) -> tuple[str, ...]:
    """Return the contents of the live sources; a key is no text that anybody may quote from."""
    return tuple(source.content for source in context.supports)


class Check(NamedTuple):
    """A check that always runs for a mode; `repair/validation.py` says which."""

    name: str
    judge: Callable[[CheckInput], Verdict]
