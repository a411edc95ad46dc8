"""Reads what an event affects, or would affect, as columns, and says how each source stands.

The law of the room: the same answer before the barrier (for a preview) and behind it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import BadInput, NotFound
from ..model.artifact import Arch, Kind
from ..model.cascade import Affected, Cascade, Influence
from ..model.event import EventType, RepairEvent
from ..model.outcome import Standing
from .mapping import parsed
from .queries import query
from .refusals import of_an_event

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from neo4j import ManagedTransaction, Record

    from ..model.artifact import Required

_OF_EVENT = query("cascade/of_event")
_OF_ROOTS = query("cascade/of_roots")
_LIVE_VERSIONS = query("cascade/live_versions")
_SIZES = query("cascade/sizes")


class Held(NamedTuple):
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


class _Live(NamedTuple):
    id: str
    state: str
    holder: int


def of_event(tx: ManagedTransaction, space: str, event_id: str) -> Held:
    """What an event holds behind its barrier; raises `NotFound`."""
    row = of_an_event(_OF_EVENT.first(tx, space=space, event_id=event_id), space, event_id)
    replaced = frozenset(root for root, new in zip(row["roots"], row["replaced"], strict=True) if new)
    held = set(row["ids"])
    seq = row["seq"]

    def standing(source: str, state: str, holder: int, live: _Live | None) -> tuple[str, Standing]:
        if state == "Visible":
            return source, Standing.RETAINED
        if state == "Withdrawn":
            ours = holder == seq and source in held
            return source, Standing.AFFECTED if ours else Standing.ELSEWHERE
        if live is None:
            return source, Standing.DELETED
        if live.state == "Visible":
            return source, Standing.REPLACED
        return live.id, Standing.AFFECTED if live.holder == seq and live.id in held else Standing.ELSEWHERE

    cascade = Cascade(
        event_id=event_id,
        type=EventType(row["type"]),
        roots=tuple(row["roots"]),
        affected=_affected(row, zip(row["roots"], row["root_keys"], strict=True)),
        influences=_influences(row, _live(tx, space, row), standing),
        value_mean=row["value_mean"],
        cost_mean=row["cost_mean"],
    )
    shown = _shown(event_id, row["type"], row["root_keys"], row["reason"], row["actor"])
    return Held(cascade, replaced, seq, row["arrivals"] or 0, row["delta"], shown)


def of_roots(tx: ManagedTransaction, space: str, event: RepairEvent) -> Held:
    """What the event would hold; nothing is written. Raises `NotFound` or `BadInput`, as the barrier would."""
    row = _OF_ROOTS.one(tx, space=space, roots=list(event.roots))
    if row["missing"]:
        raise NotFound(f"{row['missing'][0]} has no version in service or withdrawn in this space")
    if len(set(row["roots"])) < len(row["roots"]):
        raise BadInput("a root is named twice")
    _check_tools(event, row)
    roots = set(row["roots"])
    replaced = frozenset(
        root for root, ref in zip(row["roots"], row["refs"], strict=True) if event.replacements.get(ref) is not None
    )
    held = set(row["ids"])

    def root_standing(root: str) -> Standing:
        return Standing.REPLACED if root in replaced else Standing.DELETED

    def standing(source: str, state: str, holder: int, live: _Live | None) -> tuple[str, Standing]:
        if source in roots:
            return source, root_standing(source)
        if source in held:
            return source, Standing.AFFECTED
        if state == "Visible":
            return source, Standing.RETAINED
        if state == "Withdrawn":
            return source, Standing.ELSEWHERE
        if live is None:
            return source, Standing.DELETED
        if live.id in roots:
            return source, root_standing(live.id)
        if live.id in held:
            return live.id, Standing.AFFECTED
        return (source, Standing.REPLACED) if live.state == "Visible" else (live.id, Standing.ELSEWHERE)

    cascade = Cascade(
        event_id=event.id,
        type=event.type,
        roots=tuple(row["roots"]),
        affected=_affected(row, zip(row["roots"], row["root_keys"], strict=True)),
        influences=_influences(row, _live(tx, space, row), standing),
    )
    shown = _shown(event.id, str(event.type), row["root_keys"], event.reason, event.actor)
    return Held(cascade, replaced, 0, 0, event.delta, shown)


def _shown(event_id: str, type_: str, root_keys: Sequence[str], reason: str, actor: str) -> dict[str, Any]:
    return {"id": event_id, "type": type_, "roots": sorted(root_keys), "reason": reason, "actor": actor}


def _check_tools(event: RepairEvent, row: Record) -> None:
    for key, tool in zip(row["root_keys"], row["root_tools"], strict=True):
        if event.type is EventType.CORRECT and tool:
            raise BadInput(f"{key} is a tool contract: migrate it")
        if event.type is EventType.MIGRATE and not tool:
            raise BadInput(f"{key} is no tool contract: correct it")


def _affected(row: Record, roots: Any) -> tuple[Affected, ...]:
    columns = ("ids", "keys", "kinds", "archs", "operators", "values", "costs", "sizes", "embedded")
    kinds = {str(kind): kind for kind in Kind}
    archs: dict[str, Arch | None] = {"": None, **{str(arch): arch for arch in Arch}}
    affected = [
        Affected(
            id_,
            key,
            kinds[kind],
            archs[arch],
            operator or None,
            None if value < 0 else value,
            None if cost < 0 else cost,
            size or 0,
            embedded,
            False,
        )
        for id_, key, kind, arch, operator, value, cost, size, embedded in zip(*(row[c] for c in columns), strict=True)
    ]
    affected += [Affected(id_, key, Kind.RECORD, None, None, None, None, 0, False, True) for id_, key in roots]
    return tuple(sorted(affected, key=lambda a: (a.key, a.id)))


def _influences(
    row: Record,
    live: Mapping[str, _Live],
    standing: Callable[[str, str, int, _Live | None], tuple[str, Standing]],
) -> tuple[Influence, ...]:
    ids: Sequence[str] = row["ids"]
    columns = ("targets", "sources", "source_keys", "source_states", "source_holders", "roles", "required")
    influences = []
    for target, source, key, state, holder, role, required in zip(*(row[c] for c in columns), strict=True):
        if state == "Staged":
            continue
        stands, how = standing(source, state, holder or 0, live.get(key))
        influences.append(Influence(ids[target], stands, key, role or None, _required(required), how))
    return tuple(sorted(influences, key=lambda i: (i.target, i.source, i.role or "", str(i.required))))


def _required(stored: Any) -> Required:
    if stored == "declared":
        return None
    return "any" if stored == "any" else bool(stored)


def _live(tx: ManagedTransaction, space: str, row: Record) -> dict[str, _Live]:
    """The live version of the key of every source that is retired."""
    states = zip(row["source_keys"], row["source_states"], strict=True)
    keys = sorted({key for key, state in states if state == "Retired"})
    if not keys:
        return {}
    found = _LIVE_VERSIONS.one(tx, space=space, keys=keys)
    columns = (found["keys"], found["ids"], found["states"], found["holders"])
    return {key: _Live(id_, state, holder) for key, id_, state, holder in zip(*columns, strict=True)}


class Size(NamedTuple):
    """What an estimate may know of an artifact: its kind, the characters of its content, its recipe."""

    kind: Kind
    characters: int
    recipe: Any


def sizes(tx: ManagedTransaction, space: str, ids: Sequence[str]) -> dict[str, Size]:
    """Sizes by id."""
    row = _SIZES.one(tx, space=space, ids=list(ids))
    columns = (row["ids"], row["kinds"], row["sizes"], row["recipes"])
    return {
        id_: Size(Kind(kind), size, parsed(recipe or None)) for id_, kind, size, recipe in zip(*columns, strict=True)
    }
