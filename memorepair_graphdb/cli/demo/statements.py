"""Holds the statements of the demo alone: emptying its spaces, and a delete as other stores do it.

The statements name the demo's two spaces themselves, so that they cannot touch another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...store.queries import query

if TYPE_CHECKING:
    from ...store.transactions import Tx

_FORGET = query("browser/demo_forget")
_PLAIN_DELETE = query("browser/demo_plain_delete")

SPACE, PLAIN_SPACE = "memorepair_demo", "memorepair_demo_plain"
"""The space that is repaired, and a copy of it that suffers a plain delete."""

EVENTS = query("browser/demo_events")
"""What to paste into Neo4j Browser afterwards."""


def forget(tx: Tx) -> int:
    """Delete everything in the demo's spaces; return how many nodes there were."""
    return int(_FORGET.one(tx)["deleted"])


def plain_delete(tx: Tx, key: str) -> int:
    """Delete the node of a key in the plain space, and nothing that came of it."""
    return int(_PLAIN_DELETE.one(tx, key=key)["deleted"])
