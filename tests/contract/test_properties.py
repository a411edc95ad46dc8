"""Every property of a draft comes out of the graph as it went in, through every way into the graph.

`EXCEPTIONS` names what a way sets otherwise by design, and why; all else is compared with what was given.
Each way is the real statement on the real server, in a transaction that is rolled back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

import pytest

from memorepair_graphdb.model.artifact import Arch, Draft, Kind
from memorepair_graphdb.model.content import content_hash
from memorepair_graphdb.model.names import new_artifact_id
from memorepair_graphdb.store.mapping import draft_map
from memorepair_graphdb.store.queries import query

if TYPE_CHECKING:
    from neo4j import Driver, Transaction

KEY = b"a key for tests"
TEXT = "what it says"

SAMPLES: dict[str, Any] = {
    "key": "the/key",
    "kind": Kind.SKILL,
    "arch": Arch.NEURAL,
    "content": TEXT,
    "blob": b"\x00weights",
    "content_hash": content_hash(TEXT),
    "embedding": (1.0, 0.5, 0.25),
    "operator": "digest@1",
    "recipe": '{"style":"short"}',
    "value": 3.0,
    "cost": 120.0,
    "metadata": '{"n":1}',
    "tool": "weather",
}
"""A value for each property of a draft; a new property needs one here. No draft of Python's has all of them at once."""

PROPERTIES = sorted(set(Draft.model_fields) - {"sources"})


class Otherwise(NamedTuple):
    """What a way makes of a property instead of what it was given."""

    value: Any
    reason: str


_CONTRACT = Otherwise(None, "a contract is a record; what is derived has no tool")
_SOURCE = "a record is a source: no operator made it"
_NOT_MADE = "no operator made the replacement"

EXCEPTIONS: dict[str, dict[str, Otherwise]] = {
    "record": {
        "kind": Otherwise("record", "the statement is for records alone"),
        "arch": Otherwise(None, _SOURCE),
        "blob": Otherwise(None, _SOURCE),
        "operator": Otherwise(None, _SOURCE),
        "recipe": Otherwise(None, _SOURCE),
    },
    "derive": {"tool": _CONTRACT},
    "derive_held": {"tool": _CONTRACT},
    "load": {},
    "correction": {
        "operator": Otherwise(None, _NOT_MADE),
        "recipe": Otherwise(None, _NOT_MADE),
        "blob": Otherwise(None, "a replacement is a text"),
        "embedding": Otherwise(None, "the barrier waits for no embedder: artifact/set_embedding gives it"),
        "tool": Otherwise(None, "what has a tool is migrated, not corrected"),
        "metadata": Otherwise(None, "what was said of a corrected text goes, unless the correction brings it"),
    },
    "migration": {
        "operator": Otherwise(None, _NOT_MADE),
        "recipe": Otherwise(None, _NOT_MADE),
        "blob": Otherwise(None, "a contract is a text"),
        "embedding": Otherwise(None, "the barrier waits for no embedder: artifact/set_embedding gives it"),
    },
    "successor": {"tool": _CONTRACT},
}
"""Way into the graph → property → what it becomes, and why."""


class Space:
    """A space inside a transaction of which nothing stays."""

    def __init__(self, tx: Transaction, space: str) -> None:
        self.tx, self.space = tx, space

    def done(self, name: str, **params: Any) -> Any:
        """The row of a statement that did what it was asked."""
        row = query(name).one(self.tx, space=self.space, **params)
        assert row["status"] == "done", (name, row["detail"])
        return row

    def source(self, key: str) -> str:
        """The id of a record in service."""
        given = {"id": None, "key": key, "content": key, "content_hash": content_hash(key)}
        return str(self.done("artifact/record", draft=given)["id"])

    def withdraw(self, event_id: str, root: str, type_: str = "delete", *replacements: dict[str, Any]) -> None:
        about = {"delta": "{}", "reason": "", "actor": ""}
        new = [{"root": root, **one} for one in replacements]
        self.done("barrier/withdraw", event_id=event_id, type=type_, roots=[root], replacements=new, **about)


def given(**other: Any) -> dict[str, Any]:
    """The parameter `draft` with every property."""
    draft = Draft.model_construct(**{**SAMPLES, **other})
    return draft_map(draft, new_artifact_id(), KEY)


def _sources(*ids: str) -> list[dict[str, Any]]:
    return [{"ref": id_, "role": "r", "required": True} for id_ in ids]


def record(space: Space) -> str:
    return str(space.done("artifact/record", draft=given())["id"])


def derive(space: Space) -> str:
    return str(space.done("artifact/derive", draft=given(), sources=_sources(space.source("s")))["id"])


