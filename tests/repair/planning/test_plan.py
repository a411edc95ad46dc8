"""Whole plans against the oracle. The cascade comes from the oracle's world, nothing is faked."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from memorepair_graphdb.model.artifact import Arch, Kind
from memorepair_graphdb.model.cascade import Affected, Influence
from memorepair_graphdb.model.vocabulary import EventType, Standing
from memorepair_graphdb.operators.protocol.registry import Registry
from memorepair_graphdb.repair.planning.plan import plan
from tests.harness.cascades import cascade_of as columns
from tests.oracle import graphs
from tests.oracle import planning as oracle
from tests.oracle.highs import highs_selection


def registry():
    made = Registry()
    for name, (mode, support, _estimate) in graphs.OPERATORS.items():
        made.operator(name, mode=mode, support=support)(lambda context: "")
    return made


REGISTRY = registry()


def cascade_of(world, expected, rng=None):
    """The world as planning gets it; with `rng`, in a random order."""
    affected = [
        Affected(
            id=f"id:{a.key}",
            key=a.key,
            kind=Kind(a.kind),
            arch=None if a.arch is None else Arch(a.arch),
            operator=a.operator,
            value=a.value,
            cost=a.cost,
            embedded=a.embedded,
            root=a.key in world.event.roots,
        )
        for a in world.artifacts
        if a.key in expected.cascade
    ]
    influences = [
        Influence(
            target=f"id:{target}",
            source=f"id:{source.key}",
            source_key=source.key,
            role=source.role,
            required=source.required,
            standing=Standing(expected.standings[target, source.key]),
        )
        for target, source in world.edges
        if (target, source.key) in expected.standings
    ]
    if rng is not None:
        for part in (affected, influences):
            rng.shuffle(part)
    return columns("e", EventType(world.event.type), affected, influences)


def plan_of(world, expected, rng=None, **changed):
    asked = {
        "event": {"type": world.event.type},
        "delta": "{}",
        "replaced": frozenset(f"id:{root}" for root in world.event.replaced),
        "operators": REGISTRY,
        "tradeoff": world.tradeoff,
        "estimate": lambda artifact, edges, operator: graphs.OPERATORS[operator.name][2],
        "embedder": "fake@1" if world.embedder else None,
        "without_embeddings": world.without_embeddings,
    }
    return plan(cascade_of(world, expected, rng), **{**asked, **changed})


def check_against_oracle(made, expected):
    """All but the selection."""
    found = {candidate.key: candidate for candidate in made.candidates}
    assert set(made.cascade) == expected.cascade
    assert {removed.key for removed in made.removed} == expected.removed
    assert {key: c.mode.value for key, c in found.items()} == {k: f.mode for k, f in expected.candidates.items()}
    assert {k for k, c in found.items() if c.executable} == {k for k, f in expected.fates.items() if f.executable}
    for key, candidate in found.items():
        fate = expected.fates[key]
        assert candidate.predecessors == tuple(sorted(fate.predecessors))
        assert candidate.predecessor_ids == tuple(f"id:{source}" for source in candidate.predecessors)
        assert set(candidate.support_ids) == {f"id:{source}" for source in fate.supports}
        assert (Fraction(str(candidate.value)), Fraction(str(candidate.cost))) == expected.figures[key]
        assert candidate.level == 1 + max((found[source].level for source in candidate.predecessors), default=-1)
        assert candidate.reason
    modes = Counter(fate.mode for fate in expected.fates.values())
    assert made.counts == dict(modes)
    assert [(c.level, c.key) for c in made.candidates] == sorted((c.level, c.key) for c in made.candidates)


@pytest.mark.parametrize("block", range(20))
def test_plans_of_random_worlds_equal_the_oracle(block):
    for seed in range(block * 100, block * 100 + 100):
        world = graphs.random_world(seed, parallel_edges=seed % 2 == 1)
        expected = oracle.expected(world)
        made = plan_of(world, expected)
        check_against_oracle(made, expected)
        assert {candidate.key for candidate in made.selected} == oracle.selected(expected, world.tradeoff), seed
        again = plan_of(world, expected, random.Random(seed))
        assert again == made, seed


def test_the_random_worlds_reach_every_rule():
    words: Counter[str] = Counter()
    for seed in range(2000):
        world = graphs.random_world(seed, parallel_edges=seed % 2 == 1)
        made = plan_of(world, oracle.expected(world))
        for told in (*made.removed, *made.candidates):
            words.update(phrase for phrase in PHRASES if phrase in told.reason)
    assert {phrase: words[phrase] for phrase in PHRASES if words[phrase] < 5} == {}


PHRASES = (
    "its deletion was asked for",
    "its contract was retired",
    "which is never rewritten",
    "names no operator",
    "was deleted",
    "its source doc/0 was retired",
    "all its sources are gone: ",
    "all its sources of role a are gone: ",
    "all its sources are gone, such as ",
    "that it could cite",
    "is not registered here",
    "does regen, and a cache needs recompute",
    "there is no embedder",
    "it lies on a cycle",
    "which is removed: ",
    "which is not executable: ",
    "which is held by another event",
    "needs one of its sources of role b (",
    "nothing is left to make it from: ",
    "worth it: value",
    "needed by d/",
    "just balances",
    "falls short by",
    "worth it alone, but needs",
)


@pytest.mark.parametrize("seed", range(50))
def test_plans_of_larger_worlds_equal_the_smallest_optimum_of_integer_programming(seed):
    world = graphs.large_world(seed, size=200 + 6 * seed)
    expected = oracle.expected(world)
    for tradeoff in ("1", "1.2", "1.1", "1.3", "1.15", "1.25", "1.4", "1.5", "0.9", "0.7", "1.6", "1.8", "0.5"):
        made = plan_of(replace(world, tradeoff=tradeoff), expected)
        if 0.2 <= len(made.selected) / len(made.candidates) <= 0.8:
            break
    else:
        pytest.fail("no tradeoff selects a share between 20 and 80 %")
    check_against_oracle(made, expected)
    assert {candidate.key for candidate in made.selected} == highs_selection(expected, tradeoff)
