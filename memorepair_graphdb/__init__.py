"""Barrier-first repair of an agent's derived memory, on Neo4j.

from memorepair_graphdb import MemoRepair, RepairEvent

A name loads its module when it is first used, so importing the package loads neither the driver nor the solver, and
the command line answers at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .api import MemoRepair
    from .environment import Embedder, Progress
    from .errors import (
        BadInput,
        ChangedMeanwhile,
        ClaimLost,
        EventConflict,
        Exhausted,
        KeyTaken,
        LocalServerError,
        MemoRepairError,
        NotFound,
        OperatorError,
        OutcomeUnknown,
        OutOfService,
        Passing,
        PlanChanged,
        Refused,
        StoreError,
        Tombstoned,
        Unreachable,
        Unsuited,
    )
    from .model.arguments import BudgetLike, SourceLike, TradeoffLike
    from .model.artifact import Arch, Artifact, Kind, Source, State
    from .model.dry_run import CheckResult, DryRun
    from .model.event import RepairEvent
    from .model.frontier import FrontierPoint, FrontierReport, Threshold
    from .model.plan import Candidate, Candidates, Choice, Plan, Removed
    from .model.report import (
        CheckReport,
        ErasureReceipt,
        EventLine,
        Forgiveness,
        Hit,
        KeyLine,
        KeyPage,
        LoadReport,
        OpenEvent,
        Report,
        Violation,
        Why,
    )
    from .model.vocabulary import EventStatus, EventType, Mode, Outcome, SearchBy
    from .operators.builtin.tool_call.mcp_client import McpRunner
    from .operators.builtin.tool_call.recorded import RecordedRunner
    from .operators.protocol.context import Context, LiveSource
    from .operators.protocol.operator import Operator
    from .operators.protocol.payload import Payload
    from .operators.protocol.recipe import Recipe
    from .operators.protocol.registry import Registry
    from .operators.protocol.tools import NotOffered, ToolRunner
    from .operators.protocol.verdict import Review, Verdict

__all__ = [
    "Arch",
    "Artifact",
    "BadInput",
    "BudgetLike",
    "Candidate",
    "Candidates",
    "ChangedMeanwhile",
    "CheckReport",
    "CheckResult",
    "Choice",
    "ClaimLost",
    "Context",
    "DryRun",
    "Embedder",
    "ErasureReceipt",
    "EventConflict",
    "EventLine",
    "EventStatus",
    "EventType",
    "Exhausted",
    "Forgiveness",
    "FrontierPoint",
    "FrontierReport",
    "Hit",
    "KeyLine",
    "KeyPage",
    "KeyTaken",
    "Kind",
    "LiveSource",
    "LoadReport",
    "LocalServerError",
    "McpRunner",
    "MemoRepair",
    "MemoRepairError",
    "Mode",
    "NotFound",
    "NotOffered",
    "OpenEvent",
    "Operator",
    "OperatorError",
    "OutOfService",
    "Outcome",
    "OutcomeUnknown",
    "Passing",
    "Payload",
    "Plan",
    "PlanChanged",
    "Progress",
    "Recipe",
    "RecordedRunner",
    "Refused",
    "Registry",
    "Removed",
    "RepairEvent",
    "Report",
    "Review",
    "SearchBy",
    "Source",
    "SourceLike",
    "State",
    "StoreError",
    "Threshold",
    "Tombstoned",
    "ToolRunner",
    "TradeoffLike",
    "Unreachable",
    "Unsuited",
    "Verdict",
    "Violation",
    "Why",
]

_HOMES = {
    "Arch": "model.artifact",
    "Artifact": "model.artifact",
    "BadInput": "errors",
    "BudgetLike": "model.arguments",
    "Candidate": "model.plan",
    "Candidates": "model.plan",
    "ChangedMeanwhile": "errors",
    "CheckReport": "model.report",
    "CheckResult": "model.dry_run",
    "Choice": "model.plan",
    "ClaimLost": "errors",
    "Context": "operators.protocol.context",
    "DryRun": "model.dry_run",
    "Embedder": "environment",
    "ErasureReceipt": "model.report",
    "EventConflict": "errors",
    "EventLine": "model.report",
    "EventStatus": "model.vocabulary",
    "EventType": "model.vocabulary",
    "Exhausted": "errors",
    "Forgiveness": "model.report",
    "FrontierPoint": "model.frontier",
    "FrontierReport": "model.frontier",
    "Hit": "model.report",
    "KeyLine": "model.report",
    "KeyPage": "model.report",
    "KeyTaken": "errors",
    "Kind": "model.artifact",
    "LiveSource": "operators.protocol.context",
    "LoadReport": "model.report",
    "LocalServerError": "errors",
    "McpRunner": "operators.builtin.tool_call.mcp_client",
    "MemoRepair": "api",
    "MemoRepairError": "errors",
    "Mode": "model.vocabulary",
    "NotFound": "errors",
    "NotOffered": "operators.protocol.tools",
    "OpenEvent": "model.report",
    "Operator": "operators.protocol.operator",
    "OutOfService": "errors",
    "Outcome": "model.vocabulary",
    "OutcomeUnknown": "errors",
    "OperatorError": "errors",
    "Passing": "errors",
    "Payload": "operators.protocol.payload",
    "Plan": "model.plan",
    "PlanChanged": "errors",
    "Progress": "environment",
    "Recipe": "operators.protocol.recipe",
    "RecordedRunner": "operators.builtin.tool_call.recorded",
    "Refused": "errors",
    "Registry": "operators.protocol.registry",
    "Removed": "model.plan",
    "RepairEvent": "model.event",
    "Report": "model.report",
    "Review": "operators.protocol.verdict",
    "SearchBy": "model.vocabulary",
    "Source": "model.artifact",
    "SourceLike": "model.arguments",
    "State": "model.artifact",
    "StoreError": "errors",
    "Threshold": "model.frontier",
    "Tombstoned": "errors",
    "ToolRunner": "operators.protocol.tools",
    "TradeoffLike": "model.arguments",
    "Unreachable": "errors",
    "Unsuited": "errors",
    "Verdict": "operators.protocol.verdict",
    "Violation": "model.report",
    "Why": "model.report",
}
"""Name → the module of this package that defines it."""

if not TYPE_CHECKING:  # a type checker would take any misspelt name for one that this function gives

    def __getattr__(name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
