"""Barrier-first repair of an agent's derived memory, on Neo4j.

from memorepair_graphdb import MemoRepair, RepairEvent

The law of the room: a name loads its module when it is first used, so that the command line answers at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .api import MemoRepair
    from .model.artifact import Artifact, Source
    from .model.event import RepairEvent
    from .operators.protocol.context import Context
    from .operators.protocol.payload import Payload
    from .operators.protocol.registry import Registry
    from .operators.protocol.verdict import Review, Verdict

__all__ = ["Artifact", "Context", "MemoRepair", "Payload", "Registry", "RepairEvent", "Review", "Source", "Verdict"]

_HOMES = {
    "Artifact": "model.artifact",
    "Context": "operators.protocol.context",
    "MemoRepair": "api",
    "Payload": "operators.protocol.payload",
    "Registry": "operators.protocol.registry",
    "RepairEvent": "model.event",
    "Review": "operators.protocol.verdict",
    "Source": "model.artifact",
    "Verdict": "operators.protocol.verdict",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
