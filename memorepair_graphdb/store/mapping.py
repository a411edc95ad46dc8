"""Turns nodes of the graph into frozen values, and drafts into the parameters of statements."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from ..model.artifact import Arch, Artifact, Draft, Kind, Source, State
from ..model.tombstone import tombstone_fields
from .nodes import ArtifactNode

if TYPE_CHECKING:
    from neo4j.graph import Node


def artifact_of(node: Node) -> Artifact:
    """Return one version of an artifact from its node."""
    stored = ArtifactNode.inflate(node)
    labels = set(node.labels)
    return Artifact(
        id=stored.uid,
        key=stored.key,
        space=stored.space,
        version=stored.version,
        kind=Kind(stored.kind),
        arch=Arch(stored.arch) if stored.arch else None,
        state=next(state for state in State if state.value in labels),
        content=stored.content,
        blob=stored.blob,
        content_hash=stored.content_hash,
        embedding=tuple(stored.embedding) if stored.embedding else None,
        operator=stored.operator,
        recipe=parse_json(stored.recipe),
        value=stored.value,
        cost=stored.cost,
        created_at=stored.created_at,
        published_at=stored.published_at,
        metadata=parse_json(stored.metadata),
        tool=stored.tool,
        held_by=stored.held_by or 0,
    )


def parse_json(text: str | None) -> Any:
    """Return stored JSON, parsed; text that is no JSON (written by hand in Cypher) as it is; None for None."""
    if text is None:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text


def draft_map(draft: Draft, id_: str, tombstone_key: bytes) -> dict[str, Any]:
    """Return the `draft` parameter of record, derive and load: every field of the draft but its sources."""
    properties = {name: _as_property(value) for name, value in draft if name != "sources"}
    return {**properties, "id": id_, **tombstone_fields(draft.content, draft.content_hash, tombstone_key)}


def _as_property(value: Any) -> Any:
    """Return a field's value as the driver takes it: a plain text for an enumeration's, a list for a tuple."""
    if isinstance(value, StrEnum):
        return str(value)
    return list(value) if isinstance(value, tuple) else value


def source_map(source: Source) -> dict[str, Any]:
    """Return one member of the `sources` parameter."""
    return {"ref": source.ref, "role": source.role, "required": source.required}
