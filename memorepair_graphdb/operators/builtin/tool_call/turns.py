"""Times calls on one connection so that slow neighbours do not time each other out.

A server may answer one call after the other. A call's time begins when no call that was sent before it is under way.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar("T")


class Turn:
    """One call: `waits` says whether others that were sent before it are still under way."""

    __slots__ = ("_ahead", "_scope")

    def __init__(self, ahead: set[Turn]) -> None:
        self._ahead = ahead
        self._scope: asyncio.Timeout | None = None

    @property
    def waits(self) -> bool:
        """Whether a call that was sent before this one is still under way."""
        return bool(self._ahead)

    def drop(self, ended: Turn, deadline: float) -> None:
        """Take away a call that ended; the time begins with the last of them."""
        if ended in self._ahead:
            self._ahead.discard(ended)
            if not self._ahead and self._scope is not None:
                self._scope.reschedule(deadline)

    async def run(self, call: Awaitable[T], seconds: float) -> T:
        """Await the call for at most `seconds` from the beginning of its time; raises `TimeoutError`."""
        async with asyncio.timeout(None if self._ahead else seconds) as self._scope:
            return await call


class Turns:
    """The calls under way on one connection; used on its loop alone."""

    def __init__(self) -> None:
        self._under_way: set[Turn] = set()

    def begin(self) -> Turn:
        """Return the turn of a call that is sent now."""
        turn = Turn(set(self._under_way))
        self._under_way.add(turn)
        return turn

    def end(self, turn: Turn, seconds: float) -> None:
        """Take out a call that ended; those behind it have `seconds` from now, where it was the last ahead of them."""
        self._under_way.discard(turn)
        deadline = asyncio.get_running_loop().time() + seconds
        for other in self._under_way:
            other.drop(turn, deadline)
