"""Runs the selected candidates in topological order, a pool inside each level: step 4 (paper section 3.3).

Operators run outside any transaction, and a failure does not stop the rest. A level starts when the one before it is
written; inside a level a batch is written while the next is built.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from ...environment import batches
from ...model.vocabulary import Outcome
from ...operators.execution.attempt import attempts
from ...operators.execution.pool import Pool
from ...operators.protocol.context import Interfaces
from ...store import operator_inputs
from .contexts import contexts
from .embedding import embed
from .publication import publish, write_outcomes
from .rebuild import Rebuild
from .retractions import Retractions
from .validation import frequency_in, metadata_of
from .write_behind import WriteBehind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...environment import Environment
    from ...model.plan import Candidate
    from ...store.events import Claim

Outcomes = dict[str, Outcome]
"""id → what became of it"""


def execute(env: Environment, claim: Claim, selected: Sequence[Candidate], settled: Mapping[str, Outcome]) -> None:
    """Build, validate and publish the selected candidates; afterwards none of them is pending.

    `settled` are the outcomes, by id, that there are already: of predecessors too, where a crash came in between.
    """
    if not selected:
        return
    bench = _Bench(env, selected)
    outcomes = dict(settled)
    with WriteBehind[Outcomes]() as behind:
        # Half a batch at a time: a level of one batch is then half written while its other half is built.
        for _, level in groupby(selected, key=lambda candidate: candidate.level):
            for part in batches(list(level), max(1, env.batch // 2)):
                built = bench.build(part, outcomes)
                outcomes |= behind.collect() or {}
                behind.start(_write, env, claim, *built)
            outcomes |= behind.collect() or {}


class _Bench:
    """What the batches of one execution share."""

    def __init__(self, env: Environment, selected: Sequence[Candidate]) -> None:
        self.env = env
        self.retractions = Retractions.behind_all(env, [candidate.id for candidate in selected])
        self.contracts = Interfaces(env.db.read(operator_inputs.interfaces, env.space))
        self.frequency = frequency_in(env)
        self.all = len(selected)
        self.done = 0

    def build(self, part: Sequence[Candidate], outcomes: Mapping[str, Outcome]) -> tuple[list[Rebuild], list[Rebuild]]:
        """Validated successors of a batch whose predecessors are done, and those that failed."""
        able, failed = _with_predecessors(part, outcomes)
        ready, unready = (
            contexts(self.env, able, self.contracts, self.retractions, self.frequency) if able else ([], [])
        )
        failed += unready
        successors: list[Rebuild] = []
        for index, attempt in attempts(Pool(self.env.workers), (rebuild.ready for rebuild in ready)):
            self.done += 1
            self.env.progress("execute", self.done, self.all)
            if attempt.payload is None:
                failed.append(replace(ready[index], attempt=attempt))
            else:
                metadata = metadata_of(ready[index], attempt.payload)
                successors.append(replace(ready[index], attempt=attempt, metadata=metadata))
        successors, unembedded = embed(self.env, successors)
        return successors, [*failed, *unembedded]


def _write(env: Environment, claim: Claim, successors: Sequence[Rebuild], failed: Sequence[Rebuild]) -> Outcomes:
    """Publish the successors, write down how the others ended; what became of each, by id."""
    published, refused = publish(env, claim, successors)
    ended = [*failed, *refused]
    write_outcomes(env, claim, ended)
    return {rebuild.id: rebuild.outcome for rebuild in ended} | dict.fromkeys(published, Outcome.PUBLISHED)


def _with_predecessors(
    part: Sequence[Candidate], outcomes: Mapping[str, Outcome]
) -> tuple[list[Candidate], list[Rebuild]]:
    """Set those apart whose predecessors failed: they stay withdrawn, and say what they wait for."""
    able, failed = [], []
    for candidate in part:
        names = dict(zip(candidate.predecessor_ids, candidate.predecessors, strict=False))
        lost = [i for i in candidate.predecessor_ids if outcomes.get(i, Outcome.PUBLISHED) is not Outcome.PUBLISHED]
        if not lost:
            able.append(candidate)
            continue
        conflict = any(outcomes[i] is Outcome.CONFLICT for i in lost)
        outcome = Outcome.CONFLICT if conflict else Outcome.PREDECESSOR_MISSING
        reason = f"needs {names[lost[0]]}, which ended as {outcomes[lost[0]].value}"
        failed.append(Rebuild(candidate).fail(outcome, reason))
    return able, failed
