"""Each benchmark of the server measures both sides, and leaves nothing behind.

Sizes are tiny, figures are not judged; what is judged is that both sides ran and all is put back.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from neo4j import Driver

from memorepair_graphdb.evaluation.speed import barrier, derive, event, serve
from memorepair_graphdb.store import schema
from memorepair_graphdb.store.transactions import Transactions


@pytest.fixture
def transactions(driver: Driver) -> Iterator[Transactions]:
    """Give a database with its schema; afterwards no artifact, event, gate or index of a benchmark is in it."""
    made = Transactions(driver)
    for statement in schema.PLAIN_SCHEMA:
        made.write(schema.declare, statement.name)
    made.read(schema.await_indexes)
    yield made
    left = driver.execute_query("MATCH (n) WHERE n.space STARTS WITH 'bench_' RETURN count(n) AS n").records
    names = driver.execute_query("SHOW INDEXES YIELD name WHERE name CONTAINS 'bench' RETURN name").records
    assert (left[0]["n"], names) == (0, [])


def told(message: str) -> None:
    """Progress that nobody watches."""


def checked(results: list[dict]) -> list[dict]:
    """Results that JSON holds, each of paired runs with a ratio between its extremes."""
    assert json.loads(json.dumps(results)) == results
    for found in results:
        assert found["ours_median_s"] > 0 < found["bare_median_s"]
        assert 0 < found["ratio_min"] <= found["ratio_median"] <= found["ratio_max"]
    return results


def test_the_barrier_is_measured_with_and_without_embeddings(transactions: Transactions) -> None:
    found = checked(list(barrier.run(transactions, sizes=[100], pairs=2, tell=told)))
    assert [(one["artifacts"], one["embedded"], one["pairs"]) for one in found] == [(100, 0.0, 2), (100, 0.25, 2)]


def test_deriving_is_measured_for_each_number_of_clients(transactions: Transactions) -> None:
    found = checked(list(derive.run(transactions, clients=(1, 3), each=4, pairs=1, tell=told)))
    assert [one["clients"] for one in found] == [1, 3]
    assert all(one["throughput_ratio"] == pytest.approx(1 / one["ratio_median"], rel=0.01) for one in found)


def test_serving_is_measured_for_keys_and_for_vectors(transactions: Transactions) -> None:
    found = checked(list(serve.run(transactions, size=60, asked=5, pairs=1, tell=told)))
    assert [one["read"] for one in found] == ["get", "vector"]


def test_a_whole_event_is_measured_step_by_step_with_the_selection_apart(transactions: Transactions) -> None:
    (found,) = checked(list(event.run(transactions, sizes=[120], pairs=1, tell=told)))
    assert found["ours_s"].keys() == {"withdraw", "read", "plan", "select", "write", "execute", "close"}
    assert found["bare_s"].keys() == {"withdraw", "read", "write", "create", "swap"}
    (back,) = checked([found["selection_and_back"]])
    steps = sum(found["ours_s"][step] for step in ("read", "plan", "select", "write"))
    assert back["ours_median_s"] == pytest.approx(steps, abs=0.003)
    assert back["ours_median_s"] < found["ours_median_s"]
