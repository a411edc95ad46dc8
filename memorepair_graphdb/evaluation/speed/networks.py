"""Makes seeded networks of candidates for measuring the selection: value, cost, and who needs whom.

The same size and seed give the same network; needs always point at lower numbers, so there is no cycle; arrays only,
and no loop over nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from ...errors import BadInput

Ints = NDArray[np.int64]

SMALLEST = 100

KINDS = ("record", "cache", "summary", "skill")
SHARES = (0.50, 0.25, 0.17, 0.08)
"""what share of a memory is of each of `KINDS`"""

_HITS = (4, 6, 20, 40)
_TOKENS = (30, 60, 300, 700)
_DEEP_LEVELS = 39
_LAYERS = 40
_FAN_IN = 8


@dataclass(frozen=True, slots=True, eq=False)
class CandidateNetwork:
    """Candidates by number, in an order in which all needs come first."""

    value: Ints
    """int64[n], ≥ 0"""
    cost: Ints
    """int64[n], ≥ 0"""
    requires: Ints
    """int64[m, 2], rows (i, j) for "i needs j", j < i, sorted, each once"""
    kind: NDArray[np.int8] | None = None
    """int8[n], positions in `KINDS`, where the network is one of artifacts"""


def provenance(size: int, seed: int) -> CandidateNetwork:
    """Return a memory: half records, fan-in 1 to 8, Zipf fan-out, 10 to 16 deep (the depth is drawn)."""
    draw = _drawing(size, seed)
    level, kind = _memory_levels(size, int(draw.integers(10, 17)), draw)
    fan_in = _fan_in(int((level > 0).sum()), draw)
    return _figured(kind, _stacked(level, fan_in, _by_popularity, draw, far=1 / 3), draw)


def deep(size: int, seed: int) -> CandidateNetwork:
    """Return a memory of 39 levels of equal size, mean depth 19; most have one source, none more than two."""
    draw = _drawing(size, seed)
    level = _even_levels(size, _DEEP_LEVELS)
    fan_in = 1 + (draw.random(int((level > 0).sum())) < 0.1).astype(np.int64)
    kind = draw.choice(len(KINDS), size, p=SHARES).astype(np.int8)
    kind[level == 0] = 0
    return _figured(kind, _stacked(level, fan_in, _evenly, draw), draw)


def hard(size: int, seed: int) -> CandidateNetwork:
    """Return a memory in which only summaries and skills carry value.

    Each needs 4 to 8 others, drawn evenly, and none pays for them alone.

    What they cite is cited about twice, and there is just too little value to pay for all costs at λ = 1: there the
    best selection turns from most to next to nothing (measured), and reductions leave more than half undecided.
    """
    draw = _drawing(size, seed)
    kind = np.repeat(np.arange(len(KINDS), dtype=np.int8), _shares(size))
    users = np.flatnonzero(kind >= 2)
    pool = np.where(kind[users] == 2, np.searchsorted(kind, 2), np.searchsorted(kind, 3))
    requires = _distinct(users, pool, draw.integers(4, _FAN_IN + 1, users.size), draw)
    cost = draw.integers(50, 151, size)
    value = np.zeros(size, dtype=np.int64)
    value[users] = draw.integers(50, 151, users.size) * int(cost.sum()) // (110 * users.size)
    return CandidateNetwork(value, cost, requires, kind)


def layer(size: int, seed: int) -> CandidateNetwork:
    """Return a stack of 40 layers; each node above the first needs three random nodes of the layer below."""
    draw = _drawing(size, seed)
    level = _even_levels(size, _LAYERS)
    requires = _stacked(level, np.full(int((level > 0).sum()), 3), _evenly, draw)
    return CandidateNetwork(draw.integers(0, 201, size), draw.integers(0, 201, size), requires)


def pit(size: int, seed: int) -> CandidateNetwork:
    """Return a block model as in open-pit mining: each block needs the up to nine above it.

    About one in ten carries value.
    """
    draw = _drawing(size, seed)
    side = max(3, round((2 * size) ** (1 / 3)))
    block = np.arange(size)
    place = np.stack([block % side, block // side % side, block // side**2], axis=1)
    grade = _grade(place, side, draw)
    ore = grade > np.quantile(grade, 0.9)
    value = np.where(ore, (grade * 400 / grade.max()).astype(np.int64), 0)
    return CandidateNetwork(value, draw.integers(8, 13, size), _above(place, side))


GENERATORS: dict[str, Callable[[int, int], CandidateNetwork]] = {
    "provenance": provenance,
    "deep": deep,
    "hard": hard,
    "layer": layer,
    "pit": pit,
}


def _drawing(size: int, seed: int) -> Generator:
    if size < SMALLEST:
        raise BadInput(f"a network has {SMALLEST} candidates or more, not {size}")
    return np.random.default_rng(seed)


def _shares(size: int) -> list[int]:
    """Return how many of `size` are of each kind; rounding goes to the records."""
    others = [round(size * share) for share in SHARES[1:]]
    return [size - sum(others), *others]


def _even_levels(size: int, levels: int) -> Ints:
    """Return levels 0 to `levels` - 1 in equal parts, ascending."""
    return np.arange(size, dtype=np.int64) * levels // size


def _memory_levels(size: int, depth: int, draw: Generator) -> tuple[Ints, NDArray[np.int8]]:
    """Return level and kind of each, by level: records at 0, caches in the lower half, skills up to `depth`."""
    counts = _shares(size)
    ranges = ((0, 0), (1, depth // 2), (2, depth - 1), (3, depth))
    parts = [_spread(count, *levels) for count, levels in zip(counts, ranges, strict=True)]
    level = np.concatenate(parts)
    order = np.lexsort((draw.random(size), level))
    return level[order], np.repeat(np.arange(len(KINDS), dtype=np.int8), counts)[order]


def _spread(count: int, first: int, last: int) -> Ints:
    """Return `count` levels from `first` to `last`, in equal parts, the last always among them."""
    return last - np.arange(count, dtype=np.int64) * (last - first + 1) // count


def _fan_in(count: int, draw: Generator) -> Ints:
    """Draw numbers from 1 to 8, most of them small."""
    return np.minimum(1 + draw.pareto(1.3, count).astype(np.int64), _FAN_IN)


Pick = Callable[[Ints, Generator], Ints]
"""For each of the given pool sizes a number below it."""


def _evenly(pool: Ints, draw: Generator) -> Ints:
    return (draw.random(pool.size) * pool).astype(np.int64)


def _by_popularity(pool: Ints, draw: Generator) -> Ints:
    """Draw rank r about as often as 1/r: Zipf."""
    rank: Ints = np.power(pool + 1.0, draw.random(pool.size)).astype(np.int64) - 1
    return np.minimum(rank, pool - 1, out=rank)


def _stacked(level: Ints, fan_in: Ints, pick: Pick, draw: Generator, *, far: float = 0.0) -> Ints:
    """Return needs by level, ascending in `level`: the first in the level below, so that a depth is a level.

    Of the others a share `far` is in any lower level.
    """
    starts = np.searchsorted(level, np.arange(int(level[-1]) + 2))
    node = np.repeat(np.flatnonzero(level), fan_in)
    first = np.concatenate([[True], node[1:] != node[:-1]])
    below = level[node] - 1
    anywhere = (draw.random(node.size) * level[node]).astype(np.int64)
    source = np.where(first | (draw.random(node.size) >= far), below, anywhere)
    chosen = starts[source] + pick(starts[source + 1] - starts[source], draw)
    return _rows(node, chosen, level.size)


def _rows(node: Ints, need: Ints, size: int) -> Ints:
    """Return sorted rows (node, need), each once."""
    flat = np.sort(node * size + need)
    flat = flat[np.concatenate([[True], flat[1:] != flat[:-1]])]
    return np.stack(np.divmod(flat, size), axis=1)


def _distinct(users: Ints, pool: Ints, fan_in: Ints, draw: Generator) -> Ints:
    """Return rows in which each user needs exactly `fan_in` different numbers below its `pool`."""
    size = int(users[-1]) + 1
    found = np.empty((0, 2), dtype=np.int64)
    while len(found) < fan_in.sum():
        missing = fan_in - np.bincount(found[:, 0], minlength=size)[users]
        node = np.concatenate([found[:, 0], np.repeat(users, missing)])
        need = np.concatenate([found[:, 1], _evenly(np.repeat(pool, missing), draw)])
        found = _rows(node, need, size)
    return found


def _figured(kind: NDArray[np.int8], requires: Ints, draw: Generator) -> CandidateNetwork:
    """Return values like counts of retrieval hits, costs like counts of tokens: the later a kind, the more of both."""
    hits = np.minimum(draw.pareto(1.2, kind.size) * np.array(_HITS)[kind], 10_000)
    tokens = np.exp(draw.normal(np.log(np.array(_TOKENS))[kind], 0.8))
    return CandidateNetwork(1 + hits.astype(np.int64), 1 + tokens.astype(np.int64), requires, kind)


def _grade(place: Ints, side: int, draw: Generator) -> NDArray[np.float64]:
    """Return ore content in a few bodies, with noise: float64[n]."""
    middle = draw.random((6, 3)) * place.max(axis=0)
    spread = side * (0.08 + 0.1 * draw.random(6))
    grade = np.zeros(len(place))
    for body, width in zip(middle, spread, strict=True):
        grade += np.exp(-((place - body) ** 2).sum(axis=1) / (2 * width**2))
    return np.asarray(grade * np.exp(draw.normal(0, 0.6, len(place))), dtype=np.float64)


def _above(place: Ints, side: int) -> Ints:
    """Return rows (block, one of the nine above it), where there is one; the uppermost level stands first."""
    rows = []
    for east in (-1, 0, 1):
        for north in (-1, 0, 1):
            x, y, z = place[:, 0] + east, place[:, 1] + north, place[:, 2] - 1
            there = (x >= 0) & (x < side) & (y >= 0) & (y < side) & (z >= 0)
            rows.append(np.stack([np.flatnonzero(there), ((z * side + y) * side + x)[there]], axis=1))
    joined = np.concatenate(rows)
    return _rows(joined[:, 0], joined[:, 1], len(place))
