"""Reads what each operator is given: live sources, contracts in force, the recipe, and nothing withdrawn. Step 4a."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...errors import BadInput
from ...model.artifact import Kind
from ...model.vocabulary import Mode, Outcome, SupportNeed
from ...operators.checks.residue import clear_context
from ...operators.protocol.context import Context, Interfaces, LiveSource
from ...operators.protocol.registry import Operator
from ...store import operator_inputs, succession
from .rebuild import Rebuild
from .validation import checked_job

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...environment import Environment
    from ...model.plan import Candidate
    from ...operators.protocol.registry import Registry
    from ...operators.protocol.verdict import Frequency
    from ...store.operator_inputs import Material, Supply, Text
    from .retractions import Retractions


def contexts(
    env: Environment,
    candidates: Sequence[Candidate],
    contracts: Interfaces,
    retractions: Retractions,
    frequency: Frequency,
) -> tuple[list[Rebuild], list[Rebuild]]:
    """Read the sources of candidates whose predecessors are done: those that have their job now, and those that fail.

    What left service meanwhile makes a candidate fail; its text is never read.
    """
    wanted = [(c.id, (*c.predecessor_ids, *c.support_ids)) for c in candidates]
    materials = env.db.read(operator_inputs.materials, env.space, wanted)
    materials = env.db.read(succession.with_successors, env.space, materials)
    stands = sorted({supply.stands for material in materials.values() for supply in material.supplies if supply.stands})
    texts = env.db.read(operator_inputs.texts, env.space, stands)
    starts = _starts(env, candidates, retractions)
    ready: list[Rebuild] = []
    failed: list[Rebuild] = []
    for candidate in candidates:
        material = materials[candidate.id]
        obstacle = _obstacle(candidate, material, texts)
        if obstacle is not None:
            failed.append(Rebuild(candidate).fail(*obstacle))
            continue
        content, blob = starts.get(candidate.id, (None, None))
        context = Context(
            key=candidate.key,
            kind=candidate.kind,
            arch=candidate.arch,
            recipe=material.recipe,
            interfaces=contracts.fresh(),
            previous=content,
            previous_blob=blob,
            supports=_supports(material, texts),
        )
        operator = env.registry.find(candidate.operator) or _unknown(candidate)
        retracted = retractions.behind(candidate.id)
        cleared = clear_context(operator, context, retracted, frequency)
        rebuild = Rebuild(candidate, material.supplies, material.embedded, material.metadata, cleared)
        if cleared.fault:
            failed.append(rebuild.fail(Outcome.REJECTED, cleared.fault))
            continue
        job = checked_job(
            operator, replace(context, recipe=cleared.recipe), retracted, frequency, retractions.corrected
        )
        ready.append(replace(rebuild, job=job))
    return ready, failed


def _unknown(candidate: Candidate) -> Operator:
    """For an operator that the plan's worker knew and this one does not: an attempt that fails and says so."""

    def fail(context: Context) -> None:
        raise BadInput(f"operator {candidate.operator} is not registered here")

    return Operator(str(candidate.operator), candidate.mode, SupportNeed.ALL, fail)


def _obstacle(candidate: Candidate, material: Material, texts: Mapping[str, Text]) -> tuple[Outcome, str] | None:
    """Why a candidate cannot be built now, if it cannot."""
    standing = {supply.planned for supply in material.supplies if supply.stands in texts}
    names = dict(zip(candidate.predecessor_ids, candidate.predecessors, strict=False))
    for id_ in candidate.predecessor_ids:
        if id_ not in standing:
            return Outcome.PREDECESSOR_MISSING, f"needs {names.get(id_, id_)}, which did not come back"
    for id_ in candidate.support_ids:
        if id_ not in standing:
            return Outcome.CONFLICT, f"a source that it rests on left service meanwhile ({id_})"
    for supply in material.supplies:
        if supply.stands in texts and texts[supply.stands].fault:
            return Outcome.NOT_EXECUTABLE, f"its source {texts[supply.stands].key} {texts[supply.stands].fault}"
    return None


def _supports(material: Material, texts: Mapping[str, Text]) -> tuple[LiveSource, ...]:
    sources = [_source(supply, texts[supply.stands]) for supply in material.supplies]
    return tuple(sorted(sources, key=lambda source: (source.key, source.role or "")))


def _source(supply: Supply, text: Text) -> LiveSource:
    return LiveSource(text.key, supply.role, Kind(text.kind), text.content, text.blob, text.metadata)


def _starts(
    env: Environment, candidates: Sequence[Candidate], retractions: Retractions
) -> dict[str, tuple[str, bytes | None]]:
    """Return the former content of those whose operator starts from it, and may."""
    ids = [candidate.id for candidate in candidates if _may_see_previous(candidate, env.registry, retractions)]
    return env.db.read(operator_inputs.previous, env.space, ids) if ids else {}


def _may_see_previous(candidate: Candidate, registry: Registry, retractions: Retractions) -> bool:
    """Unlearning starts from the weights; a rewriting operator from a text that nothing retracted stands behind."""
    if candidate.mode is Mode.PARAM:
        return True
    operator = registry.find(candidate.operator)
    return operator is not None and operator.previous and not retractions.touches(candidate.id)
