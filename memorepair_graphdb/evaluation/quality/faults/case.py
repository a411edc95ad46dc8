"""Holds what is injured: a context with its true successor, and the ways to injure it.

Data only; a way to injure gives a payload that is wrong, or None where it does not apply.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from ....operators.protocol.context import Context
from ....operators.protocol.payload import Payload


@dataclass(frozen=True, slots=True)
class Case:
    """What an operator is given, and what must not come back."""

    context: Context
    retracted: tuple[str, ...] = ()
    before: Context | None = None
    """what the version that is to be succeeded was made from, where the operator starts from that"""


Injure = Callable[[Case, Payload, Random], Payload | None]
"""A case, its true successor and a draw → a payload with one fault; None where the fault would be none."""


@dataclass(frozen=True, slots=True)
class Ward:
    """One class of artifacts, and how its successors go wrong."""

    kind: str
    """as the table says it"""
    operator: str
    """name@version of who makes the true successors"""
    case: Callable[[Random], Case]
    sorts: Mapping[str, Injure]
    """what is wrong → how to make it so"""
    schema: frozenset[str]
    """the checks that look at the form alone"""
    regression: frozenset[str]
    """the checks that ask stored questions alone"""


def altered(payload: Payload, content: str, **changed: object) -> Payload | None:
    """Return a payload with another content; None where it is the same."""
    metadata, blob = changed.get("metadata", payload.metadata), changed.get("blob", payload.blob)
    if not content.strip() or (content, metadata, blob) == (payload.content, payload.metadata, payload.blob):
        return None
    return Payload(content, blob=blob if isinstance(blob, bytes) else None, metadata=metadata)
