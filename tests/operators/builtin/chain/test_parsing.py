"""Chains are parsed in several threads at once, and each gets the tree of its source."""

from __future__ import annotations

import ast
import gc
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from memorepair_graphdb.operators.builtin.chain.parsing import tree_of

SOURCE = "def chain(x):\n" + "".join(f"    a{n} = f(g(h({n}, [x, (x, {{'k': [1, 2]}})])))\n" for n in range(60))


@pytest.fixture(autouse=True)
def restless() -> Iterator[None]:
    """Have threads and the collector step in as often as they can."""
    interval, thresholds = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-6)
    gc.set_threshold(10, 2, 2)
    yield
    sys.setswitchinterval(interval)
    gc.set_threshold(*thresholds)


class Litter:
    """Left to the collector, which runs its Python in the middle of whatever is under way."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        sum(range(5))


def test_many_threads_at_once_get_the_tree_of_their_source() -> None:
    wanted = ast.dump(tree_of(SOURCE))

    def parse(_: int) -> str:
        Litter()
        return ast.dump(tree_of(SOURCE))

    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(parse, range(200))) == {wanted}


def test_a_parse_that_somebody_elses_got_between_is_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    parse, fails = ast.parse, [3]

    def disturbed(source: str) -> ast.Module:
        fails[0] -= 1
        if fails[0] >= 0:
            raise SystemError("AST constructor recursion depth mismatch (before=39, after=28)")
        return parse(source)

    monkeypatch.setattr(ast, "parse", disturbed)
    assert isinstance(tree_of("x = 1"), ast.Module)
    assert fails == [-1]


def test_what_is_no_python_is_no_python_at_once() -> None:
    with pytest.raises(SyntaxError):
        tree_of("def chain(:")
