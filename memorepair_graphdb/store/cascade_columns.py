"""The columns of a cascade as they come from the database, with sources named by the version that stands for them.

The law of the room: one step for a column, none for an edge; names are read only of sources outside the cascade.
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
"""(a source that is no held descendant, the live version of its key) → the id that stands for it, and how."""


def descendants_of(row: Record) -> Descendants:
    """The descendants of a row of cascade/of_event or cascade/of_roots."""
    form, forms = _coded(list(zip(row["kinds"], row["archs"], row["operators"], strict=True)))
    return Descendants(
        row["ids"],
        row["keys"],
        form,
        tuple(Form(Kind(kind), Arch(arch) if arch else None, operator or None) for kind, arch, operator in forms),
        [None if value < 0 else value for value in row["values"]],
        [None if cost < 0 else cost for cost in row["costs"]],
        np.array(row["embedded"], np.bool_),
    )


def influences_of(tx: Tx, space: str, row: Record, standing: Standings) -> Influences:
    """The edges of such a row, read in the same transaction; edges from drafts are left out."""
    places = {node: place for place, node in enumerate(row["nodes"])}
    beyond = [node for node in dict.fromkeys(row["sources"]) if node not in places]
    outside = _stood_for(tx, space, beyond, row, standing, places)
    target = np.array(row["targets"], np.int64)
    source = np.fromiter(map(places.__getitem__, row["sources"]), np.int64, target.size)
    role, roles = _coded(row["roles"])
    need, needs = _coded(row["required"])
    said = np.array([REQUIRED.index(_required(stored)) for stored in needs], np.int64)
    found = Influences(target, source, role, said[need], tuple(role or None for role in roles), outside)
    return found.picked(np.flatnonzero(source >= 0))


def _coded(column: list[Any]) -> tuple[Ints, list[Any]]:
    """A column of few different entries as numbers, and the entries that they stand for."""
    number = {entry: place for place, entry in enumerate(dict.fromkeys(column))}
    return np.fromiter(map(number.__getitem__, column), np.int64, len(column)), list(number)


def _required(stored: Any) -> Required:
    if stored == "declared":
        return None
    return "any" if stored == "any" else bool(stored)


def _stood_for(
    tx: Tx, space: str, nodes: Sequence[str], row: Record, standing: Standings, places: dict[str, int]
) -> tuple[Outside, ...]:
    """The sources that are no descendants; adds to `places` where each of the nodes stands, -1 for a draft."""
    found = _SOURCES.one(tx, nodes=list(nodes))
    versions = list(zip(found["nodes"], found["keys"], map(Version, found["ids"], found["states"]), strict=True))
    live = _live(tx, space, sorted({key for _, key, version in versions if version.state == "Retired"}))
    among = {id_: place for place, id_ in enumerate(row["ids"])} if live else {}
    numbers: dict[Outside, int] = {}
    for node, key, version in versions:
        if version.state == "Staged":
            places[node] = -1
            continue
        id_, how = standing(version, live.get(key))
        further = len(row["ids"]) + len(numbers)
        affected = how is Standing.AFFECTED
        places[node] = among[id_] if affected else numbers.setdefault(Outside(id_, key, how), further)
    return tuple(numbers)


def _live(tx: Tx, space: str, keys: Sequence[str]) -> dict[str, Version]:
    """The live version of each key that has one."""
    if not keys:
        return {}
    found = _LIVE_VERSIONS.one(tx, space=space, keys=list(keys))
    columns = (found["keys"], found["ids"], found["states"])
    return {key: Version(id_, state) for key, id_, state in zip(*columns, strict=True)}
