"""Checks the invariants of a space (design, section 4): each file of `cypher/check/` is one."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

from ..model.report import CheckReport, Violation
from .mapping import json_faults
from .queries import library, query

if TYPE_CHECKING:
    from neo4j import Record

    from .transactions import Tx

CHECKS = tuple(q for name, q in library().items() if name.startswith("check/"))

_INFLUENCES = query("retrieve/influences")
_JSON_TEXTS = query("retrieve/json_texts")


def check(tx: Tx, space: str) -> CheckReport:
    """Return every violation of every invariant, and warnings on what is legal and worth a look."""
    violations = [
        _violation(statement.name.removeprefix("check/"), row)
        for statement in CHECKS
        for row in statement.run(tx, space=space)
    ]
    violations += _find_broken_json(tx, space)
    return CheckReport(violations=tuple(violations), warnings=_find_circle(tx, space))


def _violation(check: str, row: Record) -> Violation:
    """Read a row; id or key may be what is wrong, and so missing or no text."""
    id_, key, detail = ("" if row[column] is None else str(row[column]) for column in ("id", "key", "detail"))
    return Violation(check=check, id=id_, key=key, detail=detail)


def _find_broken_json(tx: Tx, space: str) -> list[Violation]:
    """Return a violation for each recipe or metadata that is no JSON, which Cypher cannot tell."""
    row = _JSON_TEXTS.one(tx, space=space)
    keys = dict(zip(row["ids"], row["keys"], strict=True))
    return [
        Violation(check="properties", id=id_, key=keys[id_], detail=fault)
        for id_, fault in json_faults(row["ids"], row["recipes"], row["metadata"]).items()
    ]


def _find_circle(tx: Tx, space: str) -> tuple[Violation, ...]:
    """Return a warning for each artifact on one circle of influence, if there is any: legal, but never rebuilt."""
    row = _INFLUENCES.one(tx, space=space)
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for source, target in zip(row["sources"], row["targets"], strict=True):
        sorter.add(target, source)
    try:
        sorter.prepare()
    except CycleError as error:
        keys = dict(zip(row["targets"], row["keys"], strict=True))
        detail = "is on a circle of influence, so it cannot be rebuilt by a repair"
        return tuple(Violation(check="circle", id=id_, key=keys[id_], detail=detail) for id_ in error.args[1][1:])
    return ()
