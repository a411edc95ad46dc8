"""Memories on the session's server, each test in a space of its own.

Whatever a test did to a space, no invariant may be broken when it ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from memorepair_graphdb import MemoRepair
from memorepair_graphdb.store import schema
from memorepair_graphdb.store.transactions import Transactions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from neo4j import Driver

Opener: TypeAlias = "Callable[..., MemoRepair]"


def opened(driver: Driver, space: str, **options: Any) -> MemoRepair:
    """A memory over a space with its gates; faster than setup, for the schema is there."""
    made = MemoRepair(driver, space=space, **options)
    Transactions(driver).write(schema.open_space, space, f"tombstones of {space}")
    return made


@pytest.fixture
def memory(prepared: Driver, space: str) -> Iterator[Callable[..., MemoRepair]]:
    """Give a function (options of the constructor, and `beside` for a second space) → a memory."""
    spaces: dict[str, MemoRepair] = {}

    def open_memory(beside: str = "", **options: Any) -> MemoRepair:
        made = opened(prepared, space + beside, **options)
        spaces[made.space] = made
        return made

    yield open_memory
    assert {name: made.check().violations for name, made in spaces.items()} == dict.fromkeys(spaces, ())
