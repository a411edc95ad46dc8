"""Step 4: run the selected candidates in topological order, a pool inside each level (paper section 3.3).

The law of the room: operators run outside any transaction; a failure never stops the rest; a level starts when the one
before it is written, and inside a level a batch is written while the next is built.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from ...environment import batches
from ...errors import BadInput
from ...model.vocabulary import Outcome, SupportNeed
from ...operators.execution.attempt import attempts
from ...operators.execution.pool import Pool
from ...operators.protocol.context import Context, Interfaces
from ...operators.protocol.registry import Operator
from ...store import operator_inputs
from .contexts import contexts
from .embedding import embedded
from .publication import Ending, Successor, publish, settle
from .retractions import Retractions
from .validation import checked_job, frequency_in, metadata_of
from .write_behind import WriteBehind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...environment import Environment
    from ...model.plan import Candidate
    from ...operators.execution.stage import Job
    from ...operators.protocol.verdict import Frequency
    from ...store.events import Claim
    from .contexts import Ready

Outcomes = dict[str, Outcome]
"""id → what became of it"""


def execute(env: Environment, claimed: Claim, selected: Sequence[Candidate], settled: Mapping[str, Outcome]) -> None:
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
                behind.start(_write, env, claimed, *built)
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

    def build(self, part: Sequence[Candidate], outcomes: Mapping[str, Outcome]) -> tuple[list[Successor], list[Ending]]:
        """Validated successors of a batch whose predecessors are done, and how the others ended."""
        able, endings = _with_predecessors(part, outcomes)
        ready, unready = contexts(self.env, able, self.contracts, self.retractions) if able else ([], [])
        endings += [Ending(*lacking) for lacking in unready]
        successors: list[Successor] = []
        jobs = (_job(self.env, one, self.frequency) for one in ready)
        for place, attempt in attempts(Pool(self.env.workers), jobs):
            one = ready[place]
            self.done += 1
            self.env.progress("execute", self.done, self.all)
            if attempt.payload is None or attempt.outcome is not None:
                endings.append(Ending.of(one.candidate, attempt))
            else:
                metadata = metadata_of(one, attempt.payload, self.frequency)
                successors.append(Successor(one, attempt.payload, attempt, None, metadata))
        successors, unembedded = embedded(self.env, successors)
        return successors, [*endings, *unembedded]


def _write(env: Environment, claimed: Claim, successors: Sequence[Successor], endings: Sequence[Ending]) -> Outcomes:
    """Publish the successors, settle the rest; what became of each, by id."""
    published, refused = publish(env, claimed, successors)
    ended = [*endings, *refused]
    settle(env, claimed, ended)
    return {ending.candidate.id: ending.outcome for ending in ended} | dict.fromkeys(published, Outcome.PUBLISHED)


def _with_predecessors(
    part: Sequence[Candidate], outcomes: Mapping[str, Outcome]
) -> tuple[list[Candidate], list[Ending]]:
    """Set those apart whose predecessors failed: they stay withdrawn, and say what they wait for."""
    able, endings = [], []
    for candidate in part:
        names = dict(zip(candidate.predecessor_ids, candidate.predecessors, strict=False))
        lost = [i for i in candidate.predecessor_ids if outcomes.get(i, Outcome.PUBLISHED) is not Outcome.PUBLISHED]
        if not lost:
            able.append(candidate)
            continue
        conflict = any(outcomes[i] is Outcome.CONFLICT for i in lost)
        outcome = Outcome.CONFLICT if conflict else Outcome.PREDECESSOR_MISSING
        endings.append(Ending(candidate, outcome, f"needs {names[lost[0]]}, which ended as {outcomes[lost[0]].value}"))
    return able, endings


def _job(env: Environment, ready: Ready, frequency: Frequency) -> Job:
    operator = env.registry.find(ready.candidate.operator)
    return checked_job(operator or _unknown(ready.candidate), ready.context, ready.retracted, frequency)


def _unknown(candidate: Candidate) -> Operator:
    """For an operator that the plan's worker knew and this one does not: an attempt that fails and says so."""

    def fail(context: Context) -> None:
        raise BadInput(f"operator {candidate.operator} is not registered here")

    return Operator(str(candidate.operator), candidate.mode, SupportNeed.ALL, fail)
