"""Writes the name of a tool or of a parameter as it stands in a chain.

A name that is an identifier stays itself, unless it is a tool's and begins with `_`.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable

from ....errors import OperatorError


def python_name(parameter: str) -> str:
    """Return a parameter's name as a keyword, with `_` for every character that no identifier has."""
    name = re.sub(r"\W", "_", parameter)
    return name if is_plain(name) else f"_{name}"


def function_name(tool: str) -> str:
    """Return the name of the function for a tool; not with `_` first, since the type checker would not find it."""
    name = python_name(tool)
    return f"tool{name}" if name.startswith("_") else name


def function_names(tools: Iterable[str]) -> dict[str, str]:
    """Return function → tool; raises `OperatorError` where two tools would share a function."""
    by_function: dict[str, str] = {}
    for tool in tools:
        other = by_function.setdefault(function_name(tool), tool)
        if other != tool:
            raise OperatorError(f"the tools {other!r} and {tool!r} would both be {function_name(tool)} in a chain")
    return by_function


def is_plain(name: str) -> bool:
    """Return whether a name can be a keyword argument as it stands."""
    return name.isidentifier() and not keyword.iskeyword(name)
