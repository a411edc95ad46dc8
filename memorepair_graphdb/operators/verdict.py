"""What a validator is given, and what it says.

The law of the room: a validator judges one payload against its live context; it changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .context import Context
from .payload import Payload

Frequency = Callable[[str], int]
"""A token, case-folded → in how many visible artifacts of the space it stands."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a check passed, and if not, why, for a person."""

    ok: bool
    check: str = ""
    """name of the check"""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Review:
    """What a validator may look at."""

    context: Context
    retracted: tuple[str, ...]
    """texts of the artifact's retracted roots (design, sections 5 and 6): nothing of them may come back"""
    frequency: Frequency
    payload: Payload
