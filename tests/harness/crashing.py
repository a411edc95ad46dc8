"""A worker that dies by SIGKILL right after its n-th committed transaction.

Importable by a fresh process; what it repairs, and with which operators, is the same everywhere.
"""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Any

from neo4j import GraphDatabase

from memorepair_graphdb import Context, MemoRepair, Registry, RepairEvent
from memorepair_graphdb.store.transactions import Transactions

if TYPE_CHECKING:
    from neo4j import Driver

    from memorepair_graphdb.model.arguments import KindLike
    from memorepair_graphdb.model.report import Report

EVENT = RepairEvent.correct({"doc": "the corrected text"}, id="the event")
TRADEOFF = "0.5"
RUNS = ("repair", "retry")

registry = Registry()


@registry.operator("join@1", mode="recompute", support="available", cost=lambda context: 1.0)
def join(context: Context) -> str:
    return " / ".join(sorted(source.content for source in context.supports))


@registry.operator("write@1", mode="regen", support="available", cost=lambda context: 1.0)
def write(context: Context) -> str:
    return f"{context.key}: " + " / ".join(sorted(source.content for source in context.supports))


@registry.operator("broken@1", mode="regen", support="available", cost=lambda context: 1.0)
def broken(context: Context) -> str:
    raise RuntimeError("out of order")


def embedder(texts: list[str]) -> list[list[float]]:
    return [[1.0, float(len(text)), *[0.5] * (DIMENSIONS - 2)] for text in texts]


DIMENSIONS = 4
"""Set by a child to what its database has."""


def laid_down(mr: MemoRepair) -> None:
    """Three levels, with every outcome that one event alone can have."""
    mr.record("the first text", key="doc")
    mr.record("kept", key="kept")
    lines: tuple[tuple[str, KindLike, str | None, list[Any], dict[str, Any]], ...] = (
        ("a", "cache", "join@1", ["doc", "kept"], {}),
        ("b", "cache", "join@1", ["doc"], {}),
        ("c", "summary", "write@1", ["a", "b"], {}),
        ("d", "summary", "write@1", ["c", "kept"], {}),
        ("fails", "summary", "broken@1", ["a"], {}),
        ("misses", "summary", "write@1", ["fails", "kept"], {}),
        ("misses more", "summary", "write@1", ["misses"], {}),
        ("dear", "summary", "write@1", ["a"], {"value": 0.1, "cost": 20}),
        ("worthless alone", "summary", "write@1", ["b"], {"value": 0}),
        ("unknown", "summary", "lost@1", ["doc"], {}),
        ("record", "record", None, ["doc"], {}),
        ("past the record", "summary", "write@1", [{"key": "record", "required": True}, "kept"], {}),
    )
    for key, kind, operator, sources, about in lines:
        mr.derive(f"old {key}", key=key, kind=kind, influenced_by=sources, operator=operator, **about)


class Dying(Transactions):
    """Transactions whose process is killed after the n-th commit."""

    def __init__(self, driver: Driver, after: int) -> None:
        super().__init__(driver)
        self.left = after

    def write(self, work: Any, *args: Any, **kwargs: Any) -> Any:
        return self._counted(super().write(work, *args, **kwargs))

    def barrier(self, work: Any, *args: Any, **kwargs: Any) -> Any:
        return self._counted(super().barrier(work, *args, **kwargs))

    def _counted(self, result: Any) -> Any:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return result


def opened(uri: str, auth: tuple[str, str], space: str) -> MemoRepair:
    """A memory with the operators of this module."""
    return MemoRepair(connected(uri, auth), space=space, registry=registry, embedder=embedder)


def connected(uri: str, auth: tuple[str, str]) -> Driver:
    return GraphDatabase.driver(uri, auth=auth)


def run(mr: MemoRepair, what: str) -> Report:
    """What is disturbed: a repair, or the retry of one, that asks for a λ of its own."""
    if what == "repair":
        return mr.repair(EVENT, tradeoff=TRADEOFF)
    return mr.retry(EVENT.id, tradeoff="0")


def die_in(uri: str, auth: tuple[str, str], space: str, what: str, after: int, dimensions: int, batch: int) -> None:
    """Run until the n-th commit, and be gone; ends well when there are fewer.

    Small batches make transactions that a small memory would not have.
    """
    globals()["DIMENSIONS"] = dimensions
    mr = opened(uri, auth, space)
    mr.batch = batch
    mr.transactions = Dying(connected(uri, auth), after)
    run(mr, what)


def resume_in(uri: str, auth: tuple[str, str], space: str, start: Any, said: Any) -> None:
    """One of several processes that resume the event at once; says whether it left it to another."""
    mr = opened(uri, auth, space)
    start.wait(60)
    report = mr.resume(EVENT.id)
    said.put((str(report.status), any("left to another worker" in note for note in report.notes)))
