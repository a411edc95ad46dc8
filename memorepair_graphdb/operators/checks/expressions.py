"""Evaluates the JMESPath expressions of recipes, and says which place of the document a result is taken from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import jmespath
from jmespath.exceptions import JMESPathError
from jmespath.parser import ParsedResult

from ...errors import OperatorError

Place = tuple[str, ...]
"""Steps from the root of a JSON value."""


def evaluate(expression: str, document: Mapping[str, Any], where: str) -> Any:
    """Return what an expression finds in a document.

    Raises `OperatorError` where it cannot be evaluated, or finds nothing; `where` names the document for the message.
    """
    try:
        value = _parsed(expression).search(document)
    except (JMESPathError, TypeError) as error:
        raise OperatorError(f"the expression {expression!r} fails: {' '.join(str(error).split())}") from error
    if value is None:
        raise OperatorError(f"the expression {expression!r} finds nothing in {where}")
    return value


@lru_cache(maxsize=256)
def sources_of(expression: str) -> tuple[tuple[Place, Place], ...]:
    """Return (place in the result, place in the document it is taken from), where an expression shows that plainly.

    Fields, literal indexes, lists and objects are followed; what a filter, a projection or a function makes is not.
    """
    try:
        tree = _parsed(expression).parsed
    except JMESPathError:
        return ()
    return tuple(_leaves(dict(tree), ()))


@lru_cache(maxsize=256)
def _parsed(expression: str) -> ParsedResult:
    return jmespath.compile(expression)


def _leaves(node: dict[str, Any], base: Place) -> Iterator[tuple[Place, Place]]:
    kind, children = node["type"], node["children"]
    if kind in ("field", "index"):
        yield (), (*base, str(node["value"]))
    elif kind in ("identity", "current"):
        yield (), base
    elif kind in ("subexpression", "index_expression", "pipe"):
        yield from _chained(children, base)
    elif kind == "multi_select_dict":
        for pair in children:
            yield from _under(pair["value"], pair["children"][0], base)
    elif kind == "multi_select_list":
        for position, child in enumerate(children):
            yield from _under(str(position), child, base)


def _under(step: str, node: dict[str, Any], base: Place) -> Iterator[tuple[Place, Place]]:
    return (((step, *target), source) for target, source in _leaves(node, base))


def _chained(children: Sequence[dict[str, Any]], base: Place) -> Iterator[tuple[Place, Place]]:
    """Follow one expression after the other, while each leads to a single place."""
    for child in children[:-1]:
        leaves = list(_leaves(child, base))
        if len(leaves) != 1 or leaves[0][0]:
            return
        base = leaves[0][1]
    yield from _leaves(children[-1], base)
