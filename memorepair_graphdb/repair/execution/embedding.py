"""Step 4b: the embeddings of successors, and of the replacements of embedded roots.

The law of the room: a vector is stored only where the index can hold it; an embedder that fails costs what it was asked
for, never the repair.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from ...environment import batches
from ...errors import BadInput, describe
from ...model.numbers import as_embedding
from ...model.vocabulary import Outcome
from ...store import operator_inputs, schema
from ...store import publication as graph
from .publication import Ending

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...environment import Embedder, Environment
    from .publication import Successor

_BATCH = 256
_log = logging.getLogger(__name__)

Vector = tuple[float, ...]


def embed_one(embedder: Embedder, text: str) -> Vector:
    """The embedding of one text; raises `BadInput` for what is none, and whatever the embedder itself raises."""
    given = embedder([text])
    try:
        (vector,) = given
        return as_embedding(vector)
    except (TypeError, ValueError) as error:
        raise BadInput(f"the embedder gave no vector for one text: {error}") from error


def embed_replacements(env: Environment, event_id: str) -> None:
    """Give the replacements of embedded roots their embeddings; the barrier did not wait for them."""
    if env.embedder is None:
        return
    waiting = env.db.read(operator_inputs.unembedded_replacements, env.space, event_id)
    made = _Vectors(env).of([content for _, content, _ in waiting])
    for (id_, _, hash_), vector in zip(waiting, made, strict=True):
        if isinstance(vector, Exception):
            _log.warning("the replacement %s is found by text only: %s", id_, describe(vector))
        else:
            env.db.write(graph.set_embedding, env.space, event_id, id_, hash_, vector)


def embedded(env: Environment, successors: Sequence[Successor]) -> tuple[list[Successor], list[Ending]]:
    """Embed the successors of embedded artifacts, unless told to go without; and the endings where that failed."""
    vectors = _Vectors(env)
    asked = [one for one in successors if _is_asked(env, one)]
    found = vectors.of([one.payload.content for one in asked])
    made = {one.ready.candidate.id: vector for one, vector in zip(asked, found, strict=True)}
    done: list[Successor] = []
    endings: list[Ending] = []
    for one in successors:
        own = one.payload.embedding
        vector = made.get(one.ready.candidate.id) if own is None else vectors.fitting(own)
        if isinstance(vector, Exception):
            reason = f"its successor could not be embedded: {describe(vector)}"
            endings.append(
                Ending(one.ready.candidate, Outcome.OPERATOR_FAILED, reason, one.attempt.checks, one.attempt.spent)
            )
        else:
            done.append(one._replace(embedding=vector))
    return done, endings


def _is_asked(env: Environment, one: Successor) -> bool:
    return one.ready.material.embedded and one.payload.embedding is None and env.embedder is not None


class _Vectors:
    """Vectors that the database's index can hold, each or the reason why not; a length is looked up once."""

    def __init__(self, env: Environment) -> None:
        self._env = env
        self._lengths: set[int] = set()

    def of(self, texts: Sequence[str]) -> Iterator[Vector | Exception]:
        """What the embedder makes of texts, in their order; a batch that it fails on fails whole."""
        for part in batches(texts, _BATCH):
            try:
                given = list((self._env.embedder or _none)(list(part)))
                if len(given) != len(part):
                    raise BadInput(f"the embedder gave {len(given)} vectors for {len(part)} texts")
            except Exception as error:
                yield from [error] * len(part)
            else:
                yield from map(self.fitting, given)

    def fitting(self, given: Any) -> Vector | Exception:
        """The vector, checked; the index is declared for the first one of a database."""
        db = self._env.db
        try:
            vector = as_embedding(given)
            if len(vector) not in self._lengths and not db.read(schema.check_dimensions, len(vector)):
                db.write(schema.declare_embedding, len(vector))
                db.read(schema.await_indexes)
        except ValueError as error:  # BadInput is one
            return error if isinstance(error, BadInput) else BadInput(f"its embedding {error}")
        self._lengths.add(len(vector))
        return vector


def _none(texts: list[str]) -> list[Any]:
    raise BadInput("there is no embedder")
