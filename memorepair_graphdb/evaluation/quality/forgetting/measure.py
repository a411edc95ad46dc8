"""Measures how well rows are forgotten, and at what cost: Newton beside exact retraining and other ways, on MetaTool.

Every figure is taken against a retraining without the rows, and nothing is printed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from scipy.stats import mannwhitneyu

from ....operators.builtin.neural.selector.rows import TrainingRow
from ....operators.builtin.neural.selector.training import L2, Fit, Objective, chances, targets_of, train
from ....operators.builtin.neural.selector.unlearning import unlearn
from ....operators.builtin.neural.selector.weights import with_bias
from ....operators.embedding.features import CachedFeatures, Features, Mask, Matrix
from .metatool import read_shard
from .rivals import Shards, ascend
from .sharded import trainings

HELD_OUT = 0.25
"""share of the shard that nothing is trained on: strangers, for membership inference and accuracy"""


@dataclass(frozen=True, slots=True)
class Shard:
    """A shard with its features, split in three."""

    kept: Objective
    forget: Objective
    strangers: Objective
    all: Objective
    """kept and forget"""
    is_kept: Mask
    """of each row of `all`"""


@dataclass(frozen=True, slots=True)
class Way:
    """What one way to forget came to."""

    seconds: float
    passes: float
    chances: Callable[[Matrix], Matrix]
    """features with bias → probabilities"""
    weights: Matrix | None


def measure(
    directory: Path, features: Features, *, classes: int = 20, each: int = 130, forget: float = 0.05, seed: int = 0
) -> dict[str, Any]:
    """Forget a random share of the training rows in every way, on the most frequent classes of MetaTool.

    Per way: `seconds`, `passes` over the rows, `cost_ratio` of passes to retraining, `distance` of its weights and
    `disagreement` of its picks on forgotten rows from the retrained ones, `membership_auc` (0.5: an attacker by loss
    cannot tell forgotten rows from strangers; Mann and Whitney), `accuracy` on strangers and on forgotten rows. An
    adapter's way is held against an adapter that was trained again.
    """
    rows, features = read_shard(directory, classes, each, seed), CachedFeatures(features)
    started = perf_counter()
    vectors = features.encode([row.text for row in rows])
    reading = perf_counter() - started
    shard = split(vectors, rows, forget)
    trained = rows[len(rows) - len(shard.all.targets) :]
    sharded = trainings(
        features, trained, (row for row, is_kept in zip(trained, shard.is_kept, strict=True) if is_kept)
    )
    ways = _ways(shard, seed) | {
        name: Way(one.seconds, one.passes, one.chances, one.weights) for name, one in sharded.items()
    }
    return {
        "features": features.name,
        "classes": shard.all.shape[0],
        "rows": {name: len(getattr(shard, name).targets) for name in ("kept", "forget", "strangers")},
        "l2": L2,
        "seconds_to_read": reading,
        "ways": {name: _figures(way, ways[_reference(name)], shard) for name, way in ways.items()},
    }


def split(vectors: Matrix, rows: tuple[TrainingRow, ...], forget: float) -> Shard:
    """Return the shard's rows, which come in a drawn order, as strangers, forgotten and kept ones."""
    classes = {tool: tool for row in rows for tool in row.tools}
    whole = Objective(with_bias(vectors), targets_of(rows, classes), L2)
    strangers = np.arange(len(rows)) < round(HELD_OUT * len(rows))
    trained = whole.only(~strangers)
    kept = np.arange(len(trained.targets)) >= max(1, round(forget * len(trained.targets)))
    return Shard(trained.only(kept), trained.only(~kept), whole.only(strangers), trained, kept)


def _ways(shard: Shard, seed: int) -> dict[str, Way]:
    started = perf_counter()
    fit = train(shard.all)
    ways = {"original": _linear(perf_counter() - started, fit.products, fit.weights)}
    forgettings: dict[str, Callable[[], Fit]] = {
        "retrain": lambda: train(shard.kept),
        "newton_1": lambda: unlearn(shard.kept, fit.weights, 1),
        "newton_2": lambda: unlearn(shard.kept, fit.weights, 2),
        "newton": lambda: unlearn(shard.kept, fit.weights),
    }
    for name, forgetting in forgettings.items():
        started = perf_counter()
        moved = forgetting()
        ways[name] = _linear(perf_counter() - started, moved.products, moved.weights)
    return ways | _rivals(shard, fit, seed)


def _rivals(shard: Shard, fit: Fit, seed: int) -> dict[str, Way]:
    started, before = perf_counter(), shard.forget.products
    risen = ascend(shard.forget, fit.weights)
    share = len(shard.forget.targets) / len(shard.kept.targets)
    ascent = _linear(perf_counter() - started, (shard.forget.products - before) * share, risen)
    ensemble = Shards(shard.all, seed)
    started = perf_counter()
    passes = ensemble.forget(shard.is_kept)
    return {"ascent": ascent, "sisa": Way(perf_counter() - started, passes, ensemble.probabilities, None)}


def _reference(way: str) -> str:
    """Return what a way is held against: the same model, trained again without the rows."""
    return "adapter_retrain" if way.startswith("adapter") else "retrain"


def _linear(seconds: float, passes: float, weights: Matrix) -> Way:
    return Way(seconds, passes, lambda vectors: chances(weights, vectors), weights)


def _figures(way: Way, reference: Way, shard: Shard) -> dict[str, float | None]:
    forgotten, strangers = way.chances(shard.forget.vectors), way.chances(shard.strangers.vectors)
    picked = np.argmax(reference.chances(shard.forget.vectors), axis=1)
    return {
        "seconds": way.seconds,
        "passes": way.passes,
        "cost_ratio": way.passes / reference.passes,
        "distance": _distance(way.weights, reference.weights),
        "disagreement": float(np.mean(np.argmax(forgotten, axis=1) != picked)),
        "membership_auc": membership_auc(_losses(forgotten, shard.forget), _losses(strangers, shard.strangers)),
        "accuracy": _accuracy(strangers, shard.strangers),
        "accuracy_on_forgotten": _accuracy(forgotten, shard.forget),
    }


def _distance(one: Matrix | None, other: Matrix | None) -> float | None:
    return None if one is None or other is None or one.shape != other.shape else float(np.linalg.norm(one - other))


def membership_auc(members: Matrix, strangers: Matrix) -> float:
    """Return the chance that a member's loss is below a stranger's.

    It is the area under an attacker's curve (Yeom et al. 2018).
    """
    return float(mannwhitneyu(strangers, members).statistic / (len(members) * len(strangers)))


def _losses(seen: Matrix, objective: Objective) -> Matrix:
    return np.asarray(-(objective.targets * np.log(np.maximum(seen, 1e-300))).sum(axis=1))


def _accuracy(seen: Matrix, objective: Objective) -> float:
    return float(np.mean(np.argmax(seen, axis=1) == np.argmax(objective.targets, axis=1)))
