"""What an event affects, as planning sees it: artifacts, and how their sources stand.

The law of the room: everything that planning may look at is in here; no texts of what was withdrawn.
"""

from __future__ import annotations

from typing import NamedTuple

from .artifact import Arch, Kind, Required
from .event import EventType
from .frozen import Frozen
from .outcome import Standing


class Affected(NamedTuple):
    """An artifact in the cascade."""

    id: str
    key: str
    kind: Kind
    arch: Arch | None
    operator: str | None
    value: float | None
    cost: float | None
    size: int
    """characters of its content: a number, for estimates"""
    embedded: bool
    root: bool


class Influence(NamedTuple):
    """An influence edge into an affected artifact, its source resolved to the version that stands for it."""

    target: str
    """id of the affected artifact"""
    source: str
    """id of the version that stands for the source; the retired one where none is live"""
    source_key: str
    role: str | None
    required: Required
    standing: Standing


class Cascade(Frozen):
    """C(F) of one event (paper section 2.2), roots included, and all influence edges into D(F)."""

    event_id: str
    type: EventType
    roots: tuple[str, ...]
    """ids of the roots"""
    affected: tuple[Affected, ...]
    """sorted by key, then id"""
    influences: tuple[Influence, ...]
    """edges into affected artifacts that are no roots; sorted"""
    value_mean: float | None = None
    cost_mean: float | None = None
    """the scale of an earlier plan of the event, kept by a retry; None on the first"""
