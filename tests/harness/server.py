"""A real server for every test: the session's own over `localdb`, or the one that NEO4J_URI names.

Nothing is skipped for want of a server, and no test needs an empty one: each works in a space of its own.

    MEMOREPAIR_TEST_DB      name of the session's server, `tests` by default; sessions side by side need one each
    MEMOREPAIR_KEEP_DB      when set, the server is left running and the next session uses it again (saves the start)
    NEO4J_URI               use this server instead, with NEO4J_USERNAME (`neo4j`) and NEO4J_PASSWORD
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from neo4j import Driver, GraphDatabase

from memorepair_graphdb.localdb import LocalServer
from memorepair_graphdb.store import schema
from memorepair_graphdb.store.transactions import Transactions


@dataclass(frozen=True)
class Server:
    """How to reach the server of this session."""

    uri: str
    username: str
    password: str = field(repr=False)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Give the session's server, answering; a home that a broken session left behind is emptied first."""
    uri = os.environ.get("NEO4J_URI")
    if uri:
        username = os.environ.get("NEO4J_USERNAME", "neo4j")
        yield Server(uri, username, os.environ.get("NEO4J_PASSWORD", ""))
        return
    local = LocalServer(os.environ.get("MEMOREPAIR_TEST_DB", "tests"))
    if local.status() is None:
        local.purge()
    running = local.start(heap="1g", pagecache="256m", brief=True)
    yield Server(running.uri, running.username, running.password)
    if not os.environ.get("MEMOREPAIR_KEEP_DB"):
        local.stop()


@pytest.fixture(scope="session")
def driver(server: Server) -> Iterator[Driver]:
    """Give a driver that is connected to the session's server."""
    with GraphDatabase.driver(server.uri, auth=(server.username, server.password)) as connected:
        connected.verify_connectivity()
        yield connected


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
def space() -> str:
    """Give a space that no other test uses."""
    return f"t_{uuid.uuid4().hex[:12]}"
