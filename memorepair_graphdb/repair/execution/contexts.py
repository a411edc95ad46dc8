"""Step 4a: what each operator is given: live sources, contracts in force, the recipe, and nothing withdrawn.

The law of the room: read outside any write; what left service meanwhile makes a candidate fail, never leak.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...model.artifact import Kind
from ...model.vocabulary import Mode, Outcome
from ...operators.protocol.context import Context, Interfaces, LiveSource
from ...store import operator_inputs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...environment import Environment
    from ...model.plan import Candidate
    from ...operators.protocol.registry import Registry
    from ...store.operator_inputs import Material, Supply, Text
    from .retractions import Retractions


class Ready(NamedTuple):
    """A candidate with all that its operator needs."""

    candidate: Candidate
    material: Material
    context: Context
    retracted: tuple[str, ...]


class Unready(NamedTuple):
    """A candidate that lacks a source, and what that makes of it."""

    candidate: Candidate
    outcome: Outcome
    reason: str


def contexts(
    env: Environment, chosen: Sequence[Candidate], contracts: Interfaces, retractions: Retractions
) -> tuple[list[Ready], list[Unready]]:
    """Build the contexts of a batch of candidates whose predecessors are done."""
    wanted = [(c.id, (*c.predecessor_ids, *c.support_ids)) for c in chosen]
    found = env.db.read(operator_inputs.materials, env.space, wanted)
    stands = sorted({supply.stands for material in found.values() for supply in material.supplies if supply.stands})
    texts = env.db.read(operator_inputs.texts, env.space, stands)
    starts = _starts(env, chosen, retractions)
    ready: list[Ready] = []
    unready: list[Unready] = []
    for candidate in chosen:
        material = found[candidate.id]
        missing = _missing(candidate, material, texts)
        if missing is not None:
            unready.append(missing)
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
        ready.append(Ready(candidate, material, context, retractions.behind(candidate.id)))
    return ready, unready


def _missing(candidate: Candidate, material: Material, texts: dict[str, Text]) -> Unready | None:
    """Why a candidate cannot be built now, if it cannot."""
    standing = {supply.planned for supply in material.supplies if supply.stands in texts}
    names = dict(zip(candidate.predecessor_ids, candidate.predecessors, strict=False))
    for id_ in candidate.predecessor_ids:
        if id_ not in standing:
            return Unready(
                candidate, Outcome.PREDECESSOR_MISSING, f"needs {names.get(id_, id_)}, which did not come back"
            )
    for id_ in candidate.support_ids:
        if id_ not in standing:
            return Unready(candidate, Outcome.CONFLICT, f"a source that it rests on left service meanwhile ({id_})")
    return None


def _supports(material: Material, texts: dict[str, Text]) -> tuple[LiveSource, ...]:
    sources = [_source(supply, texts[supply.stands]) for supply in material.supplies]
    return tuple(sorted(sources, key=lambda source: (source.key, source.role or "")))


def _source(supply: Supply, text: Text) -> LiveSource:
    return LiveSource(text.key, supply.role, Kind(text.kind), text.content, text.blob, text.metadata)


def _starts(
    env: Environment, chosen: Sequence[Candidate], retractions: Retractions
) -> dict[str, tuple[str, bytes | None]]:
    """The former content of those whose operator starts from it, and may."""
    ids = [candidate.id for candidate in chosen if _may_see_previous(candidate, env.registry, retractions)]
    return env.db.read(operator_inputs.previous, env.space, ids) if ids else {}


def _may_see_previous(candidate: Candidate, registry: Registry, retractions: Retractions) -> bool:
    """Unlearning starts from the weights; a rewriting operator from a text that nothing retracted stands behind."""
    if candidate.mode is Mode.PARAM:
        return True
    operator = registry.find(candidate.operator)
    return operator is not None and operator.previous and not retractions.touches(candidate.id)
