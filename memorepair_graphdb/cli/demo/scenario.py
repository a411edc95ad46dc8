"""Holds the demo's data: its events, and the keys that are looked at before and after.

The memory itself is in `memory.jsonl`, in the wire format.
"""

from __future__ import annotations

from pathlib import Path

from ...model.event import RepairEvent

MEMORY = Path(__file__).with_name("memory.jsonl")

CUSTOMER = "Mara Lindqvist"
MESSAGE = "msg/1041"
HER_ANSWER = "answer/where-is-7741"
COUNT = "answer/cracked-shades"
RETURNS = "answer/return-window"
NOTE = "skill/use-orders"
WAITING = "skill/calm-a-customer"

FORGET_HER = RepairEvent.delete([MESSAGE], reason=f"{CUSTOMER} asks to be forgotten", id="demo-delete")

LONGER_RETURNS = RepairEvent.correct(
    {"policy/returns": {"days": 60, "text": "A lamp can be returned within 60 days if it is complete."}},
    reason="returns are open for longer",
    id="demo-correct",
)

_ORDERS = {
    "name": "orders_get",
    "description": "Look up an order.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "order_number": {"type": "string", "description": "As on the invoice."},
            "country": {"type": "string", "description": "Where it was sent to.", "default": "AT"},
        },
        "required": ["order_number"],
    },
    "outputSchema": {
        "type": "object",
        "properties": {"order_id": {"type": "string"}, "item": {"type": "string"}, "status": {"type": "string"}},
    },
}

NEW_INTERFACE = RepairEvent.migrate(
    {"doc/orders_get": _ORDERS, "doc/fax_send": None},
    reason="orders_get takes an order_number now, and the fax is gone",
    id="demo-migrate",
)