def derive_held(space: Space) -> str:
    gone = space.source("s")
    space.withdraw("event", "s", "correct", {"content": "new", "content_hash": content_hash("new")})
    return str(space.done("artifact/derive_held", draft=given(), sources=_sources(gone))["id"])


def load(space: Space) -> str:
    draft = given()
    assert space.done("artifact/load", lines=[{**draft, "sources": []}])["created"] == 1
    return str(draft["id"])


def _replaced(space: Space, type_: str, **other: Any) -> str:
    """Load a root that has other text than the sample, and replace it with the sample's."""
    root = given(content="old", content_hash=content_hash("old"), **other)
    space.done("artifact/load", lines=[{**root, "sources": []}])
    draft = given(**other)
    brought = {name: draft[name] for name in ("id", "content", "content_hash", "tombstone")}
    space.withdraw("event", root["key"], type_, brought)
    return str(draft["id"])


def correction(space: Space) -> str:
    return _replaced(space, "correct", tool=None)


def migration(space: Space) -> str:
    return _replaced(space, "migrate")


def successor(space: Space) -> str:
    """Rebuild a version of which the operator makes anew what an operator makes."""
    stays, goes = space.source("stays"), space.source("goes")
    made = {"content": "old", "content_hash": content_hash("old"), "blob": b"old", "embedding": (0.5, 1.0, 1.0)}
    old = given(**made, metadata='{"old":1}')
    space.done("artifact/derive", draft=old, sources=_sources(stays, goes))
    space.withdraw("event", "goes")
    claimed = {"event_id": "event", "attempt": 1}
    space.done("repair/claim", event_id="event", owner="w", dead_owner="", lease_seconds=60)
    plan = {"ids": old["id"], "modes": "param", "operators": "digest@1", "values": 1.0, "costs": 1.0, "levels": 0}
    plan |= {"outcomes": "pending", "executable": True, "selected": True}
    plan |= {"reasons": "", "predecessors": [], "supports": []}
    space.done("repair/plan_columns", **claimed, **{name: [value] for name, value in plan.items()})
    about = {"arrivals": 0, "plan_id": "p", "tradeoff": "0.3", "budget": None, "value_mean": 1.0, "cost_mean": 1.0}
    space.done("repair/plan_done", **claimed, **about, factor_operators=[], factors=[])
    draft = given()
    new = {name: draft[name] for name in ("id", "content", "content_hash", "blob", "embedding", "metadata")}
    supports = [{"id": stays, "role": "r", "required": True}]
    row = {**new, "old": old["id"], "checks": "[]", "spent": 1.0, "supports": supports}
    space.done("publish/stage", **claimed, rows=[row])
    reference = {"id": new["id"], "old": old["id"], "content_hash": new["content_hash"], "supports": 1}
    space.done("publish/publish", **claimed, rows=[reference])
    return str(new["id"])


WAYS: dict[str, Callable[[Space], str]] = {
    way.__name__: way for way in (record, derive, derive_held, load, correction, migration, successor)
}
"""Ways into the graph; each lays the samples down and returns the id of what it made."""


@pytest.fixture(scope="module", params=sorted(WAYS))
def stored(driver: Driver, request: pytest.FixtureRequest) -> Iterator[tuple[str, dict[str, Any]]]:
    """Give the name of a way, and the properties of the node that it made."""
    name = f"properties_{uuid4().hex[:12]}"
    with driver.session() as session, session.begin_transaction() as tx:
        query("schema/gates").one(tx, space=name, tombstone_key=KEY.decode())
        id_ = WAYS[request.param](Space(tx, name))
        found = tx.run("MATCH (a:Artifact {id: $id}) RETURN properties(a) AS properties, labels(a) AS labels", id=id_)
        row = found.single(strict=True)
        assert set(row["labels"]) == {"Artifact", "Withdrawn" if request.param == "derive_held" else "Visible"}
        yield request.param, row["properties"]
        tx.rollback()


@pytest.mark.parametrize("name", PROPERTIES)
def test_a_property_comes_out_as_it_went_in(stored: tuple[str, dict[str, Any]], name: str) -> None:
    way, properties = stored
    changed = EXCEPTIONS[way].get(name)
    expected = given()[name] if changed is None else changed.value
    assert properties.get(name) == expected, changed.reason if changed else way


def test_a_way_that_sets_a_property_otherwise_is_named() -> None:
    """Every way is in the table; what is named there is a property, and is really set otherwise."""
    assert set(EXCEPTIONS) == set(WAYS)
    for way, changed in EXCEPTIONS.items():
        assert set(changed) <= set(PROPERTIES), way
        assert [name for name, exception in changed.items() if exception.value == given()[name]] == [], way


def test_every_property_has_a_sample_that_can_be_told_from_nothing() -> None:
    assert set(SAMPLES) == set(PROPERTIES)
    assert [name for name, value in SAMPLES.items() if value is None] == []
