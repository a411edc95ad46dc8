"""A memory for each test, opened as a user would, but for the schema, which is there.

Whatever a test did, no invariant may be broken when it ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from memorepair_graphdb import Context, MemoRepair, Registry
from memorepair_graphdb.store import schema
from memorepair_graphdb.store.transactions import Transactions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from neo4j import Driver


def registry() -> Registry:
    """An operator that joins what is left."""
    made = Registry.default()

    @made.operator("digest@1", mode="regen", support="available", cost=lambda context: 1)
    def digest(context: Context) -> str:
        return "digest of " + " ".join(source.content for source in context.supports)

    return made


@pytest.fixture
def opened(driver: Driver, space: str, dimensions: int) -> Iterator[Callable[..., MemoRepair]]:
    """Give a function (`beside` for another space, options of the constructor) → a memory."""
    made: list[MemoRepair] = []

    def open_memory(beside: str = "", **options: Any) -> MemoRepair:
        memory = MemoRepair(driver, space=space + beside, **{"registry": registry(), **options})
        Transactions(driver).write(schema.open_space, memory.space, f"tombstones of {memory.space}")
        made.append(memory)
        return memory

    yield open_memory
    assert [memory.check().violations for memory in made] == [() for _ in made]


@pytest.fixture
def mr(opened: Callable[..., MemoRepair]) -> MemoRepair:
    """Give the memory of a fresh space."""
    return opened()
