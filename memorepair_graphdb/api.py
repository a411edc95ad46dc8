"""Holds `MemoRepair`, the public class: it checks arguments and opens transactions; the rooms below do the work."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from . import loader
from .errors import ClaimLost, OutOfService
from .model.arguments import require_text
from .model.artifact import Artifact, Kind, Source
from .model.content import as_json
from .model.report import ErasureReceipt, Forgiveness, LoadReport, Report
from .model.wire import new_draft
from .reading import Reading
from .repair import barrier, dry_run, frontier, pipeline
from .repair.execution.embedding import embed_one
from .repair.planning import planner
from .repair.planning.selection import Terms
from .store import artifacts, erasure
from .store import events as repair_events

if TYPE_CHECKING:
    from .loader import Lines
    from .model.arguments import ArchLike, BudgetLike, KindLike, SourceLike, TradeoffLike
    from .model.artifact import Draft, Required
    from .model.dry_run import DryRun
    from .model.event import RepairEvent
    from .model.frontier import FrontierReport
    from .model.plan import Plan

DEFAULT_TRADEOFF = planner.DEFAULT_TRADEOFF


class MemoRepair(Reading):
    """The memory of one space, and its repair; all errors are `MemoRepairError`s; what was refused wrote nothing."""

    def record(
        self,
        content: Any,
        *,
        key: str,
        tool: str | None = None,
        value: float | None = None,
        cost: float | None = None,
        metadata: Any = None,
        embedding: Iterable[float] | None = None,
    ) -> Artifact:
        """Put a source into service: a text or JSON-able content; with `tool`, the tool's contract.

        `value`: what it is worth, 0 or more, in units of the caller's. `cost`: tokens. `metadata`: JSON. `embedding`:
        else the embedder's, where there is one. The same call again returns the live version. Sets the space up
        where that was not done, and says so on the log (INFO). Raises `BadInput`, `KeyTaken` or `Tombstoned`.
        """
        draft = self._prepare(
            new_draft(
                key=key,
                kind=Kind.RECORD,
                content=content,
                tool=tool,
                value=value,
                cost=cost,
                metadata=metadata,
                embedding=embedding,
            )
        )
        return self.transactions.write(artifacts.record, self.space, draft, self._tombstone_key)

    def derive(
        self,
        content: Any,
        *,
        key: str,
        kind: KindLike,
        influenced_by: SourceLike | Iterable[SourceLike],
        arch: ArchLike | None = None,
        operator: str | None = None,
        recipe: Any = None,
        value: float | None = None,
        cost: float | None = None,
        metadata: Any = None,
        embedding: Iterable[float] | None = None,
        blob: bytes | None = None,
        hold: bool = False,
    ) -> Artifact:
        """Put something derived into service; raises `OutOfService` when a source has left it since it was read.

        Sources are artifacts or ids, meaning the version that was read; a key means the version in service now.
        `arch` says how a skill is built, and belongs to skills alone. `operator` (name@version) and `recipe` (JSON) say
        how it is made again; a recipe that the operator, where it is known here, cannot read is `BadInput`. With
        `hold`, what was refused for its sources is kept withdrawn, under the open event that took them. The
        other arguments, and what else is raised, are those of `record`.
        """
        draft = self._prepare(
            self._check_recipe(
                new_draft(
                    key=key,
                    kind=kind,
                    arch=arch,
                    content=content,
                    blob=blob,
                    sources=Source.all_of(influenced_by),
                    operator=operator,
                    recipe=recipe,
                    value=value,
                    cost=cost,
                    metadata=metadata,
                    embedding=embedding,
                )
            )
        )
        try:
            return self.transactions.write(artifacts.derive, self.space, draft, self._tombstone_key)
        except OutOfService:
            if not hold:
                raise
        return self.transactions.barrier(artifacts.derive_held, self.space, draft, self._tombstone_key)

    def link(
        self, source: str | Artifact, target: str | Artifact, *, role: str | None = None, required: Required = None
    ) -> None:
        """Add the edge that says that one artifact influenced another (artifacts, ids, or keys)."""
        checked = Source.checked({**Source.of(source).model_dump(), "role": role, "required": required}, "source")
        self.transactions.barrier(
            artifacts.link, self.space, checked.ref, Source.of(target).ref, checked.role, checked.required
        )

    def set_metadata(self, ref: str | Artifact, metadata: Any) -> Artifact:
        """Give what is in service (an artifact, its id or key) other metadata (JSON), None for none: without an event.

        What rests on it stays in service, also what an operator made of the old metadata. The old metadata is not kept.
        Raises `NotFound` or `OutOfService`.
        """
        text = None if metadata is None else as_json(metadata, "metadata")
        return self.transactions.write(artifacts.set_metadata, self.space, Source.of(ref).ref, text)

    def load(self, lines: Lines) -> LoadReport:
        """Load wire-format lines (a path, or lines); checked whole before anything is written, repeatable.

        Sets the space up where that was not done, once the lines themselves are found right; the report says so.
        """
        checked = loader.read_lines(lines)
        fresh = self._ensure_space()
        return loader.load(self._env, checked).model_copy(update={"set_up": fresh})

    def preview(
        self, event: RepairEvent, *, tradeoff: TradeoffLike = DEFAULT_TRADEOFF, budget: BudgetLike | None = None
    ) -> Plan:
        """Return what `repair` would do, with λ and a budget: tokens, or such as "50%" of Repair all.

        Nothing is written.
        """
        return pipeline.preview(self._env, event, Terms.read(tradeoff, budget))

    def frontier(self, event: RepairEvent | str, *, tradeoff: TradeoffLike | None = None) -> FrontierReport:
        """Return what every λ would bring back and cost; of an event that there is (its id), or of one to come.

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
        repeated = barrier.withdraw(self._env, event, expect).repeated
        report = self.status(event.id)
        return repair_events.done_already(report) if repeated else report

    def repair(
        self,
        event: RepairEvent,
        *,
        tradeoff: TradeoffLike = DEFAULT_TRADEOFF,
        budget: BudgetLike | None = None,
        expect: str | None = None,
    ) -> Report:
        """Withdraw, plan, execute, validate, publish, close. With `expect`, only if that plan is what comes of it."""
        terms = Terms.read(tradeoff, budget)
        return self._unless_taken(event.id, lambda: pipeline.repair(self._env, event, terms, expect))

    def resume(
        self, event_id: str, *, tradeoff: TradeoffLike | None = None, budget: BudgetLike | None = None
    ) -> Report:
        """Bring an open event to its end, from whatever status it has; leaves it when another worker has it.

        What has no plan yet is planned with the λ and the budget that the event was opened with, where none are given.
        """
        terms = Terms.read(tradeoff, budget)
        require_text(event_id, "event id")
        return self._unless_taken(event_id, lambda: pipeline.resume(self._env, event_id, terms))

    def retry(self, event_id: str, *, tradeoff: TradeoffLike | None = None, budget: BudgetLike | None = None) -> Report:
        """Plan a closed event again over what it still holds; with the λ and the budget it had, where none are given.

        "100%" is a budget that keeps nothing out.
        """
        terms = Terms.read(tradeoff, budget)
        require_text(event_id, "event id")
        return self._unless_taken(event_id, lambda: pipeline.retry(self._env, event_id, terms))

    def erase(self, event_id: str) -> ErasureReceipt:
        """Empty what a closed event took out of memory; the text is in the database until then."""
        quoting = self.status(event_id).quoting_keys
        receipt = self.transactions.barrier(erasure.erase, self.space, event_id, self._tombstone_key)
        return receipt.model_copy(update={"quoting_keys": quoting})

    def forgive(self, ref: str, *, reason: str = "", actor: str = "") -> Forgiveness:
        """Let an erased content be written again: that of an erased artifact (its id), or all that a key lost.

        The refusal (`Tombstoned`) names both. `why` shows `reason` and `actor` on the erased version. Raises `NotFound`
        where nothing was erased.
        """
        texts = require_text(ref, "key or id"), require_text(reason, "reason"), require_text(actor, "actor")
        return self.transactions.write(erasure.forgive, self.space, *texts)

    def _check_recipe(self, draft: Draft) -> Draft:
        """Return the draft; raise `BadInput` for a recipe that its operator, where it is known, cannot read."""
        recipe = None if draft.recipe is None else json.loads(draft.recipe)
        self.registry.check_recipe(draft.operator, recipe, draft.key)
        return draft

    def _prepare(self, draft: Draft) -> Draft:
        """Embed a draft where it needs it, and have ready what it is written with: the space, the vector index."""
        if draft.embedding is None and self._embedder is not None:
            draft = draft.model_copy(update={"embedding": embed_one(self._embedder, draft.content)})
        self._ensure_space()
        if draft.embedding is not None:
            self._ensure_dimensions(len(draft.embedding))
        return draft

    def _unless_taken(self, event_id: str, work: Callable[[], Report]) -> Report:
        try:
            return work()
        except ClaimLost as taken:
            report = self.status(event_id)
            return report.model_copy(update={"notes": (*report.notes, f"left to another worker: {taken}")})
