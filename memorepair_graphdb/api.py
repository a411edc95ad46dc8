"""The public face: class MemoRepair.

The law of the room: checks what comes in, opens transactions, holds no logic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from . import loader
from .connection import Connection
from .errors import BadInput, ClaimLost, OutOfService
from .model.arguments import SearchRequest, require_text
from .model.artifact import Artifact, Kind, Source
from .model.report import CheckReport, ErasureReceipt, EventLine, Hit, LoadReport, Report, Why
from .model.wire import new_draft
from .repair import barrier, dry_run, frontier, pipeline
from .repair.execution.embedding import embed_one
from .repair.planning import planner
from .repair.planning.selection import Terms
from .store import artifacts, checks, erasure, search, why
from .store import events as repair_events

if TYPE_CHECKING:
    from .loader import Lines
    from .model.artifact import Draft, Required
    from .model.dry_run import DryRun
    from .model.event import RepairEvent
    from .model.frontier import FrontierReport
    from .model.plan import Plan
    from .store.events import OpenEvent

Lambda = str | int | float | Decimal
Most = str | int | float | Decimal | None
DEFAULT_TRADEOFF = planner.DEFAULT_TRADEOFF

_OF_RECORD = frozenset({"value", "cost", "metadata", "embedding"})
_OF_DERIVED = _OF_RECORD | {"arch", "blob"}
SourceLike = Source | Artifact | str | dict[str, Any]


class MemoRepair(Connection):
    """The memory of one space, and its repair; all errors are `MemoRepairError`s; what was refused wrote nothing."""

    def record(self, content: Any, *, key: str, tool: str | None = None, **about: Any) -> Artifact:
        """Put a source into service: a text or JSON-able content; with `tool`, the tool's contract.

        `about`: value, cost, metadata, embedding. Saying the same again returns the live version.
        """
        draft = self._drafted(_OF_RECORD, about, key=key, kind=Kind.RECORD, content=content, tool=tool)
        return self._db.write(artifacts.record, self.space, draft, self._tombstone_key)

    def derive(
        self,
        content: Any,
        *,
        key: str,
        kind: str,
        influenced_by: Iterable[SourceLike],
        operator: str | None = None,
        recipe: Any = None,
        hold: bool = False,
        **about: Any,
    ) -> Artifact:
        """Put something derived into service; raises `OutOfService` when a source has left it since it was read.

        Sources are artifacts or ids, meaning the version that was read; a key means the version in service now.
        With `hold`, what was refused for its sources is kept withdrawn, under the open event that took them.
        `about`: arch, value, cost, metadata, embedding, blob.
        """
        sources = Source.all_of(influenced_by)
        draft = self._drafted(
            _OF_DERIVED, about, key=key, kind=kind, content=content, operator=operator, recipe=recipe, sources=sources
        )
        try:
            return self._db.write(artifacts.derive, self.space, draft, self._tombstone_key)
        except OutOfService:
            if not hold:
                raise
        return self._db.barrier(artifacts.derive_held, self.space, draft, self._tombstone_key)

    def link(
        self, source: str | Artifact, target: str | Artifact, *, role: str | None = None, required: Required = None
    ) -> None:
        """Say that one artifact influenced another (ids, or keys)."""
        checked = Source.checked({**Source.of(source).model_dump(), "role": role, "required": required}, "source")
        self._db.barrier(artifacts.link, self.space, checked.ref, Source.of(target).ref, checked.role, checked.required)

    def load(self, lines: Lines) -> LoadReport:
        """Load wire-format lines (a path, or lines); checked whole before anything is written, repeatable."""
        return loader.load(self._env, lines)

    def get(self, key: str) -> Artifact | None:
        """The version of a key that is in service; None when there is none."""
        return self._db.read(artifacts.get, self.space, require_text(key, "key"))

    def versions(self, key: str) -> tuple[Artifact, ...]:
        """All versions of a key, newest first, history and withdrawn ones included: for people, not for agents."""
        return self._db.read(artifacts.versions, self.space, require_text(key, "key"))

    def search(
        self, text: str | None = None, *, embedding: Sequence[float] | None = None, k: int = 5, by: str | None = None
    ) -> tuple[Hit, ...]:
        """The k best in service, by text or by vector; by vector where an embedding or an embedder is given."""
        if embedding is None and text is not None and by != "text" and self._embedder is not None:
            embedding = embed_one(self._embedder, require_text(text, "text"))
        return self._db.read(search.answer, self.space, SearchRequest.asked(text, embedding, k, by))

    def why(self, ref: str) -> Why:
        """Why an artifact (its key, or an id) is, or is not, in service."""
        return self._db.read(why.why, self.space, require_text(ref, "key or id"))

    def check(self) -> CheckReport:
        """Check every invariant of the space."""
        return self._db.read(checks.check, self.space)

    def preview(self, event: RepairEvent, *, tradeoff: Lambda = DEFAULT_TRADEOFF, budget: Most = None) -> Plan:
        """What `repair` would do, with λ and a budget: tokens, or such as "50%" of Repair all; nothing is written."""
        return pipeline.preview(self._env, event, Terms.read(tradeoff, budget))

    def frontier(self, event: RepairEvent | str, *, tradeoff: Lambda | None = None) -> FrontierReport:
        """What every λ would bring back and cost; of an event that there is (its id), or of one to come.

        `tradeoff` is the λ that is marked; without it the event's own. Nothing is written.
        """
        if isinstance(event, str):
            require_text(event, "event id")
        return frontier.frontier_of_event(self._env, event, Terms.read(tradeoff, None))

    def replay(self, key: str, *, operator: str | None = None) -> DryRun:
        """Try the operator of an artifact in service, or another, with all checks, as a repair would; writes nothing.

        Raises `NotFound`, and `BadInput` where no such operator can run on it here.
        """
        return dry_run.dry_run(self._env, require_text(key, "key"), operator)

    def withdraw(self, event: RepairEvent, *, expect: str | None = None) -> Report:
        """Take the cascade out of service, and no more (with `expect`, if it is that plan's); any worker can resume."""
        barrier.withdraw(self._env, event, expect)
        return self.status(event.id)

    def repair(
        self,
        event: RepairEvent,
        *,
        tradeoff: Lambda = DEFAULT_TRADEOFF,
        budget: Most = None,
        expect: str | None = None,
    ) -> Report:
        """Withdraw, plan, execute, validate, publish, close. With `expect`, only if that plan is what comes of it."""
        terms = Terms.read(tradeoff, budget)
        return self._unless_taken(event.id, lambda: pipeline.repair(self._env, event, terms, expect))

    def resume(self, event_id: str, *, tradeoff: Lambda | None = None, budget: Most = None) -> Report:
        """Bring an open event to its end, from whatever status it has; leaves it when another worker has it.

        What has no plan yet is planned with the λ and the budget that the event was opened with, where none are given.
        """
        terms = Terms.read(tradeoff, budget)
        require_text(event_id, "event id")
        return self._unless_taken(event_id, lambda: pipeline.resume(self._env, event_id, terms))

    def retry(self, event_id: str, *, tradeoff: Lambda | None = None, budget: Most = None) -> Report:
        """Plan a closed event again over what it still holds; with the λ and the budget it had, where none are given.

        "100%" is a budget that keeps nothing out.
        """
        terms = Terms.read(tradeoff, budget)
        require_text(event_id, "event id")
        return self._unless_taken(event_id, lambda: pipeline.retry(self._env, event_id, terms))

    def status(self, event_id: str) -> Report:
        """What became of an event so far."""
        return self._db.read(repair_events.status, self.space, require_text(event_id, "event id"))

    def events(self) -> tuple[EventLine, ...]:
        """All events of the space, newest first."""
        return self._db.read(repair_events.events, self.space)

    def open_events(self) -> tuple[OpenEvent, ...]:
        """The events that are not closed, oldest first."""
        return self._db.read(repair_events.open_events, self.space)

    def unknown_operators(self, event_id: str) -> tuple[str, ...]:
        """Names of operators that an event needs and that this registry does not know."""
        return self._db.read(planner.unknown_operators, self._env, require_text(event_id, "event id"))

    def erase(self, event_id: str) -> ErasureReceipt:
        """Empty what a closed event took out of memory; the text is in the database until then."""
        return self._db.barrier(erasure.erase, self.space, require_text(event_id, "event id"), self._tombstone_key)

    def _drafted(self, known: frozenset[str], about: dict[str, Any], **said: Any) -> Draft:
        if unknown := sorted(about.keys() - known):
            raise BadInput(f"{unknown[0]} is nothing that can be said here; {', '.join(sorted(known))} are")
        draft = new_draft(**said, **about)
        if draft.embedding is None and self._embedder is not None:
            draft = new_draft(**{**said, **about, "embedding": embed_one(self._embedder, draft.content)})
        if draft.embedding is not None:
            self._ensure_dimensions(len(draft.embedding))
        return draft

    def _unless_taken(self, event_id: str, work: Callable[[], Report]) -> Report:
        try:
            return work()
        except ClaimLost as taken:
            report = self.status(event_id)
            return report.model_copy(update={"notes": (*report.notes, f"left to another worker: {taken}")})
