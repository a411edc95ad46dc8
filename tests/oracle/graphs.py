"""Random memories and events, described neutrally: no ids, no states, nothing of the package.

Plain frozen data; the same seed gives the same world on every machine.

To build a world in a real database: register `OPERATORS` (their estimate is a constant), create `artifacts` in order,
add each of `links` with no role and no requirement, withdraw each of `earlier` (and leave those events open), then
preview or withdraw `event`. What must come of it is in `planning.expected`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

OPERATORS = {
    "recompute_all@1": ("recompute", "all", 1.0),
    "recompute_some@1": ("recompute", "available", 4.0),
    "regen_all@1": ("regen", "all", 2.0),
    "regen_some@1": ("regen", "available", 1.0),
    "param_all@1": ("param", "all", 3.0),
    "param_some@1": ("param", "available", 0.5),
}
"""name → (mode, what it needs of sources that do not say it themselves, its estimate in tokens)"""

UNKNOWN = "lost@1"
"""An operator that is never registered."""


@dataclass(frozen=True)
class SourceSpec:
    key: str
    role: str | None = None
    required: bool | str | None = None
    """True, False, "any", or None for what the operator declares"""


@dataclass(frozen=True)
class ArtifactSpec:
    key: str
    kind: str
    arch: str | None = None
    operator: str | None = None
    value: float | None = None
    cost: float | None = None
    embedded: bool = False
    tool: str | None = None
    sources: tuple[SourceSpec, ...] = ()


@dataclass(frozen=True)
class EventSpec:
    type: str
    """delete, correct or migrate"""
    roots: tuple[str, ...]
    replaced: frozenset[str] = frozenset()
    """roots that get new content; of a correction all, of a deletion none, of a migration some"""


@dataclass(frozen=True)
class World:
    artifacts: tuple[ArtifactSpec, ...]
    """sources before what is made from them"""
    links: tuple[tuple[str, str], ...]
    """(source, target): influence added afterwards; makes cycles"""
    earlier: tuple[EventSpec, ...]
    """withdrawn before, and not repaired"""
    event: EventSpec
    tradeoff: str
    embedder: bool
    without_embeddings: bool

    @property
    def edges(self) -> list[tuple[str, SourceSpec]]:
        """(target, source) of every influence edge."""
        made = [(artifact.key, source) for artifact in self.artifacts for source in artifact.sources]
        return made + [(target, SourceSpec(source)) for source, target in self.links]


def random_world(seed: int, *, derived: int = 8, parallel_edges: bool = False) -> World:
    """A small world with every rule of planning in reach; at most `derived` derived artifacts.

    With `parallel_edges` one source may stand twice under one artifact, in different roles.
    """
    rng = random.Random(f"small {seed}")
    artifacts = [
        ArtifactSpec(f"doc/{i}", "record", tool=f"tool{i}" if rng.random() < 0.4 else None)
        for i in range(rng.randint(1, 4))
    ]
    for i in range(rng.randint(1, derived)):
        artifacts.append(_derived(rng, i, artifacts, parallel_edges))
    links = _links(rng, artifacts) if rng.random() < 0.25 else ()
    earlier = _earlier(rng, artifacts) if rng.random() < 0.5 else ()
    return World(
        artifacts=tuple(artifacts),
        links=links,
        earlier=earlier,
        event=_event(rng, artifacts, links, earlier),
        tradeoff=rng.choice(["0", "0.1", "0.25", "0.3", "0.5", "0.5", "0.75", "1", "1", "1.5", "2", "3"]),
        embedder=rng.random() < 0.6,
        without_embeddings=rng.random() < 0.3,
    )


def large_world(seed: int, size: int, tradeoff: str = "0.5") -> World:
    """A deep world of `size` derived artifacts, most of them repairable, after the deletion of one of ten records."""
    rng = random.Random(f"large {seed}")
    artifacts = [ArtifactSpec(f"doc/{i}", "record") for i in range(10)]
    for i in range(size):
        kind, arch = rng.choice([("cache", None), ("summary", None), ("skill", "prompt"), ("skill", "chain")])
        mode = "recompute" if kind == "cache" else "regen"
        near = [artifact.key for artifact in artifacts[-60:]]
        keys = rng.sample(near, rng.randint(1, 2)) + ["doc/1"] * (rng.random() < 0.3)
        if i < 30:
            keys.append("doc/0")
        artifacts.append(
            ArtifactSpec(
                f"d/{i:03}",
                kind,
                arch,
                UNKNOWN if rng.random() < 0.01 else f"{mode}_{'all' if rng.random() < 0.2 else 'some'}@1",
                value=rng.randint(0, 9),
                cost=rng.choice([None, rng.randint(0, 40), rng.randint(0, 400) / 10]),
                sources=tuple(
                    SourceSpec(key, None, False if key == "doc/0" else rng.choice([None, None, False]))
                    for key in dict.fromkeys(keys)
                ),
            )
        )
    return World(tuple(artifacts), (), (), EventSpec("delete", ("doc/0",)), tradeoff, True, False)


_MODES = {
    ("record", None): "regen",
    ("cache", None): "recompute",
    ("summary", None): "regen",
    ("skill", "prompt"): "regen",
    ("skill", "chain"): "regen",
    ("skill", "neural"): "param",
}


def _derived(rng: random.Random, number: int, before: list[ArtifactSpec], parallel_edges: bool) -> ArtifactSpec:
    kind = rng.choices(["record", "cache", "summary", "skill"], [5, 30, 35, 30])[0]
    arch = rng.choice(["neural", "prompt", "chain"]) if kind == "skill" else None
    fitting = [name for name in OPERATORS if OPERATORS[name][0] == _MODES[kind, arch]]
    others = [name for name in OPERATORS if name not in fitting]
    operator = rng.choices([rng.choice(fitting), None, UNKNOWN, rng.choice(others)], [84, 4, 6, 6])[0]
    figures = [None, 0, 1, 1, 2, 3, 4, 0.5, 0.1]
    return ArtifactSpec(
        f"d/{number}",
        kind,
        arch,
        operator,
        value=rng.choice(figures),
        cost=rng.choice(figures),
        embedded=rng.random() < 0.15,
        sources=tuple(_sources(rng, before, parallel_edges)),
    )


def _sources(rng: random.Random, before: list[ArtifactSpec], parallel_edges: bool) -> list[SourceSpec]:
    keys = [artifact.key for artifact in before]
    chosen = rng.sample(keys, min(len(keys), rng.choice([1, 1, 2, 2, 3, 4])))
    if parallel_edges and rng.random() < 0.3:
        chosen.append(rng.choice(chosen))
    sources: list[SourceSpec] = []
    for key in chosen:
        source = SourceSpec(
            key, rng.choice([None, "a", "b"]), rng.choice([None, None, True, False, False, "any", "any"])
        )
        if all((source.key, source.role) != (other.key, other.role) for other in sources):
            sources.append(source)
    return sources


def _links(rng: random.Random, artifacts: list[ArtifactSpec]) -> tuple[tuple[str, str], ...]:
    derived = [artifact for artifact in artifacts if artifact.sources]
    links = set()
    for _ in range(rng.randint(1, 2)):
        source, target = rng.choice(derived), rng.choice(derived)
        if source.key != target.key and all(known.key != source.key for known in target.sources):
            links.add((source.key, target.key))
    return tuple(sorted(links))


def _earlier(rng: random.Random, artifacts: list[ArtifactSpec]) -> tuple[EventSpec, ...]:
    """One or two events on records that were not derived."""
    records = [artifact for artifact in artifacts if not artifact.sources]
    events = []
    for record in rng.sample(records, min(len(records) - 1, rng.choice([1, 1, 2]))):
        replaces = rng.random() < 0.4
        types = {True: "migrate", False: "correct"}
        type_ = types[record.tool is not None] if replaces else "delete"
        events.append(EventSpec(type_, (record.key,), frozenset({record.key} if replaces else ())))
    return tuple(events)


def _event(
    rng: random.Random,
    artifacts: list[ArtifactSpec],
    links: tuple[tuple[str, str], ...],
    earlier: tuple[EventSpec, ...],
) -> EventSpec:
    gone = {root for event in earlier for root in event.roots if root not in event.replaced}
    live = [artifact for artifact in artifacts if artifact.key not in gone]
    plain = [a.key for a in live if a.tool is None and (not a.sources or not earlier)]
    tools = [a.key for a in live if a.tool is not None]
    records = [a.key for a in live if not a.sources]
    type_ = rng.choice(["delete", "delete", "correct", "migrate"])
    count = rng.choice([1, 1, 1, 2])
    if type_ == "correct" and plain:
        roots = rng.sample(plain, min(count, len(plain)))
        return EventSpec(type_, tuple(roots), frozenset(roots))
    if type_ == "migrate" and tools:
        roots = rng.sample(tools, min(count, len(tools)))
        return EventSpec(type_, tuple(roots), frozenset(root for root in roots if rng.random() < 0.6))
    pool = records if rng.random() < 0.7 else [artifact.key for artifact in live]
    return EventSpec("delete", tuple(rng.sample(pool, min(count, len(pool)))))
