"""Everything that is in a space.

Plain Cypher of its own; nothing of the package is used to judge it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from neo4j import Driver

_OF_SPACE = """
CALL () {
  MATCH (n:Artifact {space: $space}) WHERE n.key IS NOT NULL RETURN n
  UNION ALL
  MATCH (n:RepairEvent {space: $space}) WHERE n.seq IS NOT NULL RETURN n
  UNION ALL
  MATCH (n:Gate {space: $space}) WHERE n.stripe IS NOT NULL RETURN n
}
"""
_NODES = f"""{_OF_SPACE}
RETURN elementId(n) AS at, labels(n) AS labels, properties(n) AS properties ORDER BY at
"""
_EDGES = f"""{_OF_SPACE}
MATCH (n)-[r]-()
WITH DISTINCT r
RETURN elementId(r) AS at, type(r) AS type, elementId(startNode(r)) AS source, elementId(endNode(r)) AS target,
  properties(r) AS properties
ORDER BY at
"""
_ARTIFACTS = """
MATCH (a:Artifact {space: $space}) WHERE a.key IS NOT NULL
RETURN a.id AS id, a.key AS key, a.version AS version, [l IN labels(a) WHERE l <> 'Artifact'] AS states,
  a.content AS content, a.operator AS operator, a.held_by AS held_by, a.embedding IS NOT NULL AS embedded,
  a.tool AS tool
"""
_RELATIONS = """
MATCH (a:Artifact {space: $space})-[r:INFLUENCES|INFLUENCED|SUPERSEDES]->(b:Artifact) WHERE a.key IS NOT NULL
RETURN type(r) AS type, a.key AS source_key, a.version AS source, b.key AS target_key, b.version AS target,
  r.role AS role, r.required AS required
"""
_EFFECTS = """
MATCH (e:RepairEvent {space: $space})-[r:AFFECTS]->(a) WHERE e.seq IS NOT NULL
RETURN e.seq AS seq, a.key AS key, a.version AS version, r.outcome AS outcome, r.mode AS mode, r.selected AS selected,
  r.reason AS reason, r.spent AS spent
"""


def rows(driver: Driver, statement: str, **params: Any) -> list[dict[str, Any]]:
    """All rows of a statement."""
    with driver.session() as session:
        return session.run(statement, **params).data()


def everything(driver: Driver, space: str) -> tuple[Any, ...]:
    """Every node of ours in a space, with its labels and properties, and every relationship at one."""
    nodes = [(n["at"], sorted(n["labels"]), n["properties"]) for n in rows(driver, _NODES, space=space)]
    return nodes, rows(driver, _EDGES, space=space)


def artifacts(driver: Driver, space: str) -> list[dict[str, Any]]:
    """Every version: id, key, version, states, content, operator, held_by, embedded, tool."""
    return rows(driver, _ARTIFACTS, space=space)


def relations(driver: Driver, space: str) -> list[dict[str, Any]]:
    """Every relationship between artifacts, by keys and versions."""
    return rows(driver, _RELATIONS, space=space)


def effects(driver: Driver, space: str) -> list[dict[str, Any]]:
    """Every AFFECTS, by the event's number, key and version."""
    return rows(driver, _EFFECTS, space=space)


def holding(driver: Driver, space: str, text: str) -> list[str]:
    """Where a text stands: in a property of a node of the space, or of a relationship at such a node."""
    found = []
    for node in rows(driver, _NODES, space=space):
        found += [
            f"{sorted(node['labels'])}.{name}" for name, value in node["properties"].items() if text in str(value)
        ]
    for edge in rows(driver, _EDGES, space=space):
        found += [f"[{edge['type']}].{name}" for name, value in edge["properties"].items() if text in str(value)]
    return sorted(found)
