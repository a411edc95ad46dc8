"""What is done with an affected artifact, and what became of it.

The law of the room: the words of the design's section 2, and no others.
"""

from __future__ import annotations

from enum import StrEnum


class Mode(StrEnum):
    """μ: how a successor is made (paper section 2.3)."""

    REMOVE = "remove"
    RECOMPUTE = "recompute"
    REGEN = "regen"
    PARAM = "param"


class Outcome(StrEnum):
    """What became of an affected artifact."""

    PENDING = "pending"
    REPLACED = "replaced"
    PUBLISHED = "published"
    REMOVED = "removed"
    NOT_EXECUTABLE = "not_executable"
    NOT_SELECTED = "not_selected"
    OPERATOR_FAILED = "operator_failed"
    REJECTED = "rejected"
    PREDECESSOR_MISSING = "predecessor_missing"
    CONFLICT = "conflict"


class EventStatus(StrEnum):
    """How far a repair event is; it only advances, but for a retry."""

    WITHDRAWN = "withdrawn"
    PLANNED = "planned"
    REPAIRING = "repairing"
    CLOSED = "closed"


class SupportNeed(StrEnum):
    """What an operator needs of the sources that do not say it themselves."""

    ALL = "all"
    AVAILABLE = "available"


class Standing(StrEnum):
    """How a source of an affected artifact stands once the barrier is up."""

    RETAINED = "retained"
    """in service, and not touched by the event"""
    REPLACED = "replaced"
    """a root whose replacement is in service"""
    AFFECTED = "affected"
    """withdrawn and held by this event: its successor may be built"""
    ELSEWHERE = "elsewhere"
    """withdrawn and held by another event: unavailable"""
    DELETED = "deleted"
    """retired, and no version of its key is live"""
