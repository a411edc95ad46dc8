"""Several processes set the same space up at once, and now and then a rule of the database is missing.

Each of them succeeds, and they agree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memorepair_graphdb import MemoRepair
from memorepair_graphdb.store import schema
from memorepair_graphdb.store.queries import query
from memorepair_graphdb.store.transactions import Transactions
from tests.races.arena import Arena

if TYPE_CHECKING:
    from neo4j import Driver, Record

PROCESSES = 4
SPARSE = 8
"""In every so manieth round a rule is missing; those who declare it at once deadlock, and wait a second."""

_RULES = "SHOW INDEXES YIELD name, owningConstraint WHERE name STARTS WITH 'memorepair_' RETURN name, owningConstraint"
_GATES = """
MATCH (g:Gate {space: $space})
RETURN count(g) AS gates, count(DISTINCT g.stripe) AS stripes, collect(g.tombstone_key) AS keys
"""


def _drop(driver: Driver, rule: Record) -> None:
    what = "CONSTRAINT" if rule["owningConstraint"] else "INDEX"
    with driver.session() as session:
        session.run(f"DROP {what} `{rule['name']}` IF EXISTS").consume()


def test_whoever_sets_up_at_the_same_time_succeeds_and_agrees(fresh_driver: Driver, rounds: int) -> None:
    driver, arena = fresh_driver, Arena(fresh_driver)
    transactions = Transactions(driver)
    dimensions = transactions.read(schema.embedding_dimensions) or 4
    MemoRepair(driver, space=arena.space()).setup(dimensions)
    with driver.session() as session:
        rules = list(session.run(_RULES))
    names = {rule["name"] for rule in rules}
    assert len(names) == len(schema.PLAIN_SCHEMA) + 1
    for turn in range(rounds):
        if turn % SPARSE == 0:
            _drop(driver, rules[turn // SPARSE % len(rules)])
        space = arena.space()
        memories = [MemoRepair(driver, space=space) for _ in range(PROCESSES)]
        said = arena.race(*(lambda memory=memory: memory.setup(dimensions) for memory in memories))
        assert len(set(said)) == 1, said
        with driver.session() as session:
            assert {rule["name"] for rule in session.run(_RULES)} == names
            gates = session.run(_GATES, space=space).single(strict=True)
        assert (gates["gates"], gates["stripes"], len(gates["keys"])) == (16, 16, 1)
        assert transactions.read(schema.tombstone_key, space) == gates["keys"][0].encode()
        for row in transactions.read(query("schema/indexes").run):
            assert row["state"] == "ONLINE", row
