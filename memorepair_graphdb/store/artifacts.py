"""Puts artifacts into service, and reads them back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model.names import new_artifact_id
from .errors import raise_if_refused
from .mapping import artifact_of, draft_map, source_map
from .queries import query

if TYPE_CHECKING:
    from ..model.artifact import Artifact, Draft, Required
    from .transactions import Tx

_RECORD = query("artifact/record")
_DERIVE = query("artifact/derive")
_DERIVE_HELD = query("artifact/derive_held")
_LINK = query("artifact/link")
_SET_METADATA = query("artifact/set_metadata")
_GET = query("retrieve/get")
_VERSION = query("retrieve/version")
_VERSIONS = query("retrieve/versions")


def record(tx: Tx, space: str, draft: Draft, tombstone_key: bytes) -> Artifact:
    """Put a source into service, or return the live version that equals it."""
    parameter = draft_map(draft, new_artifact_id(), tombstone_key)
    row = raise_if_refused(_RECORD.one(tx, space=space, draft=parameter))
    return _read_back(tx, space, row["id"])


def derive(tx: Tx, space: str, draft: Draft, tombstone_key: bytes) -> Artifact:
    """Put a derived artifact into service; raises `OutOfService` when a source left it meanwhile."""
    parameter = draft_map(draft, new_artifact_id(), tombstone_key)
    sources = [source_map(source) for source in draft.sources]
    row = raise_if_refused(_DERIVE.one(tx, space=space, draft=parameter, sources=sources))
    return _read_back(tx, space, row["id"])


def derive_held(tx: Tx, space: str, draft: Draft, tombstone_key: bytes) -> Artifact:
    """Keep a derivation whose sources left service: withdrawn, held by the latest open event over them."""
    parameter = draft_map(draft, new_artifact_id(), tombstone_key)
    sources = [source_map(source) for source in draft.sources]
    row = raise_if_refused(_DERIVE_HELD.one(tx, space=space, draft=parameter, sources=sources))
    return _read_back(tx, space, row["id"])


def link(tx: Tx, space: str, source: str, target: str, role: str | None, required: Required) -> tuple[str, str]:
    """Add an influence edge between two artifacts (ids or keys); returns their ids."""
    row = raise_if_refused(_LINK.one(tx, space=space, source=source, target=target, role=role, required=required))
    return row["source_id"], row["target_id"]


def set_metadata(tx: Tx, space: str, ref: str, metadata: str | None) -> Artifact:
    """Give an artifact in service (key or id) other metadata (JSON), or none; raises `NotFound`, `OutOfService`."""
    row = raise_if_refused(_SET_METADATA.one(tx, space=space, ref=ref, metadata=metadata))
    return _read_back(tx, space, row["id"])


def get(tx: Tx, space: str, key: str) -> Artifact | None:
    """Return the version of a key that is in service; None when there is none."""
    row = _GET.first(tx, space=space, key=key)
    return None if row is None else artifact_of(row["artifact"])


def version(tx: Tx, space: str, id_: str) -> Artifact | None:
    """Return one version by its id, in whatever state; None when there is none."""
    row = _VERSION.first(tx, space=space, id=id_)
    return None if row is None else artifact_of(row["artifact"])


def versions(tx: Tx, space: str, key: str) -> tuple[Artifact, ...]:
    """Return all versions of a key, newest first, in whatever state."""
    return tuple(artifact_of(row["artifact"]) for row in _VERSIONS.run(tx, space=space, key=key))


def _read_back(tx: Tx, space: str, id_: str) -> Artifact:
    artifact = version(tx, space, id_)
    assert artifact is not None  # noqa: S101 - the statement returned this id in the same transaction
    return artifact
