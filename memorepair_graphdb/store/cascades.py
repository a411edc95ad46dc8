"""Reads what an event affects, or would affect, as columns, and says how each source stands.

The cascade before the barrier (for a preview) equals the one behind it: a plan's id is compared over both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import BadInput, NotFound
from ..model.artifact import Kind
from ..model.cascade import Cascade
from ..model.vocabulary import EventType, Standing
from .cascade_columns import Version, descendants_of, influences_of
from .errors import require_event
from .keys import select_roots
from .mapping import json_fault, parse_json
from .queries import query
from .succession import succeeded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neo4j import Record

    from ..model.event import RepairEvent
    from .transactions import Tx

_OF_EVENT = query("cascade/of_event")
_OF_ROOTS = query("cascade/of_roots")
_SIZES = query("cascade/sizes")


@dataclass(frozen=True, slots=True)
class Held:
    """A cascade as it was read, and what a plan of it must know to be written."""

    cascade: Cascade
    replaced: frozenset[str]
    """ids of the roots that have a replacement"""
    seq: int
    arrivals: int
    """how many derivations were added to the event since it was opened"""
    delta: str
    """Δ as canonical JSON; empty once erased"""
    event: dict[str, Any]
    """the event as a plan shows it: id, type, roots (keys), reason, actor"""


def of_event(tx: Tx, space: str, event_id: str) -> Held:
    """Read what an event holds behind its barrier; raises `NotFound`."""
    row = require_event(_OF_EVENT.first(tx, space=space, event_id=event_id), space, event_id)
    replaced = frozenset(root for root, new in zip(row["roots"], row["replaced"], strict=True) if new)
    held, inherited = set(row["ids"]), succeeded(tx, space, row)

    def standing(source: Version, live: Version | None) -> tuple[str, Standing]:
        if source.state == "Visible":
            return source.id, Standing.RETAINED
        if source.state == "Withdrawn":
            return source.id, Standing.ELSEWHERE
        if live is None:
            return source.id, Standing.REPLACED if source.id in inherited else Standing.DELETED
        if live.state == "Visible":
            return source.id, Standing.REPLACED
        return live.id, Standing.AFFECTED if live.id in held else Standing.ELSEWHERE

    cascade = Cascade.arranged(
        event_id,
        EventType(row["type"]),
        list(zip(row["root_keys"], row["roots"], strict=True)),
        descendants_of(row),
        influences_of(tx, space, row, standing),
        row["value_mean"],
        row["cost_mean"],
    )
    description = _describe_event(event_id, row["type"], row["root_keys"], row["reason"], row["actor"])
    return Held(cascade, replaced, row["seq"], row["arrivals"] or 0, row["delta"], description)


def of_roots(tx: Tx, space: str, event: RepairEvent) -> Held:
    """Read what the event would hold; nothing is written. Raises `NotFound` or `BadInput`, as the barrier would."""
    refs = list(event.roots) if event.criteria is None else select_roots(tx, space, event.criteria)
    row = _OF_ROOTS.one(tx, space=space, roots=refs)
    if row["missing"]:
        raise NotFound(f"{row['missing'][0]} has no version in service or withdrawn in this space")
    if len(set(row["roots"])) < len(row["roots"]):
        raise BadInput("a root is named twice")
    _check_tools(event, row)
    roots, held = set(row["roots"]), set(row["ids"])
    replaced = frozenset(
        root for root, ref in zip(row["roots"], row["refs"], strict=True) if event.replacements.get(ref) is not None
    )

    contents = {root: event.contract_of(ref) for root, ref in zip(row["roots"], row["refs"], strict=True)}
    inherited = succeeded(tx, space, row, contents)

    def root_standing(root: str) -> Standing:
        return Standing.REPLACED if root in replaced | inherited else Standing.DELETED

    def standing(source: Version, live: Version | None) -> tuple[str, Standing]:
        if source.id in roots:
            return source.id, root_standing(source.id)
        if source.state == "Visible":
            return source.id, Standing.RETAINED
        if source.state == "Withdrawn":
            return source.id, Standing.ELSEWHERE
        if live is None:
            return source.id, Standing.REPLACED if source.id in inherited else Standing.DELETED
        if live.id in roots:
            return source.id, root_standing(live.id)
        if live.id in held:
            return live.id, Standing.AFFECTED
        return (source.id, Standing.REPLACED) if live.state == "Visible" else (live.id, Standing.ELSEWHERE)

    cascade = Cascade.arranged(
        event.id,
        event.type,
        list(zip(row["root_keys"], row["roots"], strict=True)),
        descendants_of(row),
        influences_of(tx, space, row, standing),
    )
    description = _describe_event(event.id, str(event.type), row["root_keys"], event.reason, event.actor)
    return Held(cascade, replaced, 0, 0, event.delta, description)


def _describe_event(event_id: str, type_: str, root_keys: Sequence[str], reason: str, actor: str) -> dict[str, Any]:
    return {"id": event_id, "type": type_, "roots": sorted(root_keys), "reason": reason, "actor": actor}


def _check_tools(event: RepairEvent, row: Record) -> None:
    contracts = event.type.meaning.contract_roots
    for key, tool, ref in zip(row["root_keys"], row["root_tools"], row["refs"], strict=True):
        if contracts is True and tool and (name := event.tool_of(ref)) not in (None, tool):
            raise BadInput(
                f"{key} is the contract of tool {tool}, and the new one calls itself {name}: retire it, and record "
                f'the new one with "x-replaces": "{tool}"'
            )
        if contracts is False and tool:
            raise BadInput(f"{key} is a tool contract: migrate it")
        if contracts is True and not tool:
            raise BadInput(f"{key} is no tool contract: correct it")


class Size(NamedTuple):
    """What planning may know of an artifact before it asks an operator; one for each of a cascade, so a tuple."""

    kind: Kind
    characters: int
    """of its content"""
    recipe: Any
    """parsed; the text itself where it is no JSON"""
    blob: bool
    """whether it has one"""
    recipe_text: str
    metadata_text: str
    """as they are stored; empty where there is none"""

    @property
    def fault(self) -> str:
        """What of the recipe and the metadata is no JSON; empty where both are."""
        return json_fault("recipe", self.recipe_text or None) or json_fault("metadata", self.metadata_text or None)


def sizes(tx: Tx, space: str, ids: Sequence[str]) -> dict[str, Size]:
    """Read sizes by id."""
    row = _SIZES.one(tx, space=space, ids=list(ids))
    columns = (row[column] for column in ("ids", "kinds", "sizes", "recipes", "metadata", "blobs"))
    return {
        id_: Size(Kind(kind), size, parse_json(recipe or None), blob, recipe, metadata)
        for id_, kind, size, recipe, metadata, blob in zip(*columns, strict=True)
    }
