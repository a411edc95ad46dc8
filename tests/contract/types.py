"""The types that a header can declare, and whether a value is of one.

Null is a value of every type; an integer is no float, and a boolean is no integer.
"""

from __future__ import annotations

from typing import Any

from neo4j.graph import Node, Path

_PLAIN: dict[str, tuple[type, ...]] = {
    "STRING": (str,),
    "INTEGER": (int,),
    "FLOAT": (float,),
    "BOOLEAN": (bool,),
    "MAP": (dict,),
    "BYTES": (bytes, bytearray),
    "NODE": (Node,),
    "PATH": (Path,),
    "ANY": (object,),
}


def is_of(value: Any, declared: str) -> bool:
    """Whether a value is of the declared type."""
    if value is None:
        return True
    if declared.startswith("LIST<"):
        return isinstance(value, list) and all(is_of(member, declared[5:-1]) for member in value)
    if isinstance(value, bool) and declared != "ANY":
        return declared == "BOOLEAN"
    return isinstance(value, _PLAIN[declared])
