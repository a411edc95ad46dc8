"""Holds the result of a dry run: what an operator makes of an artifact in service, with every verdict on it."""

from __future__ import annotations

from .frozen import Frozen
from .vocabulary import VerdictState


class CheckResult(Frozen):
    """One check of a dry run."""

    check: str
    ok: bool
    """whether the successor may go on; true also where the check does not apply"""
    verdict: VerdictState
    reason: str = ""
    saw: str = ""
    wanted: str = ""


class DryRun(Frozen):
    """One operator and its checks, run on one artifact; nothing is written."""

    key: str
    id: str
    operator: str
    outcome: str
    """`passes`, `rejected` or `operator_failed`"""
    reason: str
    """why it does not pass, for a person"""
    checks: tuple[CheckResult, ...]
    """in the order they ran, up to the first that failed"""
    content: str | None
    """what was made; None unless it passes"""
    blob_bytes: int | None
    same: bool
    """whether it is what is in service now"""
    estimate: float
    """tokens that a plan would count"""
    spent: float
    """tokens"""
    seconds: float
    """wall time of the run and its checks"""
