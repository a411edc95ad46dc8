"""The arena of the races, on the session's server.

The schema is set up once; every round has a space of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memorepair_graphdb.store import schema
from memorepair_graphdb.store.transactions import Transactions
from tests.races.arena import Arena

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neo4j import Driver


@pytest.fixture(scope="session")
def built(driver: Driver) -> Iterator[Arena]:
    """Give the session's arena; its database has its constraints and indexes."""
    transactions = Transactions(driver)
    for statement in schema.PLAIN_SCHEMA:
        transactions.write(schema.declare, statement.name)
    transactions.read(schema.await_indexes)
    made = Arena(driver)
    yield made
    made.close()


@pytest.fixture
def arena(built: Arena) -> Iterator[Arena]:
    """Give an arena that is cleared after the test."""
    yield built
    built.clear()
