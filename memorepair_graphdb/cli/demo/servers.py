"""Finds the demo's server, its own local one or that of NEO4J_URI, and opens the demo's two spaces on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from neo4j import Driver, GraphDatabase, NotificationMinimumSeverity

from ... import config
from ...api import MemoRepair
from ...store.transactions import Transactions
from ..db import server_progress
from ..progress import progress
from . import statements
from .operators import registry


@dataclass(frozen=True, slots=True)
class DemoAddress:
    """A server, and how a person gets in."""

    uri: str
    username: str
    password: str = field(repr=False)
    database: str | None = None
    browser_url: str | None = None
    """None where the server is not ours"""


def find_address(name: str, *, quiet: bool) -> DemoAddress:
    """Return the server of NEO4J_URI, else the local one of that name, started."""
    settings = config.settings()
    if settings.uri is not None:
        return DemoAddress(settings.uri, settings.username, settings.password.get_secret_value(), settings.database)
    from ...localdb import LocalServer

    with server_progress(quiet=quiet) as report:
        running = LocalServer(name).start(report, brief=True)
    return DemoAddress(running.uri, running.username, running.password, browser_url=running.browser_url)


class DemoServer:
    """Two memories with the same content: one for a plain delete, one for repair events."""

    def __init__(self, driver: Driver, database: str | None) -> None:
        self._driver = driver
        self._database = database
        self._db = Transactions(driver, database)

    @contextmanager
    def memory(self, doing: str, space: str = statements.SPACE) -> Iterator[MemoRepair]:
        """Open the memory of a space, with a bar for those who wait."""
        with progress(doing) as report:
            yield MemoRepair(self._driver, space=space, database=self._database, registry=registry, progress=report)

    def forget(self) -> None:
        """Empty both spaces, so that the demo can be played again."""
        self._db.write(statements.forget)

    def plain_delete(self, key: str) -> None:
        """Delete one node of the plain space as a store without provenance does."""
        self._db.write(statements.plain_delete, key)


@contextmanager
def connect(address: DemoAddress) -> Iterator[DemoServer]:
    """Connect to the server."""
    silent = NotificationMinimumSeverity.OFF
    auth = (address.username, address.password)
    with GraphDatabase.driver(address.uri, auth=auth, notifications_min_severity=silent) as driver:
        yield DemoServer(driver, address.database)
