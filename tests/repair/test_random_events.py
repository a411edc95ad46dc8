"""Random histories of memories: what was planned and what became of it, against the model.

A failing seed is a fault of the package, or of the model's reading of the design; never noise.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tests.harness.fake_operators import MOODS
from tests.repair import history

if TYPE_CHECKING:
    from neo4j import Driver

_log = logging.getLogger(__name__)

OUTCOMES = {
    *("replaced", "published", "removed", "not_executable", "not_selected"),
    *("operator_failed", "rejected", "predecessor_missing"),
}
"""All but `conflict`, which takes two at once: `test_overlap`."""


def play(seeds: range, memory, driver: Driver, dimensions: int) -> Counter:
    tally: Counter = Counter()
    began = time.perf_counter()
    for seed in seeds:
        try:
            history.History(seed, lambda seed=seed, **o: memory(f"_{seed}", **o), driver, dimensions, tally).play(4)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {error}") from error
    tally["seconds"] = round(time.perf_counter() - began)
    _log.info("%s", dict(sorted(tally.items())))
    return tally


def test_short_histories_of_memories_go_as_the_model_says(memory, prepared: Driver, dimensions: int):
    tally = play(range(6), memory, prepared, dimensions)
    assert tally["previews"] >= 20


@pytest.mark.torture
@pytest.mark.timeout(7200)
def test_two_thousand_events_go_as_the_model_says(memory, prepared: Driver, dimensions: int):
    tally = play(range(1000, 1560), memory, prepared, dimensions)
    assert tally["previews"] >= 2000
    assert {what: tally[what] for what in (*OUTCOMES, *MOODS) if not tally[what]} == {}
