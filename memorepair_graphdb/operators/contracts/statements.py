"""Compares what two contracts say in words: of a tool's result, where no schema does, and of a parameter's values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .schemas import Schema
from .spelling import stems_of

_STATEMENT = re.compile(r"(?:^|[.\n]|(?<=\*\*))\s*\**\s*returns?\b[^\n]*?(?=\.\s|\.?\n|\.?$)", re.IGNORECASE)
"""A sentence of a tool's description that begins with `Returns`."""
_SMALL = frozenset(
    {"a", "an", "th", "the", "of", "for", "to", "and", "or", "in", "on", "with", "by", "as", "if", "when", "thi", "are"}
)
"""Stems that say nothing of a result."""
_LINE = re.compile(r"[\n;]|(?<=[.)])\s+")


def result_restated(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Return whether the new contract says another thing of the result than the old one: `Returns an id`.

    One that says nothing of it any more does not say another thing.
    """
    if old.get("outputSchema") and new.get("outputSchema"):
        return False
    before, now = _stated(old), _stated(new)
    return bool(now and before - now)


def value_restated(value: str, old: Schema, new: Schema) -> bool:
    """Return whether a parameter's description says another thing now of one of its values: `open: what is open`."""
    before, now = _said_of(value, old), _said_of(value, new)
    return bool(now) and any(all(line - other and other - line for other in now) for line in before)


def _said_of(value: str, schema: Schema) -> list[frozenset[str]]:
    """Return the stems of each line or sentence of a description that names a value and says more than its name.

    What says that the value is the default says nothing of it.
    """
    named = re.compile(rf"(?<![\w-]){re.escape(value)}(?![\w-])")
    lines = [line for line in _LINE.split(str(schema.get("description") or "")) if named.search(line)]
    said = [stems_of(named.sub(" ", line)) - _SMALL for line in lines if "default" not in line.casefold()]
    return [stems for stems in said if stems]


def _stated(contract: Mapping[str, Any]) -> frozenset[str]:
    statements = _STATEMENT.findall(str(contract.get("description") or ""))
    return stems_of(" ".join(statements).replace("*", " ")) - _SMALL
