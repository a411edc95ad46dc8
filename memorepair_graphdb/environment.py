"""What a repair works with: the graph, the operators, an embedder, workers, and somebody to tell how far it is.

The law of the room: nothing here decides anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from .operators.protocol.registry import Registry
from .store.transactions import Transactions

Embedder = Callable[[list[str]], list[list[float]]]
Progress = Callable[[str, int, int], None]
"""(step, done, of): called as a repair advances, from the thread that runs it."""

Item = TypeVar("Item")

LEASE_SECONDS = 60


def silent(step: str, done: int, of: int) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True)
class Environment:
    """The surroundings of one space's repairs."""

    db: Transactions
    space: str
    tombstone_key: bytes
    registry: Registry
    embedder: Embedder | None = None
    without_embeddings: bool = False
    workers: int = 4
    lease_seconds: int = LEASE_SECONDS
    progress: Progress = field(default=silent)

    @property
    def embedder_version(self) -> str | None:
        """What the plan's id says of the embedder; None without one."""
        if self.embedder is None:
            return None
        named = getattr(self.embedder, "version", None) or getattr(self.embedder, "__qualname__", None)
        return str(named or type(self.embedder).__qualname__)


def batches(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    """Consecutive parts of at most `size`."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
