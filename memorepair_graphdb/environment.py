"""Holds what a repair works with: the graph, the operators, an embedder, workers, and who is told of its progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from .store.plans import BATCH

if TYPE_CHECKING:
    from .operators.protocol.registry import Registry
    from .store.transactions import Transactions

Embedder = Callable[[list[str]], list[list[float]]]
"""Texts → a vector for each."""

Progress = Callable[[str, int, int], None]
"""(step, how many are done, of how many): called as a repair advances, from the thread that runs it."""

Item = TypeVar("Item")

LEASE_SECONDS = 60
"""For how long an event stays with a worker that says nothing."""


def silent(step: str, done: int, of: int) -> None:
    """Report progress to nobody."""


@dataclass(frozen=True, slots=True)
class Environment:
    """What the repairs of one space work with."""

    db: Transactions
    space: str
    tombstone_key: bytes
    registry: Registry
    embedder: Embedder | None = None
    without_embeddings: bool = False
    workers: int = 4
    lease_seconds: int = LEASE_SECONDS
    progress: Progress = field(default=silent)
    batch: int = BATCH
    """At most how many artifacts one transaction of a repair writes."""

    @property
    def embedder_version(self) -> str | None:
        """The name that stands for the embedder in a plan's id; None without one."""
        if self.embedder is None:
            return None
        name = getattr(self.embedder, "version", None) or getattr(self.embedder, "__qualname__", None)
        return str(name or type(self.embedder).__qualname__)


def batches(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    """Yield consecutive parts of at most `size`."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
