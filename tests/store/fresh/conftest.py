"""A server that is these tests' alone, and an empty database for each of them.

Only here is anything dropped or deleted that a test did not make itself.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from neo4j import Driver, GraphDatabase

from memorepair_graphdb.localdb import LocalServer
from tests.harness.server import Server

if TYPE_CHECKING:
    from collections.abc import Iterator

_RULES = "SHOW INDEXES YIELD name, owningConstraint, type WHERE type <> 'LOOKUP' RETURN name, owningConstraint"


@pytest.fixture(scope="session")
def fresh_server() -> Iterator[Server]:
    """Give a server beside the session's; its home is removed at the end."""
    local = LocalServer(os.environ.get("MEMOREPAIR_TEST_DB", "tests") + "-fresh")
    local.stop()
    local.purge()
    running = local.start(heap="512m", pagecache="64m", brief=True)
    yield Server(running.uri, running.username, running.password)
    local.stop()
    local.purge()


@pytest.fixture(scope="session")
def fresh_driver(fresh_server: Server) -> Iterator[Driver]:
    """Give a driver for it."""
    auth = (fresh_server.username, fresh_server.password)
    with GraphDatabase.driver(fresh_server.uri, auth=auth, notifications_min_severity="OFF") as connected:
        yield connected


@pytest.fixture
def empty(fresh_driver: Driver) -> Driver:
    """Give a database without a node, an index or a constraint."""
    fresh_driver.execute_query("MATCH (n) DETACH DELETE n")
    for rule in fresh_driver.execute_query(_RULES).records:
        what = "CONSTRAINT" if rule["owningConstraint"] else "INDEX"
        fresh_driver.execute_query(f"DROP {what} `{rule['name']}`")
    return fresh_driver
