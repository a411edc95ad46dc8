"""The names of the package: each is there, is what a type checker is told, and loads nothing before it is used.

Needs no server.
"""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import memorepair_graphdb
from memorepair_graphdb import MemoRepair, errors

HEAVY = ("neo4j", "neomodel", "igraph", "numpy", "scipy", "pydantic", "typer", "mcp")


def declared() -> dict[str, str]:
    """Name → the module that the TYPE_CHECKING block imports it from."""
    tree = ast.parse(Path(memorepair_graphdb.__file__).read_text(encoding="utf-8"))
    (block,) = (n for n in tree.body if isinstance(n, ast.If) and getattr(n.test, "id", "") == "TYPE_CHECKING")
    return {
        alias.name: f"memorepair_graphdb.{node.module}"
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_a_type_checker_is_told_the_names_of_all() -> None:
    assert sorted(memorepair_graphdb.__all__) == sorted(declared())
    assert len(set(memorepair_graphdb.__all__)) == len(memorepair_graphdb.__all__)


@pytest.mark.parametrize("name", memorepair_graphdb.__all__)
def test_a_name_is_what_a_type_checker_is_told(name: str) -> None:
    assert getattr(memorepair_graphdb, name) is getattr(import_module(declared()[name]), name)
    assert name in dir(memorepair_graphdb)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="MemoRepare"):
        memorepair_graphdb.MemoRepare  # type: ignore[attr-defined]  # noqa: B018


def test_every_error_of_errors_is_public() -> None:
    raised = {name for name, value in vars(errors).items() if isinstance(value, type)}
    assert raised <= set(memorepair_graphdb.__all__)


def test_what_public_methods_return_is_public() -> None:
    for name, method in inspect.getmembers(MemoRepair, inspect.isfunction):
        if not name.startswith("_"):
            returned = set(re.findall(r"[A-Z]\w+", method.__annotations__["return"]))
            assert returned <= {*memorepair_graphdb.__all__, "None", "Iterator", "Any"}, name


def test_public_methods_name_all_their_arguments() -> None:
    methods: list[Callable[..., Any]] = [MemoRepair.connect, MemoRepair.from_env, MemoRepair.__init__]
    methods += [method for name, method in inspect.getmembers(MemoRepair, inspect.isfunction) if name[0] != "_"]
    for method in methods:
        for parameter in inspect.signature(method).parameters.values():
            assert parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL), (method, parameter)
            assert parameter.name == "self" or parameter.annotation is not parameter.empty, (method, parameter)


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = f"import sys, memorepair_graphdb; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_runner_of_mcp_is_there_without_mcp() -> None:
    code = (
        "import sys; sys.modules['mcp'] = None\nfrom memorepair_graphdb import McpRunner\nMcpRunner('http://x').close()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
