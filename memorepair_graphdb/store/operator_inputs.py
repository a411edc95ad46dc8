"""Reads what operators and validators are given.

`texts` gives only what is in service; what was withdrawn comes through `previous` and `retracted`, for those that may
see it. Batches come as columns, which are ten times as fast to read as rows (design, section 12).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .mapping import parse_json
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
_CORRECTIONS = query("repair/corrections")
_REPLACEMENTS = query("repair/replacements")
_ROOT_TEXTS = query("repair/root_texts")
_FREQUENCY = query("repair/frequency")
_FREQUENCY_WITHIN = query("repair/frequency_within")


class Supply(NamedTuple):
    """One source that a successor will rest on: the version that stands for it now; made in bulk, so a tuple."""

    planned: str
    """id as the plan names it"""
    stands: str
    """id of the version in service; empty when there is none any more"""
    role: str | None
    required: Required


class Material(NamedTuple):
    """What the graph holds for the rebuilding of one withdrawn artifact; made in bulk, so a tuple."""

    id: str
    recipe: Any
    metadata: Any
    embedded: bool
    supplies: tuple[Supply, ...]


class Text(NamedTuple):
    """The content of an artifact in service; made in bulk, so a tuple."""

    id: str
    key: str
    kind: str
    content: str
    blob: bytes | None
    metadata: Any
    fault: str = ""
    """why it cannot be read; empty where it can"""


def materials(tx: Tx, space: str, wanted: Sequence[tuple[str, Sequence[str]]]) -> dict[str, Material]:
    """Read recipe, metadata and the versions that stand for the sources of each (withdrawn id, planned source ids)."""
    targets = [{"id": id_, "sources": list(sources)} for id_, sources in wanted]
    row = _MATERIALS.one(tx, space=space, wanted=targets)
    supplies: list[dict[tuple[str, str], Supply]] = [{} for _ in targets]
    columns = ("targets", "planned", "stands", "roles", "required")
    for target, planned, stands, role, required in zip(*(row[c] for c in columns), strict=True):
        stored: Required = None if required == "declared" else required
        supplies[target][(stands or planned, role)] = Supply(planned, stands, role or None, stored)
    return {
        id_: Material(
            id_, parse_json(recipe or None), parse_json(metadata or None), embedded, _sort_supplies(supplies[index])
        )
        for index, (id_, recipe, metadata, embedded) in enumerate(
            zip(row["ids"], row["recipes"], row["metadata"], row["embedded"], strict=True)
        )
    }


def texts(tx: Tx, space: str, ids: Sequence[str]) -> dict[str, Text]:
    """Read contents by id; what is not in service is absent."""
    row = _TEXTS.one(tx, space=space, ids=list(ids))
    columns = (row[column] for column in ("ids", "keys", "kinds", "contents", "blobs", "metadata", "faults"))
    return {
        id_: Text(id_, key, kind, content, _as_blob(blob), parse_json(metadata or None), fault)
        for id_, key, kind, content, blob, metadata, fault in zip(*columns, strict=True)
    }


def previous(tx: Tx, space: str, ids: Sequence[str]) -> dict[str, tuple[str, bytes | None]]:
    """Read the own former content and blob of withdrawn artifacts."""
    row = _PREVIOUS.one(tx, space=space, ids=list(ids))
    columns = (row["ids"], row["contents"], row["blobs"])
    return {id_: (content, _as_blob(blob)) for id_, content, blob in zip(*columns, strict=True)}


def interfaces(tx: Tx, space: str) -> dict[str, tuple[str, str]]:
    """Read κ_e: tool → (artifact id, contract text)."""
    row = _INTERFACES.one(tx, space=space)
    return {tool: (id_, content) for tool, id_, content in zip(row["tools"], row["ids"], row["contents"], strict=True)}


def parents(tx: Tx, space: str, ids: Sequence[str]) -> list[tuple[str, str]]:
    """Read the influence edges (source id, target id) into some artifacts, history included."""
    row = _PARENTS.one(tx, space=space, ids=list(ids))
    return list(zip(row["sources"], row["targets"], strict=True))


def retracted(tx: Tx, space: str, ids: Sequence[str]) -> dict[str, str]:
    """Read id → text of those that were deleted or corrected, by whichever event; "" where it is erased."""
    row = _RETRACTED.one(tx, space=space, ids=list(ids))
    return dict(zip(row["ids"], row["texts"], strict=True))


def corrections(tx: Tx, space: str, ids: Sequence[str]) -> dict[str, str]:
    """Read id → the text in service in its place, of those that were corrected and never deleted."""
    row = _CORRECTIONS.one(tx, space=space, ids=list(ids))
    return dict(zip(row["ids"], row["texts"], strict=True))


def unembedded_replacements(tx: Tx, space: str, event_id: str) -> tuple[tuple[str, str, str], ...]:
    """Read (id, content, hash) of replacements in service whose root had an embedding and which have none."""
    rows = _REPLACEMENTS.run(tx, space=space, event_id=event_id)
    return tuple((row["id"], row["content"], row["content_hash"]) for row in rows)


def root_texts(tx: Tx, space: str, event_id: str) -> tuple[str, ...]:
    """Read the texts that an event retracted, as far as they are not erased."""
    return tuple(_ROOT_TEXTS.one(tx, space=space, event_id=event_id)["texts"])


def frequency(tx: Tx, space: str, word: str, most: int) -> int:
    """Count the artifacts in service that hold a word, no further than `most`."""
    return int(_FREQUENCY.one(tx, space=space, word=word, most=most)["frequency"])


def frequency_within(tx: Tx, space: str, stretch: str, most: int) -> int:
    """Count the artifacts in service that hold a stretch of a script without spaces, no further than `most`."""
    return int(_FREQUENCY_WITHIN.one(tx, space=space, stretch=stretch, most=most)["frequency"])


def _as_blob(stored: Any) -> bytes | None:
    """Return the bytes of a blob; None where there is none, or where plain Cypher wrote something else."""
    return bytes(stored) if stored and isinstance(stored, bytes | bytearray) else None


def _sort_supplies(supplies: dict[tuple[str, str], Supply]) -> tuple[Supply, ...]:
    return tuple(supplies[name] for name in sorted(supplies))
