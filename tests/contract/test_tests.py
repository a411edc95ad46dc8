"""The tests use the package's public names alone: what begins with an underscore may change without them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
PACKAGE = "memorepair_graphdb"
NAMED_TUPLE = frozenset({"_asdict", "_fields", "_make", "_replace"})
"""Public in spite of their underscore: what the standard library gives every NamedTuple."""


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in NAMED_TUPLE


def private_names(source: str) -> Iterator[str]:
    """Yield `line N: name` for each private name of the package that a source imports, reads, sets or patches.

    Seen are imports, attributes of what is imported from the package or made by calling it, annotated as it, and
    paths in strings that begin with the package, or that are given to `setattr`, `getattr` or `delattr` with an object
    of the package.
    """
    tree = ast.parse(source)
    ours = set(_names_of_the_package(tree))
    for node in ast.walk(tree):
        for name in _private_in(node, ours):
            yield f"line {getattr(node, 'lineno', 0)}: {name}"


def _names_of_the_package(tree: ast.Module) -> Iterator[str]:
    """Yield the names that stand for something of the package anywhere in a source, whatever their scope."""
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and _is_of_the_package(node.module):
            imported |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            imported |= {alias.asname or PACKAGE for alias in node.names if _is_of_the_package(alias.name)}
    yield from imported
    for node in ast.walk(tree):
        if isinstance(node, ast.arg) and node.annotation and _head(node.annotation) in imported:
            yield node.arg
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and _head(node.value) in imported:
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))
    yield from ("mr", "memory")  # by custom a MemoRepair, or what opens one


def _private_in(node: ast.AST, ours: set[str]) -> Iterator[str]:
    if isinstance(node, ast.ImportFrom) and _is_of_the_package(node.module):
        names = [*str(node.module).split("."), *(alias.name for alias in node.names)]
        yield from (name for name in names if is_private(name))
    elif isinstance(node, ast.Import):
        for alias in node.names:
            if _is_of_the_package(alias.name):
                yield from (name for name in alias.name.split(".") if is_private(name))
    elif isinstance(node, ast.Attribute) and is_private(node.attr) and _head(node.value) in ours:
        yield node.attr
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith(f"{PACKAGE}."):
        yield from (name for name in node.value.split(".") if name.isidentifier() and is_private(name))
    elif isinstance(node, ast.Call) and _called(node).endswith("attr") and len(node.args) >= 2:
        target, name = node.args[:2]
        if isinstance(name, ast.Constant) and is_private(str(name.value)) and _head(target) in ours:
            yield str(name.value)


def _is_of_the_package(module: str | None) -> bool:
    return module is not None and module.partition(".")[0] == PACKAGE


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _head(node: ast.expr) -> str:
    """Return the name that a chain of attributes, calls and subscripts begins with, or ""."""
    while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


@pytest.mark.parametrize(
    "source",
    [
        "from memorepair_graphdb.store.transactions import _log",
        "import memorepair_graphdb._hidden",
        "from memorepair_graphdb.solver import closure\nassert not closure._fast",
        "from memorepair_graphdb.solver import closure as cut\ncut._fast = True",
        "import memorepair_graphdb\nmemorepair_graphdb.api._x()",
        "from memorepair_graphdb import Registry\nmade = Registry()\nmade._operators.clear()",
        "from memorepair_graphdb import Registry\nRegistry.default()._operators.clear()",
        "from memorepair_graphdb import MemoRepair\ndef f(opened: MemoRepair):\n    return opened._driver",
        "def test(mr):\n    mr._db = None",
        "def test(memory):\n    return memory(registry=None)._env",
        "from memorepair_graphdb.solver import closure\nmonkeypatch.setattr(closure, '_fast', True)",
        "monkeypatch.setattr('memorepair_graphdb.solver.closure._fast', True)",
    ],
)
def test_a_private_name_is_seen(source: str) -> None:
    assert len(list(private_names(source))) == 1


@pytest.mark.parametrize(
    "source",
    [
        "from memorepair_graphdb.solver import closure\nclosure.enable_fast()\nclosure.__doc__",
        "from memorepair_graphdb.model.cascade import Affected\nAffected(1)._replace(value=2)",
        "monkeypatch.setattr('memorepair_graphdb.solver.closure.DIRECTLY', {})",
        "class Own:\n    def run(self):\n        return self._mine",
    ],
)
def test_a_public_name_is_none(source: str) -> None:
    assert list(private_names(source)) == []


def test_no_test_uses_a_private_name_of_the_package() -> None:
    found = {
        str(path.relative_to(TESTS)): names
        for path in sorted(TESTS.rglob("*.py"))
        if path != Path(__file__).resolve() and (names := list(private_names(path.read_text(encoding="utf-8"))))
    }
    assert found == {}
