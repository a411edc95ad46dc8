"""Which checks a successor must pass before it may be published: those of its mode, always, then the operator's own.

The law of the room: no mode but `remove` is without a check, and no caller can take one away (paper section 2.5).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ..model.outcome import Mode, Outcome
from ..operators.attempt import Attempt, Job
from ..operators.attempt import attempts as run_attempts
from ..operators.regression import REGRESSION
from ..operators.rerun import REPLAY
from ..operators.residue import RESIDUE
from ..operators.running import Pool
from ..operators.schema import SCHEMA

if TYPE_CHECKING:
    from ..operators.registry import Registry
    from ..operators.trial import Check
    from ..operators.verdict import Frequency
    from .contexts import Ready

CHECKS: Mapping[Mode, tuple[Check, ...]] = {
    Mode.REMOVE: (),
    Mode.RECOMPUTE: (REPLAY, RESIDUE),
    Mode.REGEN: (SCHEMA, REGRESSION, RESIDUE),
    Mode.PARAM: (RESIDUE,),
}
"""Mode → what always runs, the cheapest first but for the replay, without which a result is none."""


def attempts(
    registry: Registry, ready: Sequence[Ready], frequency: Frequency, workers: int = 4
) -> Iterator[tuple[Ready, Attempt]]:
    """Run and validate candidates that are independent of each other; each with its attempt, as they end.

    `frequency` is called from the workers' threads. An operator that is unknown by now fails.
    """
    jobs: list[Job] = []
    of_job: list[Ready] = []
    for one in ready:
        operator = registry.find(one.candidate.operator)
        if operator is None:
            yield one, Attempt(None, Outcome.OPERATOR_FAILED, f"operator {one.candidate.operator} is unknown", (), 0.0)
            continue
        jobs.append(Job(operator, one.context, CHECKS[operator.mode], one.retracted, frequency))
        of_job.append(one)
    for number, attempt in run_attempts(Pool(workers), jobs):
        yield of_job[number], attempt
