"""Holds the enumerations of the project, and what each event type and each outcome means to the rest of it.

Code asks the tables (`EventType.meaning`, `Outcome.meaning`) and not for single members, so a member that is added
says everywhere at once what it means; a contract test holds the tables complete.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Literal


class VerdictState(StrEnum):
    """What a check says of a successor."""

    OK = "ok"
    FAILED = "failed"
    NOT_APPLICABLE = "not_applicable"
    """there was nothing that the check could look at"""


class EventType(StrEnum):
    """τ: the type of a repair event."""

    DELETE = "delete"
    CORRECT = "correct"
    MIGRATE = "migrate"

    @property
    def meaning(self) -> EventMeaning:
        """What an event of this type does to its roots."""
        return EVENT_MEANINGS[self]


@dataclass(frozen=True, slots=True)
class EventMeaning:
    """What events of one type do to their roots, and what they must bring."""

    retracts_texts: bool
    """whether the former texts of the roots are retracted: no successor may repeat them"""
    replaces_roots: bool
    """whether the event names, for each root, what takes its place"""
    may_retire_roots: bool
    """whether a root may end without a successor: by name in a deletion, by None as its replacement in a migration"""
    contract_roots: bool | None
    """whether the roots are tool contracts: all of them, none of them, or (None) either"""
    field: Literal["roots", "replacements", "contracts"]
    """the field of an event file that names the roots"""
    retirement: str
    """why a root that gets no successor is removed, for a person"""


EVENT_MEANINGS: Mapping[EventType, EventMeaning] = MappingProxyType(
    {
        EventType.DELETE: EventMeaning(
            retracts_texts=True,
            replaces_roots=False,
            may_retire_roots=True,
            contract_roots=None,
            field="roots",
            retirement="its deletion was asked for",
        ),
        EventType.CORRECT: EventMeaning(
            retracts_texts=True,
            replaces_roots=True,
            may_retire_roots=False,
            contract_roots=False,
            field="replacements",
            retirement="",
        ),
        EventType.MIGRATE: EventMeaning(
            retracts_texts=False,
            replaces_roots=True,
            may_retire_roots=True,
            contract_roots=True,
            field="contracts",
            retirement="its contract was retired",
        ),
    }
)


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

    @property
    def meaning(self) -> OutcomeMeaning:
        """What this outcome says of an artifact."""
        return OUTCOME_MEANINGS[self]


@dataclass(frozen=True, slots=True)
class OutcomeMeaning:
    """What one outcome says of an artifact."""

    repaired: bool
    """whether a newer version of the key came into service"""
    final: bool
    """whether a retry of the event leaves it as it is; else it waits for a worker, a retry or a new version"""
    words: str
    """the outcome, for a person"""


OUTCOME_MEANINGS: Mapping[Outcome, OutcomeMeaning] = MappingProxyType(
    {
        Outcome.PENDING: OutcomeMeaning(False, False, "the event is open"),
        Outcome.REPLACED: OutcomeMeaning(True, True, "a root that got new content"),
        Outcome.PUBLISHED: OutcomeMeaning(True, True, "rebuilt and back in service"),
        Outcome.REMOVED: OutcomeMeaning(False, True, "nothing is left that it could be rebuilt from"),
        Outcome.NOT_EXECUTABLE: OutcomeMeaning(False, False, "it cannot be rebuilt here and now"),
        Outcome.NOT_SELECTED: OutcomeMeaning(False, False, "rebuilding it is not worth its cost"),
        Outcome.OPERATOR_FAILED: OutcomeMeaning(False, False, "its operator failed"),
        Outcome.REJECTED: OutcomeMeaning(False, False, "a check rejected its successor"),
        Outcome.PREDECESSOR_MISSING: OutcomeMeaning(False, False, "it needs one that did not come back"),
        Outcome.CONFLICT: OutcomeMeaning(False, False, "a later event took it, or a source of it"),
    }
)


class EventStatus(StrEnum):
    """How far a repair event is; only a retry takes it back."""

    WITHDRAWN = "withdrawn"
    PLANNED = "planned"
    REPAIRING = "repairing"
    CLOSED = "closed"


class SearchBy(StrEnum):
    """What a search compares."""

    TEXT = "text"
    VECTOR = "vector"


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
