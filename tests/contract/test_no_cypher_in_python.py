"""No Cypher in Python, and none built from strings: what runs is what stands in `cypher/`.

The package's sources are read as syntax trees; needs no server.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "memorepair_graphdb"
FILES = sorted(PACKAGE.rglob("*.py"))

CYPHER = re.compile(
    r"\b(MATCH|MERGE|CREATE|UNWIND|FOREACH|DETACH|YIELD|RETURN)\b\s*[\[({\w$]"
    r"|\bCALL\s+(db|dbms|apoc)\.|\bSHOW\s+(INDEX|CONSTRAINT)|\bDROP\s+(INDEX|CONSTRAINT)"
)

RUNS_STATEMENTS = "store/queries.py"
"""The only file that hands a text to the driver."""


def _docstrings(tree: ast.AST) -> set[int]:
    found = set()
    for node in ast.walk(tree):
        for statement in getattr(node, "body", []) if not isinstance(node, ast.Lambda | ast.IfExp) else []:
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                found.add(id(statement.value))
    return found


def cypher_in(source: str) -> Iterator[str]:
    """The string literals, parts of f-strings included, that look like Cypher."""
    tree = ast.parse(source)
    spoken = _docstrings(tree)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in spoken:
            continue
        if CYPHER.search(node.value):
            yield f"line {node.lineno}: {node.value[:80]!r}"


def driver_calls_in(source: str) -> Iterator[str]:
    """Calls that give a statement to the driver."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            receiver = ast.unparse(node.func.value)
            named = node.func.attr in ("execute_query", "cypher_query")
            if named or (
                node.func.attr == "run" and re.fullmatch(r"(tx|session|transaction|self\._?(tx|session))", receiver)
            ):
                yield f"line {node.lineno}: {ast.unparse(node.func)}"


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(PACKAGE)) for path in FILES])
def test_no_literal_of_the_package_is_cypher(path: Path) -> None:
    assert list(cypher_in(path.read_text(encoding="utf-8"))) == []


def test_only_one_file_gives_statements_to_the_driver() -> None:
    calling = {
        path.relative_to(PACKAGE).as_posix(): found
        for path in FILES
        if (found := list(driver_calls_in(path.read_text(encoding="utf-8"))))
    }
    assert set(calling) <= {RUNS_STATEMENTS}, calling
    assert RUNS_STATEMENTS in calling


def test_the_one_call_takes_the_text_of_a_file_and_nothing_else() -> None:
    tree = ast.parse((PACKAGE / RUNS_STATEMENTS).read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == "tx.run"]
    assert [ast.unparse(call) for call in calls] == ["tx.run(cast('Any', self.text), params)"]


@pytest.mark.parametrize(
    "source",
    [
        "x = 'MATCH (n) RETURN n'",
        "x = f'MATCH (n:{label})'",
        "x = 'RETURN ' + y; z = 'CALL db.awaitIndexes()'",
        "def f():\n    return '''\n    MERGE (g:Gate)'''",
        "x = 'SHOW INDEXES'",
    ],
)
def test_the_search_finds_what_it_looks_for(source: str) -> None:
    assert list(cypher_in(source))


@pytest.mark.parametrize(
    "source", ["tx.run(text)", "session.run('x' + y)", "driver.execute_query(q)", "self._tx.run(q)"]
)
def test_the_search_for_calls_finds_them(source: str) -> None:
    assert list(driver_calls_in(source))


def test_words_in_messages_are_no_cypher() -> None:
    assert list(cypher_in("'''MATCH (n) in a docstring'''\nx = 'what you match, create or return'")) == []
