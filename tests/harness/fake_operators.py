"""Fake operators with moods, and the words that they write.

What a fine operator writes follows from what it was given, so that a model can say it beforehand.
"""

from __future__ import annotations

import hashlib
import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memorepair_graphdb import Registry
from tests.oracle.graphs import OPERATORS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memorepair_graphdb import Context, Review

FINE = "fine"
MOODS = {
    "raises": "operator_failed",
    "nothing": "operator_failed",
    "wrong type": "operator_failed",
    "leaks": "rejected",
    "wavers": "rejected",
    "is doubted": "rejected",
    "breaks its validator": "rejected",
}
"""mood → outcome. Leaking needs a retracted text behind; wavering is seen where a run is repeated (recompute)."""


def word(*parts: Any) -> str:
    """One word that nothing else contains: letters and digits, the same for the same parts."""
    return "w" + hashlib.sha256(repr(parts).encode()).hexdigest()[:24]


def written(operator: str, key: str, supports: Iterable[tuple[str, str | None, str]]) -> str:
    """What a fine operator makes of its supports (key, role, content)."""
    return word(operator, key, sorted((source, role or "", content) for source, role, content in supports))


@dataclass
class Staff:
    """One fake for each of the oracle's operators; `moods` (by key) and `leaks` (by key) can change at any time."""

    moods: dict[str, str] = field(default_factory=dict)
    leaks: dict[str, str] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    """keys, in the order in which they were run"""
    registry: Registry = field(default_factory=Registry)
    without: frozenset[str] = frozenset()
    """operators that are not registered here"""
    _turn: Any = field(default_factory=lambda: itertools.count())

    def __post_init__(self) -> None:
        for name, (mode, support, estimate) in OPERATORS.items():
            if name in self.without:
                continue
            self.registry.operator(name, mode=mode, support=support, cost=_constant(estimate))(self._operator(name))
            self.registry.validator(name)(self._validate)

    def _operator(self, name: str) -> Callable[[Context], Any]:
        def run(context: Context) -> Any:
            self.calls.append(context.key)
            mood = self.moods.get(context.key, FINE)
            if mood == "raises":
                raise RuntimeError(f"{name} is not in the mood for {context.key}")
            if mood in ("nothing", "wrong type"):
                return None if mood == "nothing" else 42
            text = written(name, context.key, ((s.key, s.role, s.content) for s in context.supports))
            if mood == "leaks":
                return f"{text} {self.leaks[context.key]}"
            return f"{text} {next(self._turn)}" if mood == "wavers" else text

        return run

    def _validate(self, review: Review, content: str) -> bool:
        mood = self.moods.get(review.context.key, FINE)
        if mood == "breaks its validator":
            raise RuntimeError("a validator broke")
        return mood != "is doubted"


def _constant(tokens: float) -> Callable[[Context], float]:
    return lambda context: tokens


@dataclass
class Embedder:
    """A fake embedder: a vector from the text's hash."""

    dimensions: int
    version: str = "fake@1"

    def __call__(self, texts: list[str]) -> list[list[float]]:
        return [self.vector(text) for text in texts]

    def vector(self, text: str) -> list[float]:
        """The embedding of one text: never zero."""
        digest = hashlib.sha256(text.encode()).digest()
        return [digest[place % 32] / 255 + 0.01 for place in range(self.dimensions)]
