"""Turns the refused rows of write statements into errors; every rule that a statement can name is in `RULES`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import (
    BadInput,
    ClaimLost,
    EventConflict,
    KeyTaken,
    MemoRepairError,
    NotFound,
    OutOfService,
    PlanChanged,
    Refused,
    Tombstoned,
)

if TYPE_CHECKING:
    from neo4j import Record

RULES: dict[str, type[MemoRepairError]] = {
    "bad_input": BadInput,
    "key_taken": KeyTaken,
    "out_of_service": OutOfService,
    "tombstoned": Tombstoned,
    "not_found": NotFound,
    "event_conflict": EventConflict,
    "claim_lost": ClaimLost,
    "plan_changed": PlanChanged,
}


def require_event(row: Record | None, space: str, event_id: str) -> Record:
    """Return the row of a statement that gives none where there is no such event; raises `NotFound` for none."""
    if row is None:
        raise NotFound(f"no event {event_id} in space {space}")
    return row


def raise_if_refused(row: Record) -> Record:
    """Return the row when its status is `done`; raises the error of its rule when it is `refused`."""
    if row["status"] == "refused":
        raise RULES.get(row.get("rule", ""), Refused)(row["detail"])
    return row
