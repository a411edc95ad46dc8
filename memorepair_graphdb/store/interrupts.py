"""Closes a connection that Ctrl-C caught in the middle of an answer, so that it is never used again.

The driver closes it for what cancels a task of asyncio, in its synchronous code too. One that a `KeyboardInterrupt`
went through goes back into its pool (6.1: 5 of 160 interrupts ended as a `BufferError` or an error of the protocol).
"""

from __future__ import annotations

import signal
import threading
from asyncio import CancelledError
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType


@contextmanager
def cancelled_cleanly() -> Iterator[None]:
    """Have Ctrl-C cancel the driver's work, and be raised as `KeyboardInterrupt` once that has ended.

    Where Ctrl-C is not Python's own, or in a thread that it does not reach, nothing is done.
    """
    if not _is_ours():
        yield
        return
    try:
        signal.signal(signal.SIGINT, _cancel)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, signal.default_int_handler)
    except _Pressed:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # it may have come before the line above
        raise KeyboardInterrupt from None


class _Pressed(CancelledError):
    pass


def _cancel(number: int, frame: FrameType | None) -> None:
    raise _Pressed


def _is_ours() -> bool:
    return (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
