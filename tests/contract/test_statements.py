"""Every `.cypher` file on the real server: explained, and run once with valid parameters; all is as declared.

Whatever a statement writes is rolled back; schema statements are idempotent.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from memorepair_graphdb.store.queries import Query, library
from tests.contract.cases import BEFORE, CASES, EMPTY, params_of
from tests.contract.types import is_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neo4j import Transaction

    from tests.contract.seed import Seed

NAMES = sorted(library())
DATA = [name for name in NAMES if library()[name].access != "schema" and not name.endswith("vector_index")]
SCHEMA = [name for name in NAMES if library()[name].access == "schema"]

KINDS = {"read": {"r", "s"}, "write": {"rw", "w"}, "schema": {"s"}}
"""Access as declared → query types as the server sees them; asking the server about itself is an `s`."""

BENCH_INDEX = "bench/bare_vector_index"


@contextmanager
def trial(seed: Seed) -> Iterator[Transaction]:
    """A transaction of which nothing stays."""
    with seed.driver.session() as session, session.begin_transaction() as tx:
        yield tx
        tx.rollback()


@contextmanager
def index_of(seed: Seed, name: str) -> Iterator[None]:
    """The index that a measurement makes for itself, while it is asked."""
    if name != "bench/bare_search_vector":
        yield
        return
    with seed.driver.session() as session:
        session.run(library()[BENCH_INDEX].text, dimensions=seed.dimensions).consume()
        session.run(library()["schema/await_indexes"].text, seconds=300).consume()
        yield
        session.run(library()["bench/drop_bare_vector_index"].text).consume()


def params(query: Query, seed: Seed) -> dict[str, Any]:
    return params_of(query.name, seed, frozenset(query.params))


@pytest.mark.parametrize("name", DATA)
def test_its_columns_and_its_access_are_those_of_its_header(seed: Seed, name: str) -> None:
    query = library()[name]
    with index_of(seed, name), trial(seed) as tx:
        result = tx.run("EXPLAIN\n" + query.text, params(query, seed))
        columns = list(result.keys())
        summary = result.consume()
    assert columns == list(query.returns)
    assert summary.query_type in KINDS[query.access]
    assert [status for status in summary.gql_status_objects if status.classification == "DEPRECATION"] == []


@pytest.mark.parametrize("name", DATA)
def test_it_does_what_it_says_with_valid_parameters(seed: Seed, name: str) -> None:
    query = library()[name]
    with index_of(seed, name), trial(seed) as tx:
        for before in BEFORE.get(name, ()):
            done = library()[before].one(tx, **params(library()[before], seed))
            assert done["status"] == "done", (before, done["detail"])
        rows = query.run(tx, **params(query, seed))
    for row in rows:
        assert list(row.keys()) == list(query.returns)
        odd = {column: row[column] for column, kind in query.returns.items() if not is_of(row[column], kind)}
        assert odd == {}
    quiet = name.startswith(("check/", "browser/", "bench/")) or name in EMPTY or not query.returns
    assert rows or quiet
    if "status" in query.returns and query.access == "write":
        assert [(row["status"], row["detail"]) for row in rows] == [("done", "")]


@pytest.mark.parametrize("name", SCHEMA)
def test_a_schema_statement_can_be_repeated(seed: Seed, name: str) -> None:
    query = library()[name]
    for _ in range(2):
        with seed.driver.session() as session:
            assert session.run(query.text, params(query, seed)).data() == []


def test_every_case_is_of_a_file() -> None:
    assert set(CASES) | set(BEFORE) | EMPTY <= set(NAMES)


def test_a_statement_that_answers_once_answers_once_for_nothing_too(seed: Seed) -> None:
    """Empty lists are what a batch of nothing is; a contract of one row is kept for them."""
    empties: dict[str, dict[str, list[Any]]] = {
        "artifact/known": {"keys": []},
        "artifact/load": {"lines": []},
        "artifact/semantic": {"pairs": []},
        "cascade/live_versions": {"keys": []},
        "cascade/of_roots": {"roots": []},
        "cascade/sizes": {"ids": []},
        "repair/interfaces": {},
        "repair/materials": {"wanted": []},
        "repair/previous": {"ids": []},
        "repair/texts": {"ids": []},
        "retrieve/influences": {},
        "retrieve/json_texts": {},
    }
    rows: dict[str, int] = {}
    with trial(seed) as tx:
        for name, given in empties.items():
            rows[name] = len(library()[name].run(tx, space="a_space_that_is_empty", **given))
        for name in ("publish/stage", "publish/publish", "publish/outcomes"):
            rows[name] = len(library()[name].run(tx, space=seed.space, event_id="none", attempt=1, rows=[]))
    assert rows == dict.fromkeys(rows, 1)
