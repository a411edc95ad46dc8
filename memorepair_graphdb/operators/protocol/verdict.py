"""What a validator is given, and what it says.

A validator judges one payload against its live context; it changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .context import Context
from .payload import Payload

Frequency = Callable[[str], int]
"""A token, case-folded → in how many visible artifacts of the space it stands."""


EXCERPT = 120
"""characters of a text that a verdict quotes"""


def excerpt(text: str, most: int = EXCERPT) -> str:
    """The beginning of a text, as a verdict shows it."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def quoted(text: str) -> str:
    """The beginning of a text as one line between quotation marks."""
    return repr(excerpt(" ".join(text.split())))


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a check passed, and if not, why, for a person."""

    ok: bool
    check: str = ""
    """name of the check"""
    reason: str = ""
    saw: str = ""
    """what stands there, where the check can show it"""
    wanted: str = ""
    """what should"""

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
