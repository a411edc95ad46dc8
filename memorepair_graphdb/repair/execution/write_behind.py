"""Writes one batch while the next is being built.

At most one write is under way, in the order of the calls; what it raises, the next call raises.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import TYPE_CHECKING, Generic, ParamSpec, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

P = ParamSpec("P")
T = TypeVar("T")


class WriteBehind(Generic[T]):
    """A context manager; leaving it waits for the write under way, whose result or error is then of no interest."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="memorepair-write")
        self._under_way: Future[T] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._thread.shutdown(wait=True)

    def start(self, write: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> None:
        """Begin a write; the one before it must have been collected. It sees the caller's context variables."""
        self._under_way = self._thread.submit(copy_context().run, partial(write, *args, **kwargs))

    def collect(self) -> T | None:
        """Wait for the write under way and give its result, None if there is none; raises what it raised."""
        under_way, self._under_way = self._under_way, None
        return None if under_way is None else under_way.result()
