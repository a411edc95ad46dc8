"""Barrier-first repair of an agent's derived memory, on Neo4j.

from memorepair_graphdb import MemoRepair, RepairEvent
"""

from .api import MemoRepair
from .model.artifact import Artifact, Source
from .model.event import RepairEvent
from .operators.context import Context
from .operators.payload import Payload
from .operators.registry import Registry
from .operators.verdict import Review, Verdict

__all__ = ["Artifact", "Context", "MemoRepair", "Payload", "Registry", "RepairEvent", "Review", "Source", "Verdict"]
