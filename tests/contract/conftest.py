"""The seeded space, made once; statements that write are run in transactions that are rolled back.

The law of the room: no test leaves a trace in it.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pytest

from memorepair_graphdb.store import schema
from memorepair_graphdb.store.transactions import Transactions
from tests.contract.seed import Seed, sow

if TYPE_CHECKING:
    from neo4j import Driver


@pytest.fixture(scope="session")
def seed(driver: Driver) -> Seed:
    """Give a space with something of everything; embeddings have the length that the database takes, else 4."""
    dimensions = Transactions(driver).read(schema.embedding_dimensions) or 4
    return sow(driver, f"seed_{uuid.uuid4().hex[:12]}", dimensions)
