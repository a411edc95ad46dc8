"""Reads what operators and validators are given; texts come from what is in service alone.

The law of the room: batches come as columns; what left service is absent, never served.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .mapping import parsed
from .queries import query

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..model.artifact import Required
    from .transactions import Tx

_MATERIALS = query("repair/materials")
_TEXTS = query("repair/texts")
_PREVIOUS = query("repair/previous")
_INTERFACES = query("repair/interfaces")
_PARENTS = query("repair/parents")
_RETRACTED = query("repair/retracted")
_REPLACEMENTS = query("repair/replacements")
_FREQUENCY = query("repair/frequency")


class Supply(NamedTuple):
    """One source that a successor will rest on: the version that stands for it now."""

    planned: str
    """id as the plan names it"""
    stands: str
    """id of the version in service; empty when there is none any more"""
    role: str | None
    required: Required


class Material(NamedTuple):
    """What the graph holds for the rebuilding of one withdrawn artifact."""

    id: str
    recipe: Any
    metadata: Any
    embedded: bool
    supplies: tuple[Supply, ...]


class Text(NamedTuple):
    """The content of an artifact in service."""

    id: str
    key: str
    kind: str
    content: str
    blob: bytes | None
    metadata: Any


def materials(tx: Tx, space: str, wanted: Sequence[tuple[str, Sequence[str]]]) -> dict[str, Material]:
    """For each (withdrawn id, planned source ids): recipe, metadata and the versions that stand for the sources."""
    asked = [{"id": id_, "sources": list(sources)} for id_, sources in wanted]
    row = _MATERIALS.one(tx, space=space, wanted=asked)
    supplies: list[dict[tuple[str, str], Supply]] = [{} for _ in asked]
    columns = ("targets", "planned", "stands", "roles", "required")
    for target, planned, stands, role, required in zip(*(row[c] for c in columns), strict=True):
        stored: Required = None if required == "declared" else required
        supplies[target][(stands or planned, role)] = Supply(planned, stands, role or None, stored)
    return {
        id_: Material(id_, parsed(recipe or None), parsed(metadata or None), embedded, _ordered(supplies[index]))
        for index, (id_, recipe, metadata, embedded) in enumerate(
            zip(row["ids"], row["recipes"], row["metadata"], row["embedded"], strict=True)
        )
    }


def texts(tx: Tx, space: str, ids: Sequence[str]) -> dict[str, Text]:
    """Contents by id; what is not in service is absent."""
    row = _TEXTS.one(tx, space=space, ids=list(ids))
    columns = (row["ids"], row["keys"], row["kinds"], row["contents"], row["blobs"], row["metadata"])
    return {
        id_: Text(id_, key, kind, content, bytes(blob) if blob else None, parsed(metadata or None))
        for id_, key, kind, content, blob, metadata in zip(*columns, strict=True)
    }


def previous(tx: Tx, space: str, ids: Sequence[str]) -> dict[str, tuple[str, bytes | None]]:
    """The own former content and blob of withdrawn artifacts."""
    row = _PREVIOUS.one(tx, space=space, ids=list(ids))
    columns = (row["ids"], row["contents"], row["blobs"])
    return {id_: (content, bytes(blob) if blob else None) for id_, content, blob in zip(*columns, strict=True)}


def interfaces(tx: Tx, space: str) -> dict[str, tuple[str, str]]:
    """κ_e: tool → (artifact id, contract text)."""
    row = _INTERFACES.one(tx, space=space)
    return {tool: (id_, content) for tool, id_, content in zip(row["tools"], row["ids"], row["contents"], strict=True)}


def parents(tx: Tx, space: str, ids: Sequence[str]) -> list[tuple[str, str]]:
    """The influence edges (source id, target id) into some artifacts, history included."""
    row = _PARENTS.one(tx, space=space, ids=list(ids))
    return list(zip(row["sources"], row["targets"], strict=True))


def retracted(tx: Tx, space: str, ids: Sequence[str]) -> dict[str, str]:
    """Id → text of those that were deleted or corrected, by whichever event; "" where it is erased."""
    row = _RETRACTED.one(tx, space=space, ids=list(ids))
    return dict(zip(row["ids"], row["texts"], strict=True))


def unembedded_replacements(tx: Tx, space: str, event_id: str) -> tuple[tuple[str, str, str], ...]:
    """(id, content, hash) of replacements in service whose root had an embedding and which have none."""
    rows = _REPLACEMENTS.run(tx, space=space, event_id=event_id)
    return tuple((row["id"], row["content"], row["content_hash"]) for row in rows)


def frequency(tx: Tx, space: str, word: str, most: int) -> int:
    """In how many artifacts in service a word stands, counted no further than `most`."""
    return int(_FREQUENCY.one(tx, space=space, word=word, most=most)["frequency"])


def _ordered(found: dict[tuple[str, str], Supply]) -> tuple[Supply, ...]:
    return tuple(found[place] for place in sorted(found))
