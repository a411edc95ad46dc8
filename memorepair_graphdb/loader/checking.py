"""Holds lines against the graph: what is here already, what is new, and what forbids it.

The law of the room: everything is checked before anything is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

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


class Checked(NamedTuple):
    """What is to be written."""

    new: list[Line]
    near: list[tuple[str, str, float]]
    """semantic edges of what is new or in service as its line says: an earlier load may have ended before them"""
    dimensions: int | None
    """the length of the embeddings, where the vector index is still to be declared"""


def checked(env: Environment, read: Sequence[Line]) -> Checked:
    """Compare with the graph; raises `BadInput` for what a line names wrongly, `Refused` for what its key forbids."""
    known = _known(env, read)
    states = {line.number: _state(env, line, known) for line in read}
    new = [line for line in read if states[line.number] is None]
    serving = [line for line in read if states[line.number] in (None, "Visible")]
    _check_named(new, known)
    _check_obstacles(env, new)
    new = _embedded(env, new)
    dimensions = _check_embeddings(env, new)
    return Checked(new, [(line.draft.key, key, score) for line in serving for key, score in line.near], dimensions)


def _known(env: Environment, read: Sequence[Line]) -> dict[str, list[Known]]:
    keys = {line.draft.key for line in read}
    for line in read:
        keys.update(source.ref for source in line.draft.sources)
        keys.update(key for key, _ in line.near)
    found: dict[str, list[Known]] = {}
    for part in batches(sorted(keys), _READ):
        found |= env.db.read(bulk.known, env.space, part)
    return found


def _state(env: Environment, line: Line, known: dict[str, list[Known]]) -> str | None:
    """The state of the version that says what the line says; the one in service if there are several, None if none."""
    said = {v.state for v in known.get(line.draft.key, ()) if v.says(line.draft, env.tombstone_key)}
    return "Visible" if "Visible" in said else next(iter(sorted(said)), None)


def _check_named(new: Sequence[Line], known: dict[str, list[Known]]) -> None:
    there = {line.draft.key for line in new}
    there |= {key for key, versions in known.items() if any(version.state == "Visible" for version in versions)}
    faults = []
    for line in new:
        named = [("source", source.ref) for source in line.draft.sources] + [("near", key) for key, _ in line.near]
        for what, key in named:
            if key not in there:
                state = "is out of service" if key in known else "is unknown in this space"
                faults.append(f"line {line.number}: {line.draft.key} names {what} {key}, which {state}")
    raise_faults(faults)


def _check_obstacles(env: Environment, new: Sequence[Line]) -> None:
    numbers = {line.draft.key: line.number for line in new}
    found = [
        obstacle
        for part in batches([line.draft for line in new], _READ)
        for obstacle in env.db.read(bulk.obstacles, env.space, part, env.tombstone_key)
    ]
    kinds = {obstacle.error for obstacle in found}
    raise_faults(
        [f"line {numbers[obstacle.key]}: {obstacle.key} {obstacle.reason}" for obstacle in found],
        kinds.pop() if len(kinds) == 1 else Refused,
    )


def _embedded(env: Environment, new: list[Line]) -> list[Line]:
    """The lines, those that bring no embedding with the embedder's, where there is one."""
    if env.embedder is None:
        return new
    made: dict[int, Line] = {}
    for part in batches([line for line in new if line.draft.embedding is None], _EMBED):
        vectors = env.embedder([line.draft.content for line in part])
        if len(vectors) != len(part):
            raise BadInput(f"the embedder gave {len(vectors)} vectors for {len(part)} texts")
        for line, vector in zip(part, vectors, strict=True):
            try:
                draft = line.draft.model_copy(update={"embedding": as_embedding(vector)})
            except ValueError as error:
                raise BadInput(f"line {line.number}: what the embedder made of {line.draft.key} {error}") from error
            made[line.number] = line._replace(draft=draft)
    return [made.get(line.number, line) for line in new]


def _check_embeddings(env: Environment, new: Sequence[Line]) -> int | None:
    lengths = {line.number: len(line.draft.embedding) for line in new if line.draft.embedding is not None}
    if not lengths:
        return None
    there = env.db.read(schema.embedding_dimensions)
    usual = Counter(lengths.values()).most_common(1)[0][0] if there is None else there
    whose = "most lines have" if there is None else "this database's vector index takes"
    raise_faults(
        [
            f"line {number}: its embedding has {length} numbers, and {whose} {usual}"
            for number, length in lengths.items()
            if length != usual
        ]
    )
    return usual if there is None else None
