"""Where the demo plays: its own local server, or the one of NEO4J_URI, and two spaces of its own in it.

The law of the room: it begins from nothing, so that it can be played again.
"""

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


@dataclass(frozen=True)
class Place:
    """A server, and how a person gets in."""

    uri: str
    username: str
    password: str = field(repr=False)
    database: str | None = None
    browser_url: str | None = None
    """None where the server is not ours"""


def find_place(name: str, *, quiet: bool) -> Place:
    """The server of NEO4J_URI, else the local one of that name, started."""
    found = config.settings()
    if found.uri is not None:
        return Place(found.uri, found.username, found.password.get_secret_value(), found.database)
    from ...localdb import LocalServer

    with server_progress(quiet=quiet) as report:
        running = LocalServer(name).start(report, brief=True)
    return Place(running.uri, running.username, running.password, browser_url=running.browser_url)


class DemoServer:
    """Two memories with the same content: one for a plain delete, one for repair events."""

    def __init__(self, driver: Driver, database: str | None) -> None:
        self._driver = driver
        self._database = database
        self._db = Transactions(driver, database)

    @contextmanager
    def memory(self, doing: str, space: str = statements.SPACE) -> Iterator[MemoRepair]:
        """The memory, with a bar for those who wait."""
        with progress(doing) as report:
            yield MemoRepair(self._driver, space=space, database=self._database, registry=registry, progress=report)

    def forget(self) -> None:
        """Begin from nothing."""
        self._db.write(statements.forget)

    def plain_delete(self, key: str) -> None:
        """Delete one node of the plain space as a store without provenance does."""
        self._db.write(statements.plain_delete, key)


@contextmanager
def opened(place: Place) -> Iterator[DemoServer]:
    """The stage at a place, connected."""
    silent = NotificationMinimumSeverity.OFF
    auth = (place.username, place.password)
    with GraphDatabase.driver(place.uri, auth=auth, notifications_min_severity=silent) as driver:
        yield DemoServer(driver, place.database)
