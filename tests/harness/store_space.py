"""A space to try the store's functions on, and a look at all of it.

What it reads, it reads with statements of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memorepair_graphdb.model.artifact import Arch, Artifact, Draft, Kind, Source
from memorepair_graphdb.model.content import content_hash
from memorepair_graphdb.store import artifacts, barrier, schema
from memorepair_graphdb.store.queries import query
from memorepair_graphdb.store.transactions import Transactions

if TYPE_CHECKING:
    from neo4j import Driver, Record

    from memorepair_graphdb.model.event import RepairEvent
    from memorepair_graphdb.store.barrier import Withdrawal

CONTRACT = {"name": "weather", "description": "new", "inputSchema": {"type": "object"}}

_NODES = """
MATCH (n) WHERE n.space = $space
RETURN elementId(n) AS at, labels(n) AS labels, properties(n) AS properties ORDER BY at
"""
_EDGES = """
MATCH (a)-[r]->(b) WHERE a.space = $space OR b.space = $space
RETURN elementId(r) AS at, type(r) AS type, properties(r) AS properties ORDER BY at
"""
_STATES = """
MATCH (a:Artifact {space: $space, key: $key})
RETURN a.version AS version, [l IN labels(a) WHERE l <> 'Artifact'] AS states ORDER BY version
"""
_PAIRS = """
MATCH (a:Artifact)-[r]->(b:Artifact) WHERE a.space = $space AND type(r) IN $types
RETURN a.key + ' ' + coalesce(a.version, 0) AS source, type(r) AS type, b.key + ' ' + coalesce(b.version, 0) AS target
"""
_LAY = """
MATCH (s:Artifact {id: $source}) WHERE s.space = $space
CREATE (s)-[:INFLUENCES {role: 'r'}]->(a:Artifact:Staged {id: $space + $id, key: $key, space: $space, held_by: 1,
  kind: 'summary', content: 'draft', content_hash: 'x', created_at: datetime()})
RETURN a.id AS id
"""


class Memory:
    """A space, spoken to through the store."""

    def __init__(self, driver: Driver, space: str) -> None:
        self.driver, self.space, self.db = driver, space, Transactions(driver)
        self.key = self.db.write(schema.open_space, space, "a key for tests").encode()

    def record(self, key: str, content: str | None = None, **about: Any) -> Artifact:
        return self.db.write(artifacts.record, self.space, _draft(key, content, Kind.RECORD, **about), self.key)

    def derive(self, key: str, *sources: Artifact | Source, content: str | None = None, **about: Any) -> Artifact:
        named = tuple(Source.of(source) for source in sources)
        about = {"operator": "digest@1", "recipe": '{"style":"short"}', "sources": named, **about}
        return self.db.write(artifacts.derive, self.space, _draft(key, content, Kind.SUMMARY, **about), self.key)

    def withdraw(self, event: RepairEvent) -> Withdrawal:
        return self.db.barrier(barrier.withdraw, self.space, event, self.key)

    def withdraw_alone(self, **given: Any) -> Record:
        """The bare statement in a transaction of its own, as a person sends it: what it refuses is not rolled back."""
        params = {"space": self.space, "replacements": [], "delta": "", "reason": "", "actor": "", "type": "delete"}
        with self.driver.session() as session:
            return session.run(query("barrier/withdraw").text, {**params, **given}).single(strict=True)

    def lay_draft(self, key: str, source: str) -> str:
        """A staged draft of the first event, resting on an artifact (its id); returns the draft's."""
        return str(self.rows(_LAY, id=f" draft of {key}", key=key, source=source)[0]["id"])

    def get(self, key: str) -> Artifact | None:
        return self.db.read(artifacts.get, self.space, key)

    def states(self, key: str) -> dict[int | None, str]:
        """Version → state of every version of a key."""
        return {row["version"]: "/".join(row["states"]) for row in self.rows(_STATES, key=key)}

    def edges(self, *types: str) -> set[tuple[str, str, str]]:
        """(source, type, target), each end as key and version."""
        rows = self.rows(_PAIRS, types=types or ["INFLUENCES", "INFLUENCED", "SUPERSEDES"])
        return {(row["source"], row["type"], row["target"]) for row in rows}

    def dump(self) -> list[Any]:
        """Everything in the space."""
        return [[row.data() for row in self.rows(statement)] for statement in (_NODES, _EDGES)]

    def rows(self, statement: str, **params: Any) -> list[Record]:
        with self.driver.session() as session:
            return list(session.run(statement, space=self.space, **params))


def _draft(key: str, content: str | None, kind: Kind, **about: Any) -> Draft:
    text = f"what {key} says" if content is None else content
    if about.get("arch"):
        kind, about = Kind.SKILL, {**about, "arch": Arch(about["arch"])}
    return Draft(key=key, kind=kind, content=text, content_hash=content_hash(text), **about)


def new_content(root: str, content: str) -> dict[str, Any]:
    """A replacement as the bare statement takes it."""
    hashed = content_hash(content)
    return {"root": root, "id": None, "content": content, "content_hash": hashed, "tombstone": None}
