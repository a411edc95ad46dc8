"""What a validator is given, and what it says.

A validator judges one payload against its live context; it changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ...model.vocabulary import VerdictState
from .context import Context
from .payload import Payload

Frequency = Callable[[str], int]
"""A token, case-folded → in how many visible artifacts of the space it stands."""


EXCERPT = 120
"""characters of a text that a verdict quotes"""


def excerpt(text: str, most: int = EXCERPT) -> str:
    """Return the beginning of a text, as a verdict shows it."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def quoted(text: str) -> str:
    """Return the beginning of a text as one line between quotation marks."""
    return repr(excerpt(" ".join(text.split())))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check says: `ok`, `failed`, or `not_applicable` where there was nothing that it could look at."""

    ok: bool
    """whether the successor may go on; true also where the check does not apply"""
    check: str = ""
    """name of the check"""
    reason: str = ""
    """for a person: why it failed, or why it does not apply"""
    saw: str = ""
    """what stands there, where the check can show it"""
    wanted: str = ""
    """what should"""
    applies: bool = True
    """whether the check had something to look at; a verdict that does not apply vouches for nothing"""

    @classmethod
    def not_applicable(cls, check: str = "", reason: str = "") -> Verdict:
        """Return the verdict of a check that had nothing to look at, and why."""
        return cls(True, check, reason, applies=False)

    @property
    def state(self) -> VerdictState:
        """`failed`, `not_applicable` or `ok`."""
        if not self.ok:
            return VerdictState.FAILED
        return VerdictState.OK if self.applies else VerdictState.NOT_APPLICABLE

    @property
    def told(self) -> str:
        """The reason in a line for a person, with what was seen and what was wanted."""
        seen = f"saw {self.saw}" if self.saw else ""
        wanted = f"wanted {self.wanted}" if self.wanted else ""
        shown = ", ".join(part for part in (seen, wanted) if part)
        return f"{self.reason} ({shown})" if self.reason and shown else self.reason or shown or "no"


@dataclass(frozen=True, slots=True)
class Review:
    """What a validator may look at."""

    context: Context
    retracted: tuple[str, ...]
    """texts of the artifact's retracted roots (design, sections 5 and 6): nothing of them may come back"""
    frequency: Frequency
    payload: Payload
    corrected: Mapping[str, str] = field(default_factory=dict)
    """of those texts, each that was corrected → what is in service in its place"""
