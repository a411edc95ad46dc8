"""Translates a value that a tool returned under an old contract into the words of a new one."""

from __future__ import annotations

from typing import Any

from .examples import example
from .renames import renames
from .schemas import Schema, is_object, items, properties, required


def translate(value: Any, old: Schema, new: Schema) -> Any:
    """Return the value with its members renamed, dropped where they are gone, and added from examples where required.

    `old` and `new` are schemas without references (`schemas.response`). A member that the old schema does not document
    stays as it is.
    """
    if isinstance(value, dict) and is_object(old) and is_object(new):
        before, after = properties(old), properties(new)
        renamed = renames(before, after)
        members: dict[str, Any] = {}
        for name, member in value.items():
            new_name = str(renamed.get(name, name))
            if new_name in after or name not in before:
                members[new_name] = translate(member, before.get(name, {}), after.get(new_name, {}))
        missing = {name: example(after[name]) for name in required(new) if name in after and name not in members}
        return {**members, **missing}
    old_items, new_items = items(old), items(new)
    if isinstance(value, list) and old_items is not None and new_items is not None:
        return [translate(item, old_items, new_items) for item in value]
    return value
