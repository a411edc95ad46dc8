"""One real server for a whole test session, whichever of its processes asks first: `localdb`'s, or NEO4J_URI's.

Nothing is skipped for want of a server, and no test needs an empty one: each works in a space of its own.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from filelock import FileLock
from neo4j import Driver, GraphDatabase

from memorepair_graphdb.localdb import LocalServer
from memorepair_graphdb.localdb.settings import SHARED
from memorepair_graphdb.store import schema
from memorepair_graphdb.store.transactions import Transactions

SESSION = "MEMOREPAIR_TEST_SESSION"
"""Names the directory that the processes of one session share; the process that began the session sets it."""


REPLAN = {"dbms.cypher.min_replan_interval": "2m"}
"""Neo4j plans a statement again after 10 s where the counts of nodes have changed, which they always have here: 203
times in a session of 12 minutes, and planning takes up to a second of CPU."""


@dataclass(frozen=True)
class Server:
    """How to reach the server of this session."""

    uri: str
    username: str
    password: str = field(repr=False)


def server_name() -> str:
    """The name of the session's local server."""
    return os.environ.get("MEMOREPAIR_TEST_DB", "tests")


def pytest_configure(config: pytest.Config) -> None:
    """Make the session's directory, in the process that begins the session."""
    if not hasattr(config, "workerinput"):
        os.environ[SESSION] = tempfile.mkdtemp(prefix="memorepair-tests-")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop the server that the session started, when its last process has ended."""
    if hasattr(config, "workerinput"):
        return
    directory = Path(os.environ.pop(SESSION))
    if (directory / "started").exists() and not os.environ.get("MEMOREPAIR_KEEP_DB"):
        LocalServer(server_name()).stop()
    shutil.rmtree(directory, ignore_errors=True)


@pytest.fixture(scope="session")
def server() -> Server:
    """Give the session's server, answering; a home that a broken session left behind is emptied first."""
    uri = os.environ.get("NEO4J_URI")
    if uri:
        username = os.environ.get("NEO4J_USERNAME", "neo4j")
        return Server(uri, username, os.environ.get("NEO4J_PASSWORD", ""))
    directory = Path(os.environ[SESSION])
    local = LocalServer(server_name())
    with FileLock(directory / "lock"):
        if local.status() is None:
            local.purge()
        with pytest.MonkeyPatch.context() as patch:
            for name, value in REPLAN.items():
                patch.setitem(SHARED, name, value)
            running = local.start(heap="1g", pagecache="256m", brief=True)
        (directory / "started").touch()
    return Server(running.uri, running.username, running.password)


@pytest.fixture(scope="session")
def driver(server: Server) -> Iterator[Driver]:
    """Give a driver that is connected to the session's server."""
    with GraphDatabase.driver(server.uri, auth=(server.username, server.password)) as connected:
        connected.verify_connectivity()
        yield connected


@pytest.fixture(scope="session")
def prepared(driver: Driver) -> Driver:
    """Give a driver whose database has its constraints and indexes."""
    transactions = Transactions(driver)
    for statement in schema.PLAIN_SCHEMA:
        transactions.write(schema.declare, statement.name)
    transactions.read(schema.await_indexes)
    return driver


@pytest.fixture(scope="session")
def dimensions(prepared: Driver) -> int:
    """Give the length of an embedding in this database: what it has, else 4."""
    transactions = Transactions(prepared)
    found = transactions.read(schema.embedding_dimensions)
    if found is None:
        transactions.write(schema.declare_embedding, 4)
        transactions.read(schema.await_indexes)
    return found or 4


@pytest.fixture
def space() -> str:
    """Give a space that no other test uses."""
    return f"t_{uuid.uuid4().hex[:12]}"
