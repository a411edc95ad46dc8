"""Try an operator and its checks on an artifact in service, as a repair would; nothing is written.

The law of the room: the context is the one that a repair would give. Nothing retracted is behind what is in service.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from ..errors import BadInput, NotFound, OutOfService
from ..model.plan import Candidate
from ..model.rehearsal import CheckSaid, Rehearsal
from ..operators.attempt import attempts
from ..operators.context import Interfaces
from ..operators.running import Pool
from ..store import artifacts, materials
from .contexts import contexts
from .retractions import Retractions
from .rules import mode_of
from .validation import checked_job, frequency_in

if TYPE_CHECKING:
    from ..model.artifact import Artifact
    from ..operators.course import Attempt
    from ..operators.registry import Operator
    from .contexts import Ready
    from .workshop import Workshop


def rehearse(shop: Workshop, key: str, name: str | None = None) -> Rehearsal:
    """Run the artifact's operator, or the one named, and its checks.

    Raises `NotFound` where the key has no version in service, `BadInput` where no such operator can run on it here.
    """
    artifact = shop.db.read(artifacts.get, shop.space, key)
    if artifact is None:
        raise NotFound(f"no artifact {key} is in service in space {shop.space}; `memorepair why {key}` says more")
    operator = _operator(shop, artifact, name)
    ready = _ready(shop, artifact, operator)
    began = perf_counter()
    job = checked_job(operator, ready.context, ready.retracted, frequency_in(shop))
    ((_, attempt),) = attempts(Pool(1), [job])
    return _told(artifact, operator, ready, attempt, perf_counter() - began)


def _operator(shop: Workshop, artifact: Artifact, name: str | None) -> Operator:
    wanted = name or artifact.operator
    kind = f"{artifact.arch} {artifact.kind}" if artifact.arch else str(artifact.kind)
    if wanted is None:
        raise BadInput(f"{artifact.key} names no operator; say which to try")
    operator = shop.registry.find(wanted)
    if operator is None:
        raise BadInput(f"no operator {wanted} is registered here; there are {', '.join(shop.registry.names())}")
    mode = mode_of(artifact.kind, artifact.arch)
    if operator.mode is not mode or not operator.suits(artifact.kind, artifact.arch):
        raise BadInput(f"{wanted} is not made for a {kind}, whose mode is {mode}")
    if operator.lacks:
        raise BadInput(f"{wanted} {operator.lacks}")
    return operator


def _ready(shop: Workshop, artifact: Artifact, operator: Operator) -> Ready:
    sources = sorted({source for source, _ in shop.db.read(materials.parents, shop.space, [artifact.id])})
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
    contracts = Interfaces(shop.db.read(materials.interfaces, shop.space))
    ready, unready = contexts(shop, [candidate], contracts, Retractions({}, ()))
    if unready:
        raise OutOfService(f"{artifact.key}: {unready[0].reason}")
    return ready[0]


def _told(artifact: Artifact, operator: Operator, ready: Ready, attempt: Attempt, seconds: float) -> Rehearsal:
    payload = attempt.payload
    try:
        estimate = operator.estimate(ready.context.again())
    except Exception:  # a guess that fails is the default, as in a plan
        estimate = ready.context.tokens
    return Rehearsal(
        key=artifact.key,
        id=artifact.id,
        operator=operator.name,
        outcome="passes" if attempt.outcome is None else attempt.outcome.value,
        reason=attempt.reason,
        checks=tuple(
            CheckSaid(check=v.check, ok=v.ok, reason=v.reason, saw=v.saw, wanted=v.wanted) for v in attempt.checks
        ),
        content=None if payload is None else payload.content,
        blob_bytes=None if payload is None or payload.blob is None else len(payload.blob),
        same=payload is not None and payload.content == artifact.content and payload.blob == artifact.blob,
        estimate=estimate,
        spent=attempt.spent,
        seconds=round(seconds, 4),
    )
