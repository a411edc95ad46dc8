"""Tries an operator and its checks on an artifact in service, as a repair would; nothing is written.

The context is the one that a repair would give, without retracted texts: none are behind what is in service.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from ..errors import BadInput, NotFound, OutOfService
from ..model.dry_run import CheckResult, DryRun
from ..model.plan import Candidate
from ..operators.execution.attempt import attempts
from ..operators.execution.pool import Pool
from ..operators.protocol.context import Interfaces
from ..store import artifacts, operator_inputs
from .execution.contexts import contexts
from .execution.retractions import Retractions
from .execution.validation import frequency_in
from .planning.modes import mode_of

if TYPE_CHECKING:
    from ..environment import Environment
    from ..model.artifact import Artifact
    from ..operators.execution.stage import Attempt, Job
    from ..operators.protocol.registry import Operator


def dry_run(env: Environment, key: str, name: str | None = None) -> DryRun:
    """Run the artifact's operator, or the one named, and its checks.

    Raises `NotFound` where the key has no version in service, `BadInput` where no such operator can run on it here.
    """
    artifact = env.db.read(artifacts.get, env.space, key)
    if artifact is None:
        raise NotFound(f"no artifact {key} is in service in space {env.space}; `memorepair why {key}` says more")
    operator = _operator(env, artifact, name)
    job = _job(env, artifact, operator)
    began = perf_counter()
    ((_, attempt),) = attempts(Pool(1), [job])
    return _describe(artifact, job, attempt, perf_counter() - began)


def _operator(env: Environment, artifact: Artifact, name: str | None) -> Operator:
    wanted = name or artifact.operator
    kind = f"{artifact.arch} {artifact.kind}" if artifact.arch else str(artifact.kind)
    if wanted is None:
        raise BadInput(f"{artifact.key} names no operator; say which to try")
    operator = env.registry.find(wanted)
    if operator is None:
        raise BadInput(f"no operator {wanted} is registered here; there are {', '.join(env.registry.names())}")
    mode = mode_of(artifact.kind, artifact.arch)
    if operator.mode is not mode or not operator.suits(artifact.kind, artifact.arch):
        raise BadInput(f"{wanted} is not made for a {kind}, whose mode is {mode}")
    if operator.lacks:
        raise BadInput(f"{wanted} {operator.lacks}")
    return operator


def _job(env: Environment, artifact: Artifact, operator: Operator) -> Job:
    sources = sorted({source for source, _ in env.db.read(operator_inputs.parents, env.space, [artifact.id])})
    candidate = Candidate(
        key=artifact.key,
        id=artifact.id,
        kind=artifact.kind,
        arch=artifact.arch,
        mode=operator.mode,
        operator=operator.name,
        predecessors=(),
        executable=True,
        value=1.0,
        cost=0.0,
        selected=True,
        reason="",
        support_ids=tuple(sources),
    )
    contracts = Interfaces(env.db.read(operator_inputs.interfaces, env.space))
    ready, failed = contexts(env, [candidate], contracts, Retractions({}, ()), frequency_in(env))
    if failed:
        raise OutOfService(f"{artifact.key}: {failed[0].ended.reason}")
    return ready[0].ready


def _describe(artifact: Artifact, job: Job, attempt: Attempt, seconds: float) -> DryRun:
    payload, operator = attempt.payload, job.operator
    try:
        estimate = operator.estimate(job.context.again())
    except Exception:  # a guess that fails is the default, as in a plan
        estimate = job.context.tokens
    return DryRun(
        key=artifact.key,
        id=artifact.id,
        operator=operator.name,
        outcome="passes" if attempt.outcome is None else attempt.outcome.value,
        reason=attempt.reason,
        checks=tuple(
            CheckResult(check=v.check, ok=v.ok, verdict=v.state, reason=v.reason, saw=v.saw, wanted=v.wanted)
            for v in attempt.checks
        ),
        content=None if payload is None else payload.content,
        blob_bytes=None if payload is None or payload.blob is None else len(payload.blob),
        same=payload is not None and payload.content == artifact.content and payload.blob == artifact.blob,
        estimate=estimate,
        spent=attempt.spent,
        seconds=round(seconds, 4),
    )
