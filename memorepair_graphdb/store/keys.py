"""Lists keys in their order, a page at a time, and finds those that meet criteria."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from neo4j.time import DateTime

from ..errors import NotFound
from ..model.artifact import Arch, Kind, State
from ..model.report import KeyLine, KeyPage
from .mapping import parse_json
from .queries import query

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neo4j import Record

    from ..model.criteria import Criteria, KeysRequest
    from .transactions import Tx

_KEYS = query("retrieve/keys")
_GATES = query("barrier/gates")

PAGE = 1_000
"""The most keys that are read at once."""

_LAST = chr(sys.maxunicode)
_BEHIND_ALL = _LAST * 300
"""behind every key: no key has so many bytes"""


def list_keys(tx: Tx, space: str, request: KeysRequest) -> KeyPage:
    """Return at most as many keys as were asked for, in their order, and where to go on, if there is more."""
    lines: list[KeyLine] = []
    for line in _matching(tx, space, request.criteria, request.states, request.kinds, request.after):
        if len(lines) == request.limit:
            return KeyPage(keys=tuple(lines), after=lines[-1].key)
        lines.append(line)
    return KeyPage(keys=tuple(lines))


def fix_roots(tx: Tx, space: str, criteria: Criteria) -> list[str]:
    """Return the ids of what meets criteria, behind the gate of the space, which this transaction keeps from then on.

    A writer that adds a match is before the gate, and its artifact is a root, or waits until the transaction ends.
    Raises `NotFound` where nothing matches.
    """
    _GATES.one(tx, space=space)
    return select_roots(tx, space, criteria)


def select_roots(tx: Tx, space: str, criteria: Criteria) -> list[str]:
    """Return the ids of what is in service or withdrawn and meets criteria; raises `NotFound` for none."""
    states = (State.VISIBLE, State.WITHDRAWN)
    ids = [line.id for line in _matching(tx, space, criteria, states, tuple(Kind), None)]
    if not ids:
        raise NotFound(
            f"nothing in service or withdrawn in space {space} matches {criteria.words}; nothing was written: "
            "`memorepair keys` lists what there is"
        )
    return ids


def read_page(
    tx: Tx, space: str, start: str, prefix: str | None, states: tuple[State, ...], kinds: tuple[Kind, ...]
) -> tuple[list[KeyLine], str | None]:
    """Return at most a page of keys from `start` on, and where the next begins; None where there is none."""
    rows = _KEYS.run(
        tx,
        space=space,
        **{"from": start},
        until=_behind(prefix or ""),
        states=[str(state) for state in states],
        kinds=[str(kind) for kind in kinds],
        most=PAGE,
    )
    after = f"{rows[-1]['key']}\x00" if len(rows) == PAGE else None  # the next text there is
    return [_line(row) for row in rows], after


def _matching(
    tx: Tx, space: str, criteria: Criteria, states: tuple[State, ...], kinds: tuple[Kind, ...], after: str | None
) -> Iterator[KeyLine]:
    start: str | None = criteria.prefix or ""
    if after is not None:
        start = max(criteria.prefix or "", f"{after}\x00", key=_order)
    while start is not None:
        lines, start = read_page(tx, space, start, criteria.prefix, states, kinds)
        yield from (line for line in lines if criteria.holds(line.metadata))


def _order(text: str) -> bytes:
    """Return what texts are ordered by in the index."""
    return text.encode("utf-8")


def _behind(prefix: str) -> str:
    """Return the first text that is behind all that begin with a prefix."""
    rest = prefix.rstrip(_LAST)
    if not rest:
        return _BEHIND_ALL
    code = ord(rest[-1]) + 1
    return rest[:-1] + chr(0xE000 if code == 0xD800 else code)


def _line(row: Record) -> KeyLine:
    created_at = row["created_at"]
    return KeyLine(
        key=row["key"],
        id=row["id"],
        kind=Kind(row["kind"]),
        arch=Arch(row["arch"]) if row["arch"] in set(Arch) else None,
        state=State(row["state"]),
        version=row["version"] or None,
        tool=row["tool"] or None,
        operator=row["operator"] or None,
        metadata=parse_json(row["metadata"]),
        characters=row["characters"],
        created_at=created_at.to_native() if isinstance(created_at, DateTime) else None,
    )
