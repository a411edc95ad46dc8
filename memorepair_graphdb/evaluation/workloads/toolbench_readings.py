"""Chooses what a chain reads of a response: ways to documented fields, as values and as Python.

A reading is taken only where every response at hand holds it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...operators.contracts.schemas import Schema, is_object, items, properties

Reading = tuple[str, ...]
"""The names on the way into a response; () is the whole."""
EACH = "[]"
"""The step of a reading into the items of an array; at most one in a reading."""
DEPTH = 4
"""steps into a response, at most"""


def readings(schema: Schema, responses: Sequence[Any], most: int) -> list[Reading]:
    """Return the first documented fields that all the responses hold; the whole response where there is none."""
    held = [way for way in _leaves(schema, ()) if way and all(_holds(one, way) for one in responses)]
    return held[:most] or [()]


def read(response: Any, reading: Reading) -> Any:
    """Return what a reading finds in a response; a KeyError or TypeError where the response does not hold it."""
    for number, step in enumerate(reading):
        if step == EACH:
            return [read(one, reading[number + 1 :]) for one in response]
        response = response[step]
    return response


def expression(variable: str, reading: Reading) -> str:
    """Return the reading as Python."""
    if EACH in reading:
        at = reading.index(EACH)
        return f"[{expression('each', reading[at + 1 :])} for each in {expression(variable, reading[:at])}]"
    return variable + "".join(f"[{name!r}]" for name in reading)


def _leaves(schema: Schema, path: Reading) -> Iterator[Reading]:
    """Yield the ways to what lies deepest, in the schema's order."""
    inner = items(schema)
    if is_object(schema) and properties(schema) and len(path) < DEPTH:
        for name, member in properties(schema).items():
            yield from _leaves(member, (*path, name))
    elif inner is not None and is_object(inner) and properties(inner) and EACH not in path and len(path) < DEPTH:
        yield from _leaves(inner, (*path, EACH))
    else:
        yield path


def _holds(value: Any, reading: Reading) -> bool:
    for number, step in enumerate(reading):
        if step == EACH:
            return isinstance(value, list) and all(_holds(one, reading[number + 1 :]) for one in value)
        if not isinstance(value, dict) or step not in value:
            return False
        value = value[step]
    return True
