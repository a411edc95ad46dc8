"""Graph nodes and columns to frozen values, and back.

The law of the room: the only place that knows how a value is laid down in a property.
"""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from ..model.artifact import Arch, Artifact, Draft, Kind, Source, State
from ..model.content import keyed_hash
from .nodes import ArtifactNode

if TYPE_CHECKING:
    from neo4j.graph import Node


def artifact_of(node: Node) -> Artifact:
    """One version of an artifact from its node."""
    seen = ArtifactNode.inflate(node)
    labels = set(node.labels)
    return Artifact(
        id=seen.uid,
        key=seen.key,
        space=seen.space,
        version=seen.version,
        kind=Kind(seen.kind),
        arch=Arch(seen.arch) if seen.arch else None,
        state=next(state for state in State if state.value in labels),
        content=seen.content,
        blob=seen.blob,
        content_hash=seen.content_hash,
        embedding=tuple(seen.embedding) if seen.embedding else None,
        operator=seen.operator,
        recipe=parsed(seen.recipe),
        value=seen.value,
        cost=seen.cost,
        created_at=seen.created_at,
        published_at=seen.published_at,
        metadata=parsed(seen.metadata),
        tool=seen.tool,
        held_by=seen.held_by or 0,
    )


def parsed(text: str | None) -> Any:
    """Stored JSON, parsed; text that is no JSON (written by hand in Cypher) as it is."""
    if text is None:
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text


def draft_map(draft: Draft, id_: str, tombstone_key: bytes) -> dict[str, Any]:
    """The `draft` parameter of record, derive and load: every field of the draft but its sources."""
    properties = {name: _as_property(value) for name, value in draft if name != "sources"}
    return {**properties, "id": id_, "tombstone": keyed_hash(tombstone_key, draft.content_hash)}


def _as_property(value: Any) -> Any:
    """A field's value as the driver takes it: a plain text for an enumeration's, a list for a tuple."""
    if isinstance(value, StrEnum):
        return str(value)
    return list(value) if isinstance(value, tuple) else value


def source_map(source: Source) -> dict[str, Any]:
    """One member of the `sources` parameter."""
    return {"ref": source.ref, "role": source.role, "required": source.required}
