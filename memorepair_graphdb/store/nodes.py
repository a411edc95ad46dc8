"""Holds node classes over the graph, for reading and exploring it with neomodel; nothing is written through them.

Public: `ArtifactNode.nodes.filter(key="note/weather")` works once neomodel has a connection.
"""

from __future__ import annotations

from typing import Any

from neomodel import (
    ArrayProperty,
    BooleanProperty,
    DateTimeNeo4jFormatProperty,
    FloatProperty,
    IntegerProperty,
    RelationshipFrom,
    RelationshipTo,
    StringProperty,
    StructuredNode,
    StructuredRel,
)
from neomodel.properties import Property


class PlainProperty(Property[Any]):
    """A value that the driver gives and takes as it is: bytes, or one that may be a boolean or a text."""

    def inflate(self, value: Any, obj: object = None) -> Any:
        """Return the value as it is."""
        return value

    def deflate(self, value: Any, obj: object = None) -> Any:
        """Return the value as it is."""
        return value


class InfluenceEdge(StructuredRel):
    """INFLUENCES, and INFLUENCED once its target is history."""

    role = StringProperty()
    required = PlainProperty()


class Nearness(StructuredRel):
    """SEMANTIC."""

    score = FloatProperty()


class Root(StructuredRel):
    """ROOT: what an event is about, and whether the event brought a replacement for it."""

    replaced = BooleanProperty()


class Effect(StructuredRel):
    """AFFECTS: the plan for an affected artifact, and what became of it."""

    mode = StringProperty()
    operator = StringProperty()
    value = FloatProperty()
    cost = FloatProperty()
    executable = BooleanProperty()
    selected = BooleanProperty()
    predecessors = ArrayProperty(StringProperty())
    supports = ArrayProperty(StringProperty())
    level = IntegerProperty()
    validated = StringProperty()
    outcome = StringProperty()
    reason = StringProperty()
    checks = StringProperty()
    spent = FloatProperty()


class ArtifactNode(StructuredNode):
    """`(:Artifact)`; `uid` is the property `id`, a name that neomodel keeps for itself."""

    __label__ = "Artifact"
    __optional_labels__ = ("Visible", "Withdrawn", "Staged", "Retired")

    uid = StringProperty(db_property="id", unique_index=True, required=True)
    key = StringProperty(required=True)
    space = StringProperty(required=True)
    version = IntegerProperty()
    kind = StringProperty(required=True)
    arch = StringProperty()
    content = StringProperty()
    search_text = StringProperty()
    blob = PlainProperty()
    content_hash = StringProperty()
    embedding = ArrayProperty(FloatProperty())
    operator = StringProperty()
    recipe = StringProperty()
    value = FloatProperty()
    cost = FloatProperty()
    created_at = DateTimeNeo4jFormatProperty()
    published_at = DateTimeNeo4jFormatProperty()
    metadata = StringProperty()
    tool = StringProperty()
    held_by = IntegerProperty()
    retired_at = DateTimeNeo4jFormatProperty()
    erased_at = DateTimeNeo4jFormatProperty()
    tombstone = StringProperty()
    forgiven_at = DateTimeNeo4jFormatProperty()
    forgiven_by = StringProperty()
    forgiven_reason = StringProperty()

    influences = RelationshipTo("ArtifactNode", "INFLUENCES", model=InfluenceEdge)
    influenced_by = RelationshipFrom("ArtifactNode", "INFLUENCES", model=InfluenceEdge)
    was_influenced_by = RelationshipFrom("ArtifactNode", "INFLUENCED", model=InfluenceEdge)
    near = RelationshipTo("ArtifactNode", "SEMANTIC", model=Nearness)
    supersedes = RelationshipTo("ArtifactNode", "SUPERSEDES")
    affected_by = RelationshipFrom("RepairEventNode", "AFFECTS", model=Effect)


class RepairEventNode(StructuredNode):
    """`(:RepairEvent)`; `uid` is the property `id`."""

    __label__ = "RepairEvent"

    uid = StringProperty(db_property="id", required=True)
    seq = IntegerProperty()
    space = StringProperty(required=True)
    type = StringProperty()
    status = StringProperty()
    reason = StringProperty()
    actor = StringProperty()
    request = ArrayProperty(StringProperty())
    delta = StringProperty()
    notes = ArrayProperty(StringProperty())
    """what a person should know of it"""
    selection = StringProperty()
    """a keyed hash of what the roots were selected by"""
    arrivals = IntegerProperty()
    plan_id = StringProperty()
    tradeoff = StringProperty()
    budget = StringProperty()
    value_mean = FloatProperty()
    cost_mean = FloatProperty()
    factor_operators = ArrayProperty(StringProperty())
    factors = ArrayProperty(FloatProperty())
    """what the estimates of these operators were multiplied with"""
    learned_operators = ArrayProperty(StringProperty())
    learned_runs = ArrayProperty(IntegerProperty())
    learned_cost = ArrayProperty(FloatProperty())
    learned_spent = ArrayProperty(FloatProperty())
    learned_ratios = ArrayProperty(FloatProperty())
    """of what was published by these operators: how often, what was expected, what was spent, their ratio"""
    attempt = IntegerProperty()
    lease_owner = StringProperty()
    lease_until = IntegerProperty()
    affected = IntegerProperty()
    published = IntegerProperty()
    removed = IntegerProperty()
    unrepaired = IntegerProperty()
    spent = FloatProperty()
    created_at = DateTimeNeo4jFormatProperty()
    planned_at = DateTimeNeo4jFormatProperty()
    closed_at = DateTimeNeo4jFormatProperty()
    erased_at = DateTimeNeo4jFormatProperty()

    roots = RelationshipTo("ArtifactNode", "ROOT", model=Root)
    affects = RelationshipTo("ArtifactNode", "AFFECTS", model=Effect)


class GateNode(StructuredNode):
    """`(:Gate)`: a stripe of a space's lock; stripe 0 keeps the space's counter of events and its tombstones' key."""

    __label__ = "Gate"

    space = StringProperty(required=True)
    stripe = IntegerProperty(required=True)
    seq = IntegerProperty()
    tombstone_key = StringProperty()


class SchemaNode(StructuredNode):
    """`(:MemoRepairSchema)`: which schema version the database has."""

    __label__ = "MemoRepairSchema"

    name = StringProperty(unique_index=True, required=True)
    version = IntegerProperty()
