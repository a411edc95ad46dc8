"""Sets up constraints, indexes and gates, and says whether a server suits the project.

Every statement is idempotent, also from several processes at once; tests/races/test_setup_against_setup.py holds it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..errors import BadInput, NotFound, Unsuited
from .queries import library, query

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .transactions import Tx

SCHEMA_VERSION = 2
"""1: contents were searched as they were spelt. 2: by `search_text`, one form for all spellings."""
OLDEST = (2026, 9)
"""The oldest server the project was run on: SEARCH with a filter inside a vector index, on Community."""

_SOME = 5_000
"""the most artifacts that are listed at once"""

EMBEDDING_INDEX = "memorepair_visible_embedding"

_VECTOR = query("schema/visible_embedding")
_UNSEARCHABLE = query("schema/unsearchable")
_MAKE_SEARCHABLE = query("schema/make_searchable")
_DROP_VISIBLE_TEXT = query("schema/drop_visible_text")
_SET_VERSION = query("schema/set_version")
_GET_VERSION = query("schema/get_version")
_GATES = query("schema/gates")
_TOMBSTONE_KEY = query("schema/tombstone_key")
_SERVER = query("schema/server")
_INDEXES = query("schema/indexes")
_AWAIT = query("schema/await_indexes")

PLAIN_SCHEMA = tuple(
    q for q in library().values() if q.access == "schema" and not q.params and q is not _DROP_VISIBLE_TEXT
)
"""Statements that declare one rule each: a schema change cannot share a transaction with data."""


def declare(tx: Tx, statement_name: str) -> None:
    """Run one schema statement; it changes nothing where it was run before."""
    query(statement_name).run(tx)


def declare_embedding(tx: Tx, dimensions: int) -> None:
    """Declare the vector index for embeddings of that length."""
    _VECTOR.run(tx, dimensions=dimensions)


def embedding_dimensions(tx: Tx) -> int | None:
    """Return the length that the database's vector index takes; None while there is no index."""
    for row in _INDEXES.run(tx):
        if row["name"] == EMBEDDING_INDEX:
            return int(row["options"]["indexConfig"]["vector.dimensions"])
    return None


def unsearchable(tx: Tx) -> tuple[tuple[str, int], ...]:
    """Return some artifacts in service, of any space, that lack `search_text`: node, and characters of content."""
    row = _UNSEARCHABLE.one(tx, most=_SOME)
    return tuple(zip(row["nodes"], row["sizes"], strict=True))


def make_searchable(tx: Tx, nodes: Sequence[str]) -> int:
    """Give nodes the property `search_text`; returns how many still lacked it and are in service."""
    return int(_MAKE_SEARCHABLE.one(tx, nodes=list(nodes))["written"])


def drop_replaced(tx: Tx) -> None:
    """Drop the index of an older schema version, where it is still there."""
    _DROP_VISIBLE_TEXT.run(tx)


def check_dimensions(tx: Tx, dimensions: int) -> bool:
    """Return whether the vector index is there; raises `BadInput` when it takes another length."""
    declared = embedding_dimensions(tx)
    if declared is not None and declared != dimensions:
        raise BadInput(
            f"an embedding has {dimensions} numbers, and this database's vector index takes {declared}: "
            "one length a database; drop memorepair_visible_embedding and embed anew to change it"
        )
    return declared is not None


def check_version(tx: Tx) -> None:
    """Raise `Unsuited` when the database has a newer schema than this program knows."""
    row = _GET_VERSION.first(tx)
    if row is not None:
        _require_known_version(row["version"])


def note_version(tx: Tx) -> None:
    """Note the schema version of this program; raises `Unsuited` when the database has a newer one."""
    _require_known_version(_SET_VERSION.one(tx, version=SCHEMA_VERSION)["version"])


def is_declared(tx: Tx) -> bool:
    """Return whether the database has noted the schema version of this program, and so all that belongs to it."""
    row = _GET_VERSION.first(tx)
    return row is not None and row["version"] == SCHEMA_VERSION


def _require_known_version(version: int) -> None:
    if version > SCHEMA_VERSION:
        raise Unsuited(
            f"the database has schema version {version}, and this program knows {SCHEMA_VERSION}: "
            "upgrade memorepair-graphdb"
        )


def open_space(tx: Tx, space: str, fresh_key: str) -> str:
    """Make the stripes of a space; returns the key that its tombstones are hashed with."""
    return str(_GATES.one(tx, space=space, tombstone_key=fresh_key)["tombstone_key"])


def tombstone_key(tx: Tx, space: str) -> bytes:
    """Return the key of a space that was set up; raises `NotFound` with the way out when it was not."""
    check_version(tx)
    row = _TOMBSTONE_KEY.first(tx, space=space)
    if row is None:
        raise NotFound(f"space {space} is not set up: run `memorepair setup`, or call setup()")
    return str(row["tombstone_key"]).encode("utf-8")


def check_server(tx: Tx) -> str:
    """Return name, version and edition of the server; raises `Unsuited` when it is too old."""
    for row in _SERVER.run(tx):
        if row["name"] == "Neo4j Kernel":
            return suited(row["versions"][0], row["edition"])
    raise Unsuited("the server does not say that it is Neo4j")


def suited(version: str, edition: str) -> str:
    """Return the name of a server that suits, with version and edition; raises `Unsuited` for one that is too old."""
    match = re.match(r"(\d+)\.(\d+)", version)
    release = (int(match[1]), int(match[2])) if match else (0, 0)
    if release < OLDEST:
        oldest = ".".join(f"{part:02}" for part in OLDEST)
        raise Unsuited(
            f"the server is Neo4j {version} ({edition}); needed is {oldest} or newer, whose vector index can filter "
            "by space: `memorepair db start` brings one, docker-compose.yml names the image"
        )
    return f"Neo4j {version} ({edition})"


def await_indexes(tx: Tx, seconds: int = 300) -> None:
    """Wait until every index of the database is populated."""
    _AWAIT.run(tx, seconds=seconds)
