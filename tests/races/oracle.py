"""Judges a space by itself: reads all of it, and works out in Python what is wrong with it.

It shares no statement and no line with the code under test.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from neo4j import ManagedTransaction

STATES = {"Visible", "Withdrawn", "Staged", "Retired"}

_NODES = """
CALL () {
  MATCH (n:Artifact) WHERE n.space = $space AND n.key IS NOT NULL RETURN n
  UNION MATCH (n:RepairEvent) WHERE n.space = $space AND n.id IS NOT NULL RETURN n
  UNION MATCH (n:Gate) WHERE n.space = $space AND n.stripe IS NOT NULL RETURN n
}
RETURN elementId(n) AS at, labels(n) AS labels, n {.*, embedding: null, blob: null} AS properties,
  COLLECT { MATCH (n)-[r]->(m) RETURN [type(r), elementId(m), properties(r)] } AS out
"""


@dataclass(frozen=True)
class Node:
    """An artifact, an event or a gate."""

    labels: frozenset[str]
    properties: dict[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.properties.get(name)

    @property
    def states(self) -> frozenset[str]:
        return self.labels & STATES

    def __str__(self) -> str:
        return f"{self['key']} v{self['version']} {'/'.join(sorted(self.states)) or 'stateless'} ({self['id']})"


@dataclass(frozen=True)
class World:
    """All of a space: nodes by element id, and edges."""

    nodes: dict[str, Node]
    edges: list[tuple[str, str, str, dict[str, Any]]]

    @property
    def artifacts(self) -> dict[str, Node]:
        return {at: node for at, node in self.nodes.items() if "Artifact" in node.labels}

    @property
    def events(self) -> dict[str, Node]:
        return {at: node for at, node in self.nodes.items() if "RepairEvent" in node.labels}

    def of_key(self, key: str) -> list[Node]:
        return [node for node in self.artifacts.values() if node["key"] == key]

    def in_state(self, state: str) -> list[Node]:
        return [node for node in self.artifacts.values() if state in node.labels]

    def out_of(self, *types: str) -> dict[str, list[str]]:
        found = defaultdict(list)
        for source, type_, target, _ in self.edges:
            if type_ in types:
                found[source].append(target)
        return found

    def reached(self, starts: Iterable[str], *types: str) -> set[str]:
        out = self.out_of(*types)
        seen: set[str] = set()
        todo = [target for start in starts for target in out[start]]
        while todo:
            at = todo.pop()
            if at not in seen:
                seen.add(at)
                todo += out[at]
        return seen


def world(tx: ManagedTransaction, space: str) -> World:
    """Read everything of a space: its nodes, and the edges that leave them."""
    rows = list(tx.run(_NODES, space=space))
    nodes = {row["at"]: Node(frozenset(row["labels"]), row["properties"]) for row in rows}
    edges = [(row["at"], type_, target, about) for row in rows for type_, target, about in row["out"]]
    return World(nodes, edges)


def faults(seen: World) -> list[str]:
    """Everything that is wrong with a space at rest; an empty list is good."""
    return [*_exposures(seen), *_states(seen), *_versions(seen), *_holders(seen), *_history(seen), *_locks(seen)]


def _exposures(seen: World) -> Iterator[str]:
    hidden = [at for at, node in seen.artifacts.items() if "Visible" not in node.labels]
    for at in seen.reached(hidden, "INFLUENCES"):
        if "Visible" in seen.nodes[at].labels:
            yield f"EXPOSED: {seen.nodes[at]} rests on something out of service"


def _states(seen: World) -> Iterator[str]:
    for node in seen.artifacts.values():
        if len(node.states) != 1:
            yield f"not one state: {node}"
        if "Visible" in node.labels and (node["held_by"] != 0 or node["content"] is None):
            yield f"visible, and held by {node['held_by']} or empty: {node}"


def _versions(seen: World) -> Iterator[str]:
    live = Counter(node["key"] for node in seen.artifacts.values() if node.states & {"Visible", "Withdrawn"})
    yield from (f"{count} live versions of {key}" for key, count in live.items() if count > 1)
    numbers = Counter((n["key"], n["version"]) for n in seen.artifacts.values() if n["version"] is not None)
    yield from (f"version {number} of {key} {count} times" for (key, number), count in numbers.items() if count > 1)
    after: Counter[str] = Counter()
    for source, type_, target, _ in seen.edges:
        if type_ == "SUPERSEDES":
            newer, older = seen.nodes[source], seen.nodes[target]
            after[target] += 1
            if newer["key"] != older["key"] or newer["version"] <= older["version"]:
                yield f"{newer} supersedes {older}"
    yield from (f"superseded {count} times: {seen.nodes[at]}" for at, count in after.items() if count > 1)


def _holders(seen: World) -> Iterator[str]:
    events = {event["seq"]: (at, event) for at, event in seen.events.items()}
    affected = seen.out_of("AFFECTS")
    for at, node in seen.artifacts.items():
        if not node.states & {"Withdrawn", "Staged"}:
            continue
        if node["held_by"] not in events:
            yield f"held by no event: {node}"
            continue
        event_at, event = events[node["held_by"]]
        if "Staged" in node.labels:
            if event["status"] == "closed":
                yield f"staged for a closed event: {node}"
        elif at not in affected[event_at] and (
            event["status"] != "withdrawn" or at not in seen.reached([event_at], "ROOT", "INFLUENCES")
        ):
            yield f"not accounted for by {event['id']} ({event['status']}): {node}"


def _history(seen: World) -> Iterator[str]:
    for source, type_, target, properties in seen.edges:
        ends = seen.nodes.get(source), seen.nodes.get(target)
        if type_ in ("INFLUENCES", "INFLUENCED"):
            if ends[0] is None or ends[1] is None:
                yield "an influence edge leaves the space"
            elif (type_ == "INFLUENCED") != ("Retired" in ends[1].labels):
                yield f"{type_} points at {ends[1]}"
        elif type_ == "AFFECTS":
            closed = ends[0] is not None and ends[0]["status"] == "closed"
            if closed and properties.get("outcome") in (None, "pending"):
                yield f"no outcome, and {ends[0]['id'] if ends[0] else ''} is closed: {ends[1]}"


def _locks(seen: World) -> Iterator[str]:
    yield from (f"a lock was left on {node.properties}" for node in seen.nodes.values() if node["lock"] is not None)
    gates = [node for node in seen.nodes.values() if "Gate" in node.labels]
    if sorted(gate["stripe"] for gate in gates) != list(range(16)):
        yield f"{len(gates)} gates, not 16 different ones"
