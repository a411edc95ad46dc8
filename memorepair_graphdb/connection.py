"""Who speaks to which server about which space, and with what; what the public class stands on.

The law of the room: opens and closes, declares the schema, and knows nothing of repair.
"""

from __future__ import annotations

import secrets
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from neo4j import Driver, GraphDatabase, NotificationMinimumSeverity
from neo4j.exceptions import ConfigurationError

from . import config
from .environment import LEASE_SECONDS, Embedder, Environment, Progress, silent
from .errors import BadInput
from .model.arguments import require_dimensions
from .operators.protocol.registry import Registry
from .store import schema
from .store.transactions import Transactions

if TYPE_CHECKING:
    from types import TracebackType


class Connection:
    """One space of one server, with the operators, the embedder and the workers that repairs there have."""

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
        if workers < 1 or lease_seconds < 1:
            raise BadInput("workers and lease_seconds are at least 1")
        self.space = config.checked_space(space)
        self.registry = Registry.default() if registry is None else registry
        self._driver = driver
        self._owns_driver = False
        self._db = Transactions(driver, database)
        self._embedder = embedder
        self._without_embeddings = without_embeddings
        self._workers = workers
        self._lease_seconds = lease_seconds
        self._progress = progress

    @classmethod
    def connect(cls, uri: str, auth: tuple[str, str] | None = None, **options: Any) -> Self:
        """Connect to a server; options are those of the constructor. Raises `Unreachable`, `Unsuited`."""
        try:
            driver = GraphDatabase.driver(uri, auth=auth, notifications_min_severity=NotificationMinimumSeverity.OFF)
        except (ConfigurationError, ValueError) as error:
            raise BadInput(f"{uri!r} is no address of a Neo4j server (bolt://host:port): {error}") from error
        try:
            made = cls(driver, **options)
            made._owns_driver = True
            made._db.knock()
            made._db.read(schema.check_server)
            made._db.read(schema.check_version)
        except BaseException:
            driver.close()
            raise
        return made

    @classmethod
    def from_env(cls, **options: Any) -> Self:
        """Connect where the environment says (`config.Settings`), else to the local server of `memorepair db start`."""
        found = config.settings()
        uri, auth = found.uri, (found.username, found.password.get_secret_value())
        if uri is None:
            from .localdb.access import access  # here: it needs the extra `local`

            uri, auth = access()
        return cls.connect(uri, auth, **{"space": found.space, "database": found.database, **options})

    @property
    def transactions(self) -> Transactions:
        """Units of work on this database, for what goes below this class: benchmarks, tools of one's own."""
        return self._db

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the driver, if it is ours."""
        if self._owns_driver:
            self._driver.close()

    def setup(self, dimensions: int | None = None) -> str:
        """Declare schema and gates; idempotent. With `dimensions` the vector index too. Returns what server it is."""
        if dimensions is not None:
            require_dimensions(dimensions)
        server = self._db.read(schema.check_server)
        self._db.read(schema.check_version)
        for statement in schema.PLAIN_SCHEMA:
            self._db.write(schema.declare, statement.name)
        self._db.write(schema.note_version)
        self._db.write(schema.open_space, self.space, secrets.token_hex(32))
        if dimensions is not None:
            self._ensure_dimensions(dimensions)
        self._db.read(schema.await_indexes)
        return server

    @cached_property
    def _tombstone_key(self) -> bytes:
        return self._db.read(schema.tombstone_key, self.space)

    @property
    def _env(self) -> Environment:
        return Environment(
            db=self._db,
            space=self.space,
            tombstone_key=self._tombstone_key,
            registry=self.registry,
            embedder=self._embedder,
            without_embeddings=self._without_embeddings,
            workers=self._workers,
            lease_seconds=self._lease_seconds,
            progress=self._progress,
        )

    def _ensure_dimensions(self, dimensions: int) -> None:
        if not self._db.read(schema.check_dimensions, dimensions):
            self._db.write(schema.declare_embedding, dimensions)
            self._db.read(schema.await_indexes)
