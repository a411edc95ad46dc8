"""Embeds successors, and the replacements of embedded roots: step 4b.

A vector is stored only where the index can hold it. An embedder that fails costs the successors that it was asked for,
not the repair.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...environment import batches
from ...errors import BadInput, describe
from ...model.numbers import as_embedding
from ...model.vocabulary import Outcome
from ...store import operator_inputs, schema
from ...store import publication as graph

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...environment import Embedder, Environment
    from .rebuild import Rebuild

_BATCH = 256
_log = logging.getLogger(__name__)

Vector = tuple[float, ...]


def embed_one(embedder: Embedder, text: str) -> Vector:
    """Return the embedding of one text; raises `BadInput` for what is none, and whatever the embedder itself raises."""
    vectors = embedder([text])
    try:
        (vector,) = vectors
        return as_embedding(vector)
    except (TypeError, ValueError) as error:
        raise BadInput(f"the embedder gave no vector for one text: {error}") from error


def embed_replacements(env: Environment, event_id: str) -> None:
    """Give the replacements of embedded roots their embeddings; the barrier did not wait for them."""
    if env.embedder is None:
        return
    waiting = env.db.read(operator_inputs.unembedded_replacements, env.space, event_id)
    vectors = _Vectors(env).of([content for _, content, _ in waiting])
    for (id_, _, hash_), vector in zip(waiting, vectors, strict=True):
        if isinstance(vector, Exception):
            _log.warning("the replacement %s is found by text only: %s", id_, describe(vector))
        else:
            env.db.write(graph.set_embedding, env.space, event_id, id_, hash_, vector)


def embed(env: Environment, successors: Sequence[Rebuild]) -> tuple[list[Rebuild], list[Rebuild]]:
    """Embed the successors of embedded artifacts, unless told to go without; and those where that failed."""
    vectors = _Vectors(env)
    waiting = [successor for successor in successors if _lacks_vector(env, successor)]
    computed = vectors.of([successor.payload.content for successor in waiting])
    by_id = {successor.id: vector for successor, vector in zip(waiting, computed, strict=True)}
    embedded: list[Rebuild] = []
    failed: list[Rebuild] = []
    for successor in successors:
        own = successor.payload.embedding
        vector = by_id.get(successor.id) if own is None else vectors.fitting(own)
        if isinstance(vector, Exception):
            reason = f"its successor could not be embedded: {describe(vector)}"
            failed.append(successor.fail(Outcome.OPERATOR_FAILED, reason))
        else:
            embedded.append(successor if vector is None else replace(successor, embedding=vector))
    return embedded, failed


def _lacks_vector(env: Environment, successor: Rebuild) -> bool:
    return successor.embedded and successor.payload.embedding is None and env.embedder is not None


class _Vectors:
    """Vectors that the database's index can hold, each or the reason why not; a length is looked up once."""

    def __init__(self, env: Environment) -> None:
        self._env = env
        self._lengths: set[int] = set()

    def of(self, texts: Sequence[str]) -> Iterator[Vector | Exception]:
        """Yield what the embedder makes of texts, in their order; a batch that it fails on fails whole."""
        for part in batches(texts, _BATCH):
            try:
                output = list((self._env.embedder or _none)(list(part)))
                if len(output) != len(part):
                    raise BadInput(f"the embedder gave {len(output)} vectors for {len(part)} texts")
            except Exception as error:
                yield from [error] * len(part)
            else:
                yield from map(self.fitting, output)

    def fitting(self, output: Any) -> Vector | Exception:
        """Return the vector, checked; the index is declared for the first one of a database."""
        db = self._env.db
        try:
            vector = as_embedding(output)
            if len(vector) not in self._lengths and not db.read(schema.check_dimensions, len(vector)):
                db.write(schema.declare_embedding, len(vector))
                db.read(schema.await_indexes)
        except ValueError as error:  # BadInput is one
            return error if isinstance(error, BadInput) else BadInput(f"its embedding {error}")
        self._lengths.add(len(vector))
        return vector


def _none(texts: list[str]) -> list[Any]:
    raise BadInput("there is no embedder")
