"""How a tool's or a parameter's name is written in a chain.

The law of the room: a name that is an identifier stays itself, unless it is a tool's and begins with `_`.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable

from ....errors import OperatorError


def python_name(parameter: str) -> str:
    """How a parameter is written as a keyword: its name, with `_` for what no identifier has."""
    name = re.sub(r"\W", "_", parameter)
    return name if is_plain(name) else f"_{name}"


def function_name(tool: str) -> str:
    """The function that stands for a tool; it does not begin with `_`: the type checker would not find it."""
    name = python_name(tool)
    return f"tool{name}" if name.startswith("_") else name


def function_names(tools: Iterable[str]) -> dict[str, str]:
    """Function → tool; raises `OperatorError` where two tools would share a function."""
    named: dict[str, str] = {}
    for tool in tools:
        other = named.setdefault(function_name(tool), tool)
        if other != tool:
            raise OperatorError(f"the tools {other!r} and {tool!r} would both be {function_name(tool)} in a chain")
    return named


def is_plain(name: str) -> bool:
    """Whether a name can be a keyword argument as it stands."""
    return name.isidentifier() and not keyword.iskeyword(name)
