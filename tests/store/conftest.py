"""A memory for each test of the store.

The law of the room: the schema is set up once; whatever a test did, no invariant may be broken when it ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memorepair_graphdb.store import checks, schema
from memorepair_graphdb.store.transactions import Transactions
from tests.harness.store_space import Memory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neo4j import Driver


@pytest.fixture(scope="session")
def dimensions(driver: Driver) -> int:
    """Give the length of embeddings in this database, whose constraints and indexes are there."""
    transactions = Transactions(driver)
    for statement in schema.PLAIN_SCHEMA:
        transactions.write(schema.declare, statement.name)
    length = transactions.read(schema.embedding_dimensions) or 4
    transactions.write(schema.declare_embedding, length)
    transactions.read(schema.await_indexes)
    return length


@pytest.fixture
def memory(driver: Driver, space: str, dimensions: int) -> Iterator[Memory]:
    """Give a memory over a fresh space."""
    made = Memory(driver, space)
    yield made
    assert made.db.read(checks.check, space).violations == ()
