"""Holds the connection to one space of one server, with what repairs need there; the public class builds on it.

It opens and closes the driver and declares the schema. It decides nothing about a repair.
"""

from __future__ import annotations

import logging
import secrets
from functools import cached_property
from typing import TYPE_CHECKING, Self

from neo4j import Driver, GraphDatabase, NotificationMinimumSeverity
from neo4j.exceptions import ConfigurationError

from . import config
from .environment import LEASE_SECONDS, Embedder, Environment, Progress, silent
from .errors import BadInput, NotFound
from .model.arguments import require_dimensions
from .operators.protocol.registry import Registry
from .store import schema, upgrade
from .store.plans import BATCH
from .store.transactions import Transactions

if TYPE_CHECKING:
    from types import TracebackType

_log = logging.getLogger(__name__)


class Connection:
    """One space of one server, with the operators, the embedder and the workers that its repairs use."""

    def __init__(
        self,
        driver: Driver,
        *,
        space: str = "default",
        database: str | None = None,
        registry: Registry | None = None,
        embedder: Embedder | None = None,
        without_embeddings: bool = False,
        workers: int = 4,
        lease_seconds: int = LEASE_SECONDS,
        progress: Progress = silent,
    ) -> None:
        """Use a driver that the caller opened, and closes.

        `space`: a tenant's name, 1 to 256 characters without controls, kept in NFC; else `BadInput`.
        `database`: None for the server's own default. `registry`: None for the built-in operators.
        `without_embeddings`: rebuild what had an embedding though there is no embedder. `workers`: how many operators
        run at once. `lease_seconds`: for how long an event stays with a worker that says nothing.
        """
        if workers < 1 or lease_seconds < 1:
            raise BadInput("workers and lease_seconds are at least 1")
        self.space = config.checked_space(space)
        self.registry = Registry.default() if registry is None else registry
        self._driver = driver
        self._owns_driver = False
        self.transactions = Transactions(driver, database)
        """Units of work on this database, for what goes below this class: benchmarks, tools of one's own."""
        self.batch = BATCH
        """At most how many artifacts one transaction of a repair writes."""
        self._embedder = embedder
        self._without_embeddings = without_embeddings
        self._workers = workers
        self._lease_seconds = lease_seconds
        self._progress = progress

    @classmethod
    def connect(
        cls,
        uri: str,
        auth: tuple[str, str] | None = None,
        *,
        space: str = "default",
        database: str | None = None,
        registry: Registry | None = None,
        embedder: Embedder | None = None,
        without_embeddings: bool = False,
        workers: int = 4,
        lease_seconds: int = LEASE_SECONDS,
        progress: Progress = silent,
    ) -> Self:
        """Connect to a server (`auth`: user name and password); raises `Unreachable` or `Unsuited`.

        The other arguments are those of the constructor; `close`, or the end of a `with`, closes the connection.
        """
        try:
            driver = GraphDatabase.driver(uri, auth=auth, notifications_min_severity=NotificationMinimumSeverity.OFF)
        except (ConfigurationError, ValueError) as error:
            raise BadInput(f"{uri!r} is no address of a Neo4j server (bolt://host:port): {error}") from error
        try:
            connection = cls(
                driver,
                space=space,
                database=database,
                registry=registry,
                embedder=embedder,
                without_embeddings=without_embeddings,
                workers=workers,
                lease_seconds=lease_seconds,
                progress=progress,
            )
            connection._owns_driver = True
            connection.transactions.knock()
            connection.transactions.read(schema.check_server)
            connection.transactions.read(schema.check_version)
        except BaseException:
            driver.close()
            raise
        return connection

    @classmethod
    def from_env(
        cls,
        *,
        space: str | None = None,
        database: str | None = None,
        registry: Registry | None = None,
        embedder: Embedder | None = None,
        without_embeddings: bool = False,
        workers: int = 4,
        lease_seconds: int = LEASE_SECONDS,
        progress: Progress = silent,
    ) -> Self:
        """Connect where the environment says (`config.Settings`), else to the local server of `memorepair db start`.

        `space` and `database`: None for what the environment says. The other arguments are those of the constructor.
        """
        settings = config.settings()
        uri, auth = settings.uri, (settings.username, settings.password.get_secret_value())
        if uri is None:
            from .localdb.access import access  # here: it needs the extra `local`

            uri, auth = access()
        return cls.connect(
            uri,
            auth,
            space=settings.space if space is None else space,
            database=settings.database if database is None else database,
            registry=registry,
            embedder=embedder,
            without_embeddings=without_embeddings,
            workers=workers,
            lease_seconds=lease_seconds,
            progress=progress,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the driver, if this object opened it."""
        if self._owns_driver:
            self._driver.close()

    def setup(self, dimensions: int | None = None) -> str:
        """Declare the schema and open the space; idempotent. With `dimensions` declare the vector index too.

        A database of an older schema version is brought to this one, in batches; cut off, the same call goes on.

        `record`, `derive` and `load` do so by themselves in a space that was never set up. Returns name, version and
        edition of the server; raises `Unsuited` where it, or its schema, is not one that this program works with.
        """
        if dimensions is not None:
            require_dimensions(dimensions)
        server = self.transactions.read(schema.check_server)
        self.transactions.read(schema.check_version)
        self._make_searchable()  # before its index is there: until then a search says so, and none finds a part
        for statement in schema.PLAIN_SCHEMA:
            self.transactions.write(schema.declare, statement.name)
        self._make_searchable()  # what a program of an older version wrote meanwhile
        self.transactions.write(schema.drop_replaced)
        self.transactions.write(schema.note_version)
        self.transactions.write(schema.open_space, self.space, secrets.token_hex(32))
        if dimensions is not None:
            self._ensure_dimensions(dimensions)
        self.transactions.read(schema.await_indexes)
        return server

    @cached_property
    def _tombstone_key(self) -> bytes:
        """The key that tombstones of the space are hashed with; raises `NotFound` in a space that was not set up."""
        return self.transactions.read(schema.tombstone_key, self.space)

    def _ensure_space(self) -> bool:
        """Set the space up where nobody has, and return whether that was done.

        It is one read on the first call of a connection, and nothing on later ones.

        The database's schema is declared before its version is noted, so a space of a database that has the version
        needs its gates only: 25 ms instead of 54 for the first `record` there (medians of 40). Two processes may come
        here at once: all statements are idempotent.
        """
        try:
            self._tombstone_key  # noqa: B018 - reading it keeps it
        except NotFound:
            if self.transactions.read(schema.is_declared):
                self.transactions.write(schema.open_space, self.space, secrets.token_hex(32))
            else:
                self.setup()
            _log.info("space %s was not there yet: it is set up now", self.space)
            return True
        return False

    @property
    def _env(self) -> Environment:
        return Environment(
            db=self.transactions,
            space=self.space,
            tombstone_key=self._tombstone_key,
            registry=self.registry,
            embedder=self._embedder,
            without_embeddings=self._without_embeddings,
            workers=self._workers,
            lease_seconds=self._lease_seconds,
            progress=self._progress,
            batch=self.batch,
        )

    def _make_searchable(self) -> None:
        upgrade.make_all_searchable(self.transactions, lambda done, of: self._progress("upgrade", done, of))

    def _ensure_dimensions(self, dimensions: int) -> None:
        if not self.transactions.read(schema.check_dimensions, dimensions):
            self.transactions.write(schema.declare_embedding, dimensions)
            self.transactions.read(schema.await_indexes)
