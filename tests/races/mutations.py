"""Breaks the project's statements on purpose: a race that cannot tell a broken form from the real one proves nothing.

Exact cuts in the real text, and a cut that finds nothing to cut is an error.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memorepair_graphdb.store.queries import query

if TYPE_CHECKING:
    from memorepair_graphdb.store.queries import Query

ONE_STRIPE = """WITH toInteger(rand() * 16) AS stripe
MERGE (gate:Gate {space: $space, stripe: stripe})
SET gate.lock = true
REMOVE gate.lock
WITH count(gate) AS gates
"""
ALL_STRIPES = ONE_STRIPE.replace("WITH toInteger(rand() * 16) AS stripe", "UNWIND range(0, 15) AS stripe")
LOCK_GATE = "SET gate.lock = true\nREMOVE gate.lock\n"
LOCK_EVENT = "  SET event.lock = true\n  REMOVE event.lock\n"


def cut(statement: Query, old: str, new: str) -> Query:
    """The statement with one passage, which stands in it once, exchanged for another."""
    assert statement.text.count(old) == 1, f"{statement.name} holds {statement.text.count(old)} times: {old}"
    return replace(statement, text=statement.text.replace(old, new))


def ungated(name: str) -> Query:
    """Without its gate clause: nothing orders it and a barrier."""
    real = query(name)
    return cut(real, ONE_STRIPE if ONE_STRIPE in real.text else ALL_STRIPES, "WITH 1 AS gates\n")


def merged_only(name: str) -> Query:
    """With MERGE of the gate and no SET: finding a node takes no lock that a barrier would wait for."""
    return cut(query(name), LOCK_GATE, "")


def checked_before_the_lock() -> Query:
    """A derivation that looks at its parents first, and takes the gate after."""
    real = query("artifact/derive")
    begin = real.text.index("CALL () {\n  UNWIND range(0, size($sources) - 1) AS n")
    look = real.text[begin : real.text.index("CALL (parents) {", begin)]
    late = cut(real, look, "")
    gate = ONE_STRIPE.replace("WITH toInteger", "WITH parents, toInteger").replace("WITH count", "WITH parents, count")
    late = cut(late, ONE_STRIPE, look + gate)
    return cut(late, "WITH gates, holders\n", "WITH parents, gates, holders\n")


def partly_published() -> Query:
    """A publication that leaves out what it refuses, and puts the rest into service."""
    partly = cut(
        query("publish/publish"),
        "  FILTER verdict[0] = '' AND size(offenders) = 0\n  UNWIND $rows AS row\n",
        "  FILTER verdict[0] = ''\n  UNWIND [row IN $rows WHERE NOT row.old IN offenders] AS row\n",
    )
    refusal = next(line for line in partly.text.splitlines(keepends=True) if "WHEN size(offenders) > 0 THEN" in line)
    return cut(partly, refusal, "")  # it says that it is done, else the caller would roll it back


def without_the_events_lock(name: str) -> Query:
    """A write for an event that compares its attempt and status without holding its node."""
    return cut(query(name), LOCK_EVENT, "")
