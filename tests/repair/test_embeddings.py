"""Embedded artifacts: with an embedder, without one, with one that fails; and what vector search finds.

An artifact that is out of service is near to nothing; one that came back is found where it is now.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest

from memorepair_graphdb import Context, Payload, Registry, RepairEvent
from memorepair_graphdb.errors import BadInput
from tests.harness.fake_operators import Embedder, Staff, word

if TYPE_CHECKING:
    from memorepair_graphdb import MemoRepair

KEYS = ("doc", "kept", "note", "on")


def laid_down(mr: MemoRepair) -> None:
    for key in ("doc", "kept"):
        mr.record(word(key), key=key)
    mr.derive(word("note"), key="note", kind="summary", influenced_by=["doc", "kept"], operator="regen_some@1")
    mr.derive(word("on"), key="on", kind="summary", influenced_by=["note"], operator="regen_all@1")


def nearest(mr: MemoRepair, embedder: Embedder, text: str) -> list[tuple[str, int | None]]:
    """Keys and versions of all that is found by the vector of a text, the nearest first."""
    hits = mr.search(embedding=embedder.vector(text), k=10)
    return [(hit.artifact.key, hit.artifact.version) for hit in hits]


@pytest.fixture
def embedder(dimensions: int) -> Embedder:
    return Embedder(dimensions)


def test_successors_are_embedded_again_and_found_by_what_they_say_now(memory, embedder: Embedder):
    mr = memory(registry=Staff().registry, embedder=embedder)
    laid_down(mr)
    assert nearest(mr, embedder, word("note"))[0] == ("note", 1)
    event = RepairEvent.delete(["doc"])
    mr.withdraw(event)
    assert nearest(mr, embedder, word("note")) == [("kept", 1)]
    assert mr.resume(event.id).counts == {"published": 2, "removed": 1}
    note = mr.get("note")
    assert note.embedding == tuple(embedder.vector(note.content))
    assert nearest(mr, embedder, note.content)[0] == ("note", 2)
    assert sorted(nearest(mr, embedder, word("note"))) == [("kept", 1), ("note", 2), ("on", 2)]


def test_without_an_embedder_what_was_embedded_is_not_executable(memory, embedder: Embedder):
    laid_down(memory(registry=Staff().registry, embedder=embedder))
    mr = memory(registry=Staff().registry)
    event = RepairEvent.delete(["doc"])
    report = mr.repair(event)
    assert report.outcomes == {"doc": "removed", "note": "not_executable", "on": "not_executable"}
    assert report.reasons["note"] == "there is no embedder to embed its successor"
    again = memory(registry=Staff().registry, embedder=embedder).retry(event.id)
    assert again.counts == {"published": 2, "removed": 1}


def test_told_to_go_without_embeddings_successors_come_back_to_text_search_alone(memory, embedder: Embedder):
    laid_down(memory(registry=Staff().registry, embedder=embedder))
    mr = memory(registry=Staff().registry, without_embeddings=True)
    assert mr.repair(RepairEvent.delete(["doc"])).counts == {"published": 2, "removed": 1}
    assert [mr.get(key).embedding for key in ("note", "on")] == [None, None]
    assert nearest(mr, embedder, word("note")) == [("kept", 1)]
    assert [hit.artifact.key for hit in mr.search(mr.get("note").content, by="text")] == ["note"]


def test_the_replacement_of_an_embedded_root_gets_its_embedding_after_the_barrier(memory, embedder: Embedder):
    mr = memory(registry=Staff().registry, embedder=embedder)
    laid_down(mr)
    event = RepairEvent.correct({"doc": word("corrected")})
    mr.withdraw(event)
    assert mr.get("doc").embedding is None
    assert nearest(mr, embedder, word("corrected")) == [("kept", 1)]
    mr.resume(event.id)
    assert mr.get("doc").embedding == tuple(embedder.vector(word("corrected")))
    assert nearest(mr, embedder, word("corrected"))[0] == ("doc", 2)


class Failing(Embedder):
    """An embedder that gives something else."""

    def __init__(self, dimensions: int, gives) -> None:
        super().__init__(dimensions)
        self.gives = gives

    def __call__(self, texts):
        return self.gives(texts)


def away(texts):
    raise ConnectionError("the model is away")


FAILURES = {
    "raises": (away, "ConnectionError: the model is away"),
    "too few": (lambda texts: [], "the embedder gave 0 vectors for 1 texts"),
    "too many": (lambda texts: [[1.0] * 4] * (len(texts) + 1), "the embedder gave 2 vectors for 1 texts"),
    "none": (lambda texts: None, "TypeError: 'NoneType' object is not iterable"),
    "no vectors": (lambda texts: [None for _ in texts], "its embedding is no list of numbers, but NoneType"),
    "zero": (lambda texts: [[0.0] * 4 for _ in texts], "its embedding has no direction"),
    "not finite": (lambda texts: [[float("nan")] * 4 for _ in texts], "its embedding holds NaN or an infinity"),
    "another length": (lambda texts: [[1.0] * 13 for _ in texts], "an embedding has 13 numbers, and this database's"),
}


@pytest.mark.parametrize("name", FAILURES)
def test_an_embedder_that_fails_costs_the_successor_and_not_the_repair(memory, embedder: Embedder, name: str, caplog):
    gives, said = FAILURES[name]
    good = memory(registry=Staff().registry, embedder=embedder)
    laid_down(good)
    mr = memory(registry=Staff().registry, embedder=Failing(embedder.dimensions, gives))
    event = RepairEvent.correct({"doc": word("corrected")})
    with caplog.at_level(logging.WARNING, "memorepair_graphdb"):
        report = mr.repair(event)
    assert report.outcomes == {"doc": "replaced", "note": "operator_failed", "on": "predecessor_missing"}
    assert report.reasons["note"].startswith(f"its successor could not be embedded: {said}")
    assert mr.get("doc").embedding is None
    assert said in caplog.text
    assert good.retry(event.id).outcomes == {"doc": "replaced", "note": "published", "on": "published"}
    assert mr.get("doc").embedding == tuple(embedder.vector(word("corrected")))


@pytest.mark.parametrize("name", [name for name in FAILURES if name != "raises"])
def test_what_an_embedder_gives_is_checked_before_anything_is_recorded_or_searched(
    memory, embedder: Embedder, name: str
):
    mr = memory(registry=Staff().registry, embedder=Failing(embedder.dimensions, FAILURES[name][0]))
    with pytest.raises(BadInput, match="embed"):
        mr.record("text", key="doc")
    with pytest.raises(BadInput, match="embed"):
        mr.search("text")
    assert mr.get("doc") is None


def test_an_operator_may_bring_its_own_embedding_and_one_of_another_length_is_refused(memory, embedder: Embedder):
    registry = Registry()
    own = [float(n + 1) for n in range(embedder.dimensions)]

    @registry.operator("own@1", mode="regen", support="available")
    def brings(context: Context) -> Payload:
        return Payload(f"new {context.key}", embedding=[*own, 1.0] if context.key == "long" else own)

    mr = memory(registry=registry)
    for key in ("doc", "kept"):
        mr.record(word(key), key=key)
    for key in ("fits", "long"):
        mr.derive(word(key), key=key, kind="summary", influenced_by=["doc", "kept"], operator="own@1")
    report = mr.repair(RepairEvent.delete(["doc"]))
    assert report.outcomes == {"doc": "removed", "fits": "published", "long": "operator_failed"}
    assert f"has {embedder.dimensions + 1} numbers" in report.reasons["long"]
    assert mr.get("fits").embedding == tuple(own)


def test_what_was_never_embedded_stays_so(memory, embedder: Embedder):
    laid_down(memory(registry=Staff().registry))
    mr = memory(registry=Staff().registry, embedder=embedder)
    assert mr.repair(RepairEvent.correct({"doc": word("corrected")})).counts == {"published": 2, "replaced": 1}
    assert [mr.get(key).embedding for key in ("doc", "note", "on")] == [None] * 3
