"""The node classes have the shape that is in the graph: labels, properties, relationships, rules; and can be asked.

The live schema and the seeded space are compared with the classes, both ways where it can be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from neomodel import StructuredNode, db

from memorepair_graphdb.model.artifact import Artifact, State
from memorepair_graphdb.store import nodes
from memorepair_graphdb.store.mapping import artifact_of
from memorepair_graphdb.store.queries import library, query
from memorepair_graphdb.store.transactions import Transactions
from tests.contract.cases import params_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.contract.seed import Seed
    from tests.harness.server import Server

CLASSES: dict[str, type[StructuredNode]] = {
    "Artifact": nodes.ArtifactNode,
    "RepairEvent": nodes.RepairEventNode,
    "Gate": nodes.GateNode,
    "MemoRepairSchema": nodes.SchemaNode,
}
STATES = {state.value for state in State}
RELATIONS: dict[str, type[Any] | None] = {
    "INFLUENCES": nodes.InfluenceEdge,
    "INFLUENCED": nodes.InfluenceEdge,
    "SEMANTIC": nodes.Nearness,
    "AFFECTS": nodes.Effect,
    "SUPERSEDES": None,
    "ROOT": nodes.Root,
}

_NODES = "MATCH (n) WHERE n.space = $space OR n:MemoRepairSchema RETURN labels(n) AS labels, keys(n) AS keys"
_EDGES = (
    "MATCH (a)-[r]->(b) WHERE a.space = $space RETURN type(r) AS type, keys(r) AS keys, labels(a) AS a, labels(b) AS b"
)


def stored_names(defined: type[Any]) -> set[str]:
    """The property names of a class as they are in the database."""
    properties = defined.defined_properties(aliases=False, rels=False)
    return {made.get_db_property_name(name) for name, made in properties.items()}


def label_of(labels: list[str]) -> str:
    (found,) = set(labels) - STATES
    return found


def test_every_property_and_label_in_the_graph_is_one_of_a_class(seed: Seed) -> None:
    seen: dict[str, set[str]] = {}
    for row in seed.driver.execute_query(_NODES, space=seed.space).records:
        seen.setdefault(label_of(row["labels"]), set()).update(row["keys"])
        states = set(row["labels"]) & STATES
        assert len(states) == ("Artifact" in row["labels"])
    assert seen.keys() == CLASSES.keys()
    assert {label: keys - stored_names(CLASSES[label]) for label, keys in seen.items()} == {
        label: set() for label in seen
    }


def test_every_relationship_in_the_graph_is_one_of_a_class(seed: Seed) -> None:
    seen: dict[str, set[str]] = {}
    ends: dict[str, tuple[str, str]] = {}
    for row in seed.driver.execute_query(_EDGES, space=seed.space).records:
        seen.setdefault(row["type"], set()).update(row["keys"])
        ends[row["type"]] = (label_of(row["a"]), label_of(row["b"]))
    assert seen.keys() == RELATIONS.keys()
    for name, keys in seen.items():
        model = RELATIONS[name]
        assert keys <= (stored_names(model) if model else set()), name
    for cls in CLASSES.values():
        for relation in cls.defined_properties(aliases=False, properties=False).values():
            start, end = ends[relation.definition["relation_type"]]
            here, there = cls.__label__, relation._raw_class.removesuffix("Node")
            outwards = relation.definition["direction"].name == "OUTGOING"
            assert (start, end) == ((here, there) if outwards else (there, here))


def test_every_property_of_a_class_can_be_in_the_graph(seed: Seed) -> None:
    """What no statement ever writes has no place in a class."""
    written = "\n".join(made.text for made in library().values())
    classes: tuple[type[Any], ...] = (*CLASSES.values(), nodes.InfluenceEdge, nodes.Nearness, nodes.Effect, nodes.Root)
    for cls in classes:
        for name in stored_names(cls):
            assert f"{name}:" in written or f".{name} =" in written, (cls.__name__, name)


def test_the_rules_of_the_live_schema_are_about_what_the_classes_have(seed: Seed) -> None:
    rules = Transactions(seed.driver).read(query("schema/indexes").run)
    ours = {rule["name"] for rule in rules}
    for rule in rules:
        (label,) = rule["labels"]
        cls = nodes.ArtifactNode if label in STATES else CLASSES[label]
        assert set(rule["properties"]) <= stored_names(cls), rule["name"]
        assert rule["state"] == "ONLINE"
    declared = {name.removeprefix("schema/") for name, made in library().items() if made.access == "schema"}
    wanted = {f"memorepair_{name}" for name in declared - {"version_node", "drop_visible_text"}}
    wanted |= {"memorepair_schema"}
    assert ours - {"memorepair_bench_embedding"} == wanted


def test_what_a_class_calls_unique_is_a_constraint(seed: Seed) -> None:
    rules = Transactions(seed.driver).read(query("schema/indexes").run)
    single = {
        (rule["labels"][0], rule["properties"][0])
        for rule in rules
        if rule["constraint"] and len(rule["properties"]) == 1
    }
    claimed = {
        (label, made.get_db_property_name(name))
        for label, cls in CLASSES.items()
        for name, made in cls.defined_properties(aliases=False, rels=False).items()
        if made.unique_index
    }
    assert claimed == single


def test_fields_of_an_artifact_are_properties_of_its_node() -> None:
    derived = {"state", "faults"}
    assert set(Artifact.model_fields) - derived <= stored_names(nodes.ArtifactNode)


@pytest.mark.parametrize("name", sorted(n for n, made in library().items() if "NODE" in made.returns.values()))
def test_what_is_read_as_a_node_becomes_an_object(seed: Seed, name: str) -> None:
    made = library()[name]
    if name.startswith("bench/"):
        return
    rows = Transactions(seed.driver).read(made.run, **params_of(name, seed, frozenset(made.params)))
    assert rows
    for row in rows:
        if "artifact" in made.returns:
            artifact = artifact_of(row["artifact"])
            stored = dict(row["artifact"])
            assert (artifact.id, artifact.key, artifact.content) == (stored["id"], stored["key"], stored.get("content"))
            assert artifact.created_at == stored["created_at"].to_native()
        if row.get("event") is not None:
            event = nodes.RepairEventNode.inflate(row["event"])
            assert (event.uid, event.space) == (row["event"]["id"], seed.space)


@pytest.fixture
def connected(server: Server) -> Iterator[None]:
    """Give neomodel a connection of its own, as a user would."""
    address = server.uri.split("://")[1]
    db.set_connection(f"bolt://{server.username}:{server.password}@{address}")
    yield
    db.close_connection()


def test_the_classes_can_be_asked_with_a_connection_of_neomodels_own(seed: Seed, connected: None) -> None:
    newest = seed.memory.get("summary/1")
    assert newest is not None
    found: dict[str, Any] = {
        node.uid: node for node in nodes.ArtifactNode.nodes.filter(space=seed.space, key="summary/1")
    }
    assert set(found) == {version.id for version in seed.memory.versions("summary/1")}
    node = found[newest.id]
    assert sorted(source.key for source in node.influenced_by.all()) == ["cache/1", "fact/2"]
    assert [older.version for older in node.supersedes.all()] == [1]
    event: Any
    (event,) = nodes.RepairEventNode.nodes.filter(space=seed.space, uid="event/closed")
    assert {touched.key for touched in event.affects.all()} == {"fact/1", "cache/1", "summary/1", "skill/1"}
    assert event.affects.relationship(found[node.supersedes.all()[0].uid]).outcome == "published"


def test_a_state_can_be_asked_for_by_its_label(seed: Seed, connected: None) -> None:
    labels = nodes.ArtifactNode.nodes.get(space=seed.space, uid=seed.id_of("summary/waiting")).labels()
    assert set(labels) == {"Artifact", "Withdrawn"}
