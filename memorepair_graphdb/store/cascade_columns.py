"""Turns the rows of a cascade into columns, with sources named by the version that stands for them.

Work is done a column at a time and not an edge at a time, and names are read only of sources outside the cascade: at
1e5 rows, objects took 3 to 4 s where columns took 0.3 to 0.45 s (design, section 12).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from ..model.artifact import Arch, Kind
from ..model.cascade import REQUIRED, Descendants, Form, Influences, Outside
from ..model.vocabulary import Standing
from .queries import query

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from neo4j import Record

    from ..model.artifact import Required
    from ..model.cascade import Ints
    from .transactions import Tx

_SOURCES = query("cascade/sources")
_LIVE_VERSIONS = query("cascade/live_versions")


class Version(NamedTuple):
    """A version of an artifact, and its state label."""

    id: str
    state: str


Standings: TypeAlias = "Callable[[Version, Version | None], tuple[str, Standing]]"
"""(a source that is no held descendant, the live version of its key) → the id that stands for it, and its standing."""


def descendants_of(row: Record) -> Descendants:
    """Return the descendants of a row of cascade/of_event or cascade/of_roots."""
    form, forms = _encode(list(zip(row["kinds"], row["archs"], row["operators"], strict=True)))
    return Descendants(
        row["ids"],
        row["keys"],
        form,
        tuple(Form(Kind(kind), Arch(arch) if arch else None, operator or None) for kind, arch, operator in forms),
        [None if value < 0 else value for value in row["values"]],
        [None if cost < 0 else cost for cost in row["costs"]],
        np.array(row["embedded"], np.bool_),
        {id_: fault for id_, fault in zip(row["ids"], row["faults"], strict=True) if fault},
    )


def influences_of(tx: Tx, space: str, row: Record, standing: Standings) -> Influences:
    """Return the edges of such a row, read in the same transaction; edges from drafts are left out."""
    positions = {node: position for position, node in enumerate(row["nodes"])}
    unknown = [node for node in dict.fromkeys(row["sources"]) if node not in positions]
    outside = _resolve_outside(tx, space, unknown, row, standing, positions)
    target = np.array(row["targets"], np.int64)
    source = np.fromiter(map(positions.__getitem__, row["sources"]), np.int64, target.size)
    role, roles = _encode(row["roles"])
    need, needs = _encode(row["required"])
    codes = np.array([REQUIRED.index(_parse_required(stored)) for stored in needs], np.int64)
    influences = Influences(target, source, role, codes[need], tuple(role or None for role in roles), outside)
    return influences.picked(np.flatnonzero(source >= 0))


def _encode(column: list[Any]) -> tuple[Ints, list[Any]]:
    """Return a column of few different entries as numbers, and the entries that the numbers stand for."""
    number = {entry: index for index, entry in enumerate(dict.fromkeys(column))}
    return np.fromiter(map(number.__getitem__, column), np.int64, len(column)), list(number)


def _parse_required(stored: Any) -> Required:
    if stored == "declared":
        return None
    return "any" if stored == "any" else bool(stored)


def _resolve_outside(
    tx: Tx, space: str, nodes: Sequence[str], row: Record, standing: Standings, positions: dict[str, int]
) -> tuple[Outside, ...]:
    """Return the sources that are no descendants; adds to `positions` where each node stands, -1 for a draft."""
    sources = _SOURCES.one(tx, nodes=list(nodes))
    versions = list(
        zip(sources["nodes"], sources["keys"], map(Version, sources["ids"], sources["states"]), strict=True)
    )
    live = _read_live(tx, space, sorted({key for _, key, version in versions if version.state == "Retired"}))
    descendants = {id_: position for position, id_ in enumerate(row["ids"])} if live else {}
    numbers: dict[Outside, int] = {}
    for node, key, version in versions:
        if version.state == "Staged":
            positions[node] = -1
            continue
        id_, how = standing(version, live.get(key))
        next_ = len(row["ids"]) + len(numbers)
        affected = how is Standing.AFFECTED
        positions[node] = descendants[id_] if affected else numbers.setdefault(Outside(id_, key, how), next_)
    return tuple(numbers)


def _read_live(tx: Tx, space: str, keys: Sequence[str]) -> dict[str, Version]:
    """Return the live version of each key that has one."""
    if not keys:
        return {}
    row = _LIVE_VERSIONS.one(tx, space=space, keys=list(keys))
    columns = (row["keys"], row["ids"], row["states"])
    return {key: Version(id_, state) for key, id_, state in zip(*columns, strict=True)}
