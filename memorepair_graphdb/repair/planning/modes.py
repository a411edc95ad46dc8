"""Holds what can become of one affected artifact: its mode, and whether it can be executed (paper section 2.3)."""

from __future__ import annotations

from typing import NamedTuple

from ...model.artifact import Arch, Kind
from ...model.vocabulary import Mode


class Eligibility(NamedTuple):
    """What becomes of an affected artifact that is no root."""

    mode: Mode
    executable: bool
    reason: str = ""
    """why it is removed or not executable, for a person"""
    cause: str = ""
    """the reason without what lies behind it: what a dependent quotes"""
    predecessors: tuple[str, ...] = ()
    """ids of P; empty unless executable"""
    supports: tuple[str, ...] = ()
    """ids of the sources in service that it consumes; empty unless executable"""


def mode_of(kind: Kind, arch: Arch | None) -> Mode:
    """Apply the mode map μ; a derived record is never rewritten."""
    match kind, arch:
        case Kind.CACHE, _:
            return Mode.RECOMPUTE
        case Kind.RECORD, _:
            return Mode.REMOVE
        case Kind.SKILL, Arch.NEURAL:
            return Mode.PARAM
        case _:
            return Mode.REGEN


def barred(mode: Mode, reason: str, cause: str | None = None) -> Eligibility:
    """Return the eligibility of an artifact that cannot be repaired now."""
    return Eligibility(mode, False, reason, reason if cause is None else cause)


def removed(reason: str, cause: str | None = None) -> Eligibility:
    """Return the eligibility of an artifact that gets no successor."""
    return Eligibility(Mode.REMOVE, False, reason, reason if cause is None else cause)
