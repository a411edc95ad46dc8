"""Compares lines with the graph: what is there already, what is new, and what forbids it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..environment import batches
from ..errors import BadInput, Refused
from ..model.numbers import as_embedding
from ..store import bulk, schema
from .lines import raise_faults

if TYPE_CHECKING:
    from ..environment import Environment
    from ..model.wire import Line
    from ..store.bulk import Known

_READ = 5_000
_EMBED = 256


@dataclass(frozen=True, slots=True)
class ToWrite:
    """What of a file is to be written."""

    new: list[Line]
    near: list[tuple[str, str, float]]
    """semantic edges of what is new or in service as its line says: an earlier load may have ended before them"""
    dimensions: int | None
    """the length of the embeddings, where the vector index is still to be declared"""


def check(env: Environment, read: Sequence[Line]) -> ToWrite:
    """Compare with the graph; raises `BadInput` for what a line names wrongly, `Refused` for what its key forbids."""
    known = _read_known(env, read)
    states = {line.number: _find_state(env, line, known) for line in read}
    new = [line for line in read if states[line.number] is None]
    serving = [line for line in read if states[line.number] in (None, "Visible")]
    _check_named(new, known)
    _check_recipes(env, new)
    _check_obstacles(env, new)
    new = _embed(env, new)
    dimensions = _check_embeddings(env, new)
    return ToWrite(new, [(line.draft.key, key, score) for line in serving for key, score in line.near], dimensions)


def _read_known(env: Environment, read: Sequence[Line]) -> dict[str, list[Known]]:
    keys = {line.draft.key for line in read}
    for line in read:
        keys.update(source.ref for source in line.draft.sources)
        keys.update(key for key, _ in line.near)
    known: dict[str, list[Known]] = {}
    for part in batches(sorted(keys), _READ):
        known |= env.db.read(bulk.read_versions, env.space, part)
    return known


def _find_state(env: Environment, line: Line, known: dict[str, list[Known]]) -> str | None:
    """Return the state of the version that equals the line; of several the visible one's, None where there is none."""
    states = {v.state for v in known.get(line.draft.key, ()) if v.equals(line.draft, env.tombstone_key)}
    return "Visible" if "Visible" in states else next(iter(sorted(states)), None)


def _check_named(new: Sequence[Line], known: dict[str, list[Known]]) -> None:
    in_service = {line.draft.key for line in new}
    in_service |= {key for key, versions in known.items() if any(version.state == "Visible" for version in versions)}
    faults = []
    for line in new:
        references = [("source", source.ref) for source in line.draft.sources] + [("near", key) for key, _ in line.near]
        for what, key in references:
            if key not in in_service:
                state = "is out of service" if key in known else "is unknown in this space"
                faults.append(f"line {line.number}: {line.draft.key} names {what} {key}, which {state}")
    raise_faults(faults)


def _check_recipes(env: Environment, new: Sequence[Line]) -> None:
    faults = []
    for line in new:
        recipe = None if line.draft.recipe is None else json.loads(line.draft.recipe)
        try:
            env.registry.check_recipe(line.draft.operator, recipe, line.draft.key)
        except BadInput as error:
            faults.append(f"line {line.number}: {error}")
    raise_faults(faults)


def _check_obstacles(env: Environment, new: Sequence[Line]) -> None:
    numbers = {line.draft.key: line.number for line in new}
    obstacles = [
        obstacle
        for part in batches([line.draft for line in new], _READ)
        for obstacle in env.db.read(bulk.find_obstacles, env.space, part, env.tombstone_key)
    ]
    kinds = {obstacle.error for obstacle in obstacles}
    raise_faults(
        [f"line {numbers[obstacle.key]}: {obstacle.key} {obstacle.reason}" for obstacle in obstacles],
        kinds.pop() if len(kinds) == 1 else Refused,
    )


def _embed(env: Environment, new: list[Line]) -> list[Line]:
    """Return the lines, those without an embedding with the embedder's, where there is one."""
    if env.embedder is None:
        return new
    embedded: dict[int, Line] = {}
    for part in batches([line for line in new if line.draft.embedding is None], _EMBED):
        vectors = env.embedder([line.draft.content for line in part])
        if len(vectors) != len(part):
            raise BadInput(f"the embedder gave {len(vectors)} vectors for {len(part)} texts")
        for line, vector in zip(part, vectors, strict=True):
            try:
                draft = line.draft.model_copy(update={"embedding": as_embedding(vector)})
            except ValueError as error:
                raise BadInput(f"line {line.number}: what the embedder made of {line.draft.key} {error}") from error
            embedded[line.number] = replace(line, draft=draft)
    return [embedded.get(line.number, line) for line in new]


def _check_embeddings(env: Environment, new: Sequence[Line]) -> int | None:
    lengths = {line.number: len(line.draft.embedding) for line in new if line.draft.embedding is not None}
    if not lengths:
        return None
    declared = env.db.read(schema.embedding_dimensions)
    usual = Counter(lengths.values()).most_common(1)[0][0] if declared is None else declared
    whose = "most lines have" if declared is None else "this database's vector index takes"
    raise_faults(
        [
            f"line {number}: its embedding has {length} numbers, and {whose} {usual}"
            for number, length in lengths.items()
            if length != usual
        ]
    )
    return usual if declared is None else None
