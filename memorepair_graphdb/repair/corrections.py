"""Compares what a correction or a migration brings with what its roots hold: what changes, and which metadata stays.

It is read before the barrier takes its locks; the barrier takes over of it only what still holds under them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..model.content import canonical_json, same_json
from ..model.vocabulary import EventType
from ..operators.checks.residue import ResidueJudge
from ..store import barrier
from ..store.barrier import Kept, RootChange
from ..store.mapping import parse_json
from .execution.validation import frequency_in

if TYPE_CHECKING:
    from ..environment import Environment
    from ..model.event import RepairEvent
    from ..store.barrier import LiveRoot
    from ..store.transactions import Tx


def compare(env: Environment, event: RepairEvent) -> dict[str, RootChange]:
    """Return, by root as the event names it, what the barrier is to know; nothing for a deletion."""
    changes: dict[str, RootChange] = {}
    for ref, root in _live(env, event).items():
        content = event.replacements[ref]
        same = content is not None and _equals(root, content)
        explicit = ref in event.metadata or event.type is not EventType.CORRECT
        kept = None if explicit or same or content is None else _keep(env, root, content)
        changes[ref] = RootChange(root.content_hash if same else None, kept)
    return changes


def unchanged(tx: Tx, space: str, event: RepairEvent) -> dict[str, str]:
    """Return ref → key of the roots that the event would leave as they are, for a preview."""
    if not event.type.meaning.replaces_roots:
        return {}
    contracts = event.type.meaning.contract_roots
    return {
        ref: root.key
        for ref, root in barrier.read_roots(tx, space, event.roots).items()
        if (content := event.replacements[ref]) is not None and _equals(root, content) and root.contract == contracts
    }


def _live(env: Environment, event: RepairEvent) -> Mapping[str, LiveRoot]:
    if not event.type.meaning.replaces_roots:
        return {}
    return env.db.read(barrier.read_roots, env.space, event.roots)


def _equals(root: LiveRoot, content: str) -> bool:
    return root.comparable and (root.content == content or same_json(root.content, content))


def _keep(env: Environment, root: LiveRoot, content: str) -> Kept:
    """Return what is left of the old metadata without the fields that say what the correction takes out."""
    if not root.metadata:
        return Kept(root.id, "", None, "")
    judge = ResidueJudge((root.content,), (content,), (), frequency_in(env), keys=[root.key])
    old = parse_json(root.metadata)
    if not isinstance(old, dict):
        return Kept(
            root.id, root.metadata, *((None, "all of it") if judge.fault(canonical_json(old)) else (root.metadata, ""))
        )
    faulty = [name for name, value in old.items() if judge.fault(canonical_json({name: value}))]
    if not faulty:
        return Kept(root.id, root.metadata, root.metadata, "")
    left: dict[str, Any] = {name: value for name, value in old.items() if name not in faulty}
    told = ", ".join("a field whose name says it" if judge.fault(name) else f"its {name}" for name in faulty)
    return Kept(root.id, root.metadata, canonical_json(left) if left else None, told)
