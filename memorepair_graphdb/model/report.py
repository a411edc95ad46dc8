"""Holds what became of an event, and what `check`, `why` and `load` return.

These are the documented shapes of `--json`: fields may be added, never changed.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from .artifact import Arch, Artifact, Kind, State
from .frozen import Frozen
from .vocabulary import EventStatus, Outcome


class Report(Frozen):
    """The state of a repair event: `repair`, `resume`, `retry`, `status`, `withdraw`."""

    event_id: str
    status: EventStatus
    type: str = ""
    reason: str = ""
    outcomes: dict[str, Outcome] = {}
    """key → what became of it"""
    reasons: dict[str, str] = {}
    """key → why, for a person"""
    counts: dict[str, int] = {}
    """outcome → how many artifacts"""
    affected: int = 0
    spent: float = 0.0
    """tokens, failures included"""
    done_already: bool = False
    """whether an event of this id with this request had been carried out before, so that this call did nothing"""
    seconds: dict[str, float] = {}
    """step → wall seconds; empty when read back from the graph"""
    quoting_keys: tuple[str, ...] = ()
    """keys that hold a name, an identifier or a long number of what was retracted: a key stays"""
    notes: tuple[str, ...] = ()
    """what a person should know, such as that another worker has the event, or that text is kept until it is erased"""


class EventLine(Frozen):
    """One event in `events`."""

    event_id: str
    seq: int
    type: str
    status: EventStatus
    reason: str
    actor: str
    created_at: datetime
    affected: int
    counts: dict[str, int] = {}


class OpenEvent(Frozen):
    """One event that is not closed: it waits for a worker, or has one."""

    event_id: str
    status: EventStatus
    owner: str
    """the worker that has it, or had it last"""
    lease_seconds: int
    """what is left of that worker's lease; 0 when nobody works on it"""


class Violation(Frozen):
    """One breach of an invariant."""

    check: str
    id: str
    key: str
    detail: str


class CheckReport(Frozen):
    """All invariants of a space; no violation is good. Warnings are legal data worth a look."""

    violations: tuple[Violation, ...] = ()
    warnings: tuple[Violation, ...] = ()


class Why(Frozen):
    """Why an artifact is, or is not, in service."""

    key: str
    id: str
    state: str
    version: int | None
    in_service: bool
    sentence: str
    """the answer in a line"""
    event_id: str | None = None
    outcome: Outcome | None = None
    reason: str = ""
    path: tuple[str, ...] = ()
    """keys from a root of the event to the artifact, over influence edges"""
    sources: tuple[dict[str, Any], ...] = ()
    """key, id, state, role, required of each source"""
    versions: tuple[dict[str, Any], ...] = ()
    """id, version, state of every version of the key, newest first"""
    erased_at: datetime | None = None
    """when its text was emptied"""
    forgiven: dict[str, Any] | None = None
    """at, by, reason, where the erased text may be written again"""
    faults: tuple[str, ...] = ()
    """what is stored of the artifact and is no value of its property: it is not rebuilt until that is mended"""


class Hit(Frozen):
    """One search result."""

    artifact: Artifact
    score: float


class LoadReport(Frozen):
    """How many lines `load` wrote and left out."""

    created: int
    skipped: int
    """lines whose key, content and sources equal a version already there, in any state"""
    linked: int = 0
    """semantic edges"""
    set_up: bool = False
    """whether the space was not there yet, and was set up"""
    history: int = 0
    """lines of what was out of service when it was exported: none of it is loaded"""
    warnings: tuple[str, ...] = ()


class KeyLine(Frozen):
    """One key in `keys`, with its live version, or where it has none with its newest."""

    key: str
    id: str
    kind: Kind
    arch: Arch | None = None
    state: State
    version: int | None = None
    tool: str | None = None
    operator: str | None = None
    metadata: Any = None
    characters: int
    """of its content"""
    created_at: datetime | None = None


class KeyPage(Frozen):
    """Some keys in their order."""

    keys: tuple[KeyLine, ...] = ()
    after: str | None = None
    """the key to go on after; None where there are no more"""


class ErasureReceipt(Frozen):
    """What `erase` emptied, and what it cannot reach."""

    event_id: str
    erased: tuple[dict[str, Any], ...]
    """id, key, version and keyed hash of each emptied artifact"""
    already_erased: int
    erased_at: datetime
    cannot_reach: tuple[str, ...]
    quoting_keys: tuple[str, ...] = ()
    """keys that hold a name, an identifier or a long number of what was erased: a key stays"""


class Forgiveness(Frozen):
    """What `forgive` lifted: these contents may be written again."""

    ref: str
    forgiven: tuple[dict[str, Any], ...]
    """id, key and version of each erased artifact whose tombstone was lifted"""
    already_forgiven: int
    """erased artifacts of it that had no tombstone any more"""
    forgiven_at: datetime
    reason: str
    actor: str
