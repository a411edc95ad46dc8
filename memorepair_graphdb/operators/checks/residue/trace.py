"""What a successor can share with retracted texts, and what excuses each sort.

A trace knows what would be its live grounds; it looks for them only when it is asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

from ...text.bags import Bag
from ..grounds import Grounds
from .passage import Passage, needle


class Trace(Protocol):
    """Something a passage shares with the retracted texts."""

    @property
    def kind(self) -> str:
        """What a reason calls it."""

    @property
    def shown(self) -> str:
        """As a person reads it."""

    @property
    def common_as(self) -> str:
        """The word as the space spells it, where the trace counts only while that is rare; else empty."""

    def has_grounds(self, grounds: Grounds) -> bool:
        """Return whether it stands in a live content or in a phrase of the operator's."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Several words of the passage, in the order of a retracted text or, with a bag, in any."""

    kind: str
    passage: Passage
    start: int
    end: int
    bag: Bag | None = None

    common_as = ""

    @property
    def shown(self) -> str:
        """The words."""
        return needle(*self.passage.tokens[self.start : self.end]).strip()

    def has_grounds(self, grounds: Grounds) -> bool:
        """Return whether it, or each piece of it, stands there: live pieces may meet where a sentence ends."""
        if grounds.hold(needle(*self.passage.tokens[self.start : self.end])):
            return True
        pieces = self.passage.pieces(self.start, self.end)
        if len(pieces) > 1 and all(map(grounds.hold, pieces)):
            return True
        return self.bag is not None and grounds.hold_bag(self.bag)


class Unit(NamedTuple):
    """An identifier, a number, a name or a word."""

    kind: str
    shown: str
    needles: tuple[str, ...]
    """as `wording.phrase` writes them: grounds for one are grounds for it"""
    digits: str = ""
    """in one piece, where it is a number that may be grouped in another way"""
    common_as: str = ""

    def has_grounds(self, grounds: Grounds) -> bool:
        """Return whether it stands there, however it is spelled."""
        return any(map(grounds.hold, self.needles)) or (bool(self.digits) and self.digits in grounds.figures)
