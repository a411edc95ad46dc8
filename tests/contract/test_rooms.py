"""The package's rooms have no circle among them, and a class name stands for one class.

A room is a directory of the package. Imports are read from the sources, those for type checking included.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.harness.places import PACKAGE

FILES = sorted(PACKAGE.rglob("*.py"))
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in FILES}


def dotted(path: Path) -> tuple[str, ...]:
    """The parts of a module's name below the package; a room's `__init__` is the room."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


MODULES = {dotted(path) for path in FILES}
ROOMS = {dotted(path) for path in FILES if path.name == "__init__.py"} - {()}


def imported(path: Path) -> set[tuple[str, ...]]:
    """The modules of the package that a file imports, relatively."""
    found = set()
    for node in ast.walk(TREES[path]):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = path.relative_to(PACKAGE).parts[:-1]
            base = base[: len(base) - (node.level - 1)]
            module = (*base, *(node.module.split(".") if node.module else ()))
            found |= {(*module, alias.name) if (*module, alias.name) in MODULES else module for alias in node.names}
    return found


@cache
def arrows() -> dict[tuple[str, ...], dict[str, set[str]]]:
    """Room (the package itself is the empty name) → member room → the member rooms that it imports from."""
    found: dict[tuple[str, ...], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for path in FILES:
        source = dotted(path)
        for target in imported(path):
            depth = next((i for i, (a, b) in enumerate(zip(source, target, strict=False)) if a != b), None)
            if depth is None:
                continue
            ends = source[: depth + 1], target[: depth + 1]
            if all(end in ROOMS for end in ends):
                found[source[:depth]][source[depth]].add(target[depth])
    return found


@pytest.mark.parametrize("room", [(), *sorted(ROOMS)], ids="/".join)
def test_the_rooms_in_a_room_import_each_other_one_way(room: tuple[str, ...]) -> None:
    try:
        TopologicalSorter(arrows().get(room, {})).prepare()
    except CycleError as error:
        pytest.fail(f"a circle of rooms in /{'/'.join(room)}: {' -> '.join(error.args[1])}")


def test_the_arrows_are_seen() -> None:
    """The test above would pass an empty graph: some arrows that the design has are found."""
    seen = arrows()
    assert {"store", "model"} <= seen[()]["repair"]
    assert "protocol" in seen[("operators",)]["builtin"]


def test_a_class_name_stands_for_one_class() -> None:
    homes = defaultdict(list)
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                homes[node.name].append("/".join(dotted(path)))
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


def test_every_import_inside_the_package_is_relative() -> None:
    absolute = [
        "/".join(dotted(path))
        for path, tree in TREES.items()
        for node in ast.walk(tree)
        if (
            isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").startswith("memorepair_graphdb")
        )
        or (isinstance(node, ast.Import) and any(alias.name.startswith("memorepair_graphdb") for alias in node.names))
    ]
    assert absolute == []
