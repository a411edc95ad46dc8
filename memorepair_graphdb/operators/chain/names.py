"""How a tool's or a parameter's name is written in a chain.

The law of the room: a name that is an identifier stays itself.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable

from ...errors import BadInput


def python_name(tool: str) -> str:
    """The function that stands for a tool: its name, with `_` for what no identifier has."""
    name = re.sub(r"\W", "_", tool)
    return name if is_plain(name) else f"_{name}"


def function_names(tools: Iterable[str]) -> dict[str, str]:
    """Function → tool; raises `BadInput` where two tools would share a function."""
    named: dict[str, str] = {}
    for tool in tools:
        other = named.setdefault(python_name(tool), tool)
        if other != tool:
            raise BadInput(f"the tools {other!r} and {tool!r} would both be {python_name(tool)} in a chain")
    return named


def is_plain(name: str) -> bool:
    """Whether a name can be a keyword argument as it stands."""
    return name.isidentifier() and not keyword.iskeyword(name)
