"""A memory for each test of the store.

The schema is set up once; whatever a test did, no invariant may be broken when it ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memorepair_graphdb.store import checks
from tests.harness.store_space import Memory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neo4j import Driver


@pytest.fixture
def memory(driver: Driver, space: str, dimensions: int) -> Iterator[Memory]:
    """Give a memory over a fresh space."""
    made = Memory(driver, space)
    yield made
    assert made.db.read(checks.check, space).violations == ()
