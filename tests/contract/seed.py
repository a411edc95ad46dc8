"""One space that holds something of everything: every kind, every state, events that are open, closed and erased.

Made through the public face alone, as a user would.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memorepair_graphdb import Context, MemoRepair, Payload, Registry, RepairEvent

if TYPE_CHECKING:
    from neo4j import Driver

    from memorepair_graphdb.model.arguments import KindLike

CONTRACT = {"name": "weather", "description": "the weather", "inputSchema": {"type": "object", "properties": {}}}

CLOSED, FAILED, ERASED, OPEN = "event/closed", "event/failed", "event/erased", "event/open"


@dataclass(frozen=True)
class Seed:
    """The space, and what a statement may be asked about in it."""

    memory: MemoRepair
    driver: Driver
    dimensions: int

    @property
    def space(self) -> str:
        """The name of the space."""
        return self.memory.space

    def id_of(self, key: str) -> str:
        """The id of the newest version of a key."""
        return self.memory.versions(key)[0].id

    def embedding(self, first: float = 1.0) -> list[float]:
        """A vector of the length that this database takes."""
        return [first, *[0.5] * (self.dimensions - 1)]


def registry() -> Registry:
    """Operators that do what they can, and one that fails."""
    made = Registry.default()

    @made.operator("copy@1", mode="recompute")
    def copy(context: Context) -> str:
        return " ".join(source.content for source in context.supports)

    @made.operator("digest@1", mode="regen", support="available")
    def digest(context: Context) -> Payload:
        return Payload(" ".join(source.content for source in context.supports), metadata={"by": "digest"}, spent=3.0)

    @made.operator("broken@1", mode="regen", support="available")
    def broken(context: Context) -> str:
        raise RuntimeError("as ordered")

    return made


def sow(driver: Driver, space: str, dimensions: int) -> Seed:
    """Fill the space."""
    memory = MemoRepair(driver, space=space, registry=registry(), embedder=None, without_embeddings=True)
    memory.setup(dimensions=dimensions)
    seed = Seed(memory, driver, dimensions)
    _remember(seed)
    _repair(seed)
    return seed


def _remember(seed: Seed) -> None:
    memory = seed.memory
    memory.record(CONTRACT, key="doc/weather", tool="weather", value=2, cost=1)
    for number in range(1, 7):
        memory.record(
            f"fact {number} tells of rain",
            key=f"fact/{number}",
            metadata={"n": number},
            embedding=seed.embedding(number),
        )
    _derive(seed, "cache/1", "cache", ["fact/1", "doc/weather"], "copy@1", value=3, cost=120)
    _derive(seed, "summary/1", "summary", ["cache/1", "fact/2"], "digest@1", embedding=seed.embedding(-1.0))
    _derive(seed, "skill/1", "skill", ["summary/1"], "digest@1", arch="prompt")
    _derive(seed, "skill/neural", "skill", ["fact/3"], None, arch="neural", blob=b"\x00weights")
    _derive(seed, "summary/broken", "summary", ["fact/4"], "broken@1")
    _derive(seed, "summary/waiting", "summary", ["fact/5"], "digest@1")
    _derive(seed, "skill/waiting", "skill", ["summary/waiting", "fact/6"], "digest@1", arch="chain")
    memory.load(
        [
            {"key": "fact/7", "kind": "record", "content": "seven", "semantic": [{"key": "fact/1", "score": 0.8}]},
            {"key": "ring/1", "kind": "summary", "content": "one", "influenced_by": ["ring/2", "fact/7"]},
            {
                "key": "ring/2",
                "kind": "summary",
                "content": "two",
                "influenced_by": [{"key": "ring/1", "required": "any"}],
            },
        ]
    )


def _derive(seed: Seed, key: str, kind: KindLike, sources: list[str], operator: str | None, **about: Any) -> None:
    edges = [{"key": source, "role": f"role/{place}", "required": None} for place, source in enumerate(sources)]
    seed.memory.derive(
        f"what {key} says", key=key, kind=kind, influenced_by=edges, operator=operator, recipe={"of": key}, **about
    )


def _repair(seed: Seed) -> None:
    memory = seed.memory
    memory.repair(RepairEvent.delete(["fact/3"], reason="asked to forget", id=ERASED))
    memory.erase(ERASED)
    memory.repair(RepairEvent.correct({"fact/1": "fact 1 tells of snow"}, actor="a test", id=CLOSED))
    memory.repair(RepairEvent.correct({"fact/4": "fact 4 tells of snow"}, id=FAILED))
    memory.withdraw(RepairEvent.correct({"fact/5": "fact 5 tells of snow"}, reason="waits for a worker", id=OPEN))
