"""Says which places of a result may differ between two replays, and takes them out of a result.

A place that is left out was declared; what nobody declared is compared.

A place is a JSON Pointer (RFC 6901) in which the step `*` stands for every field or item. A recipe names places of the
artifact's content, `"volatile": ["/fetched_at", "/items/*/age"]`. The contract of the recipe's tool names places of the
tool's answer, in MCP's `_meta` under `memorepair/volatile`; where the recipe has an expression, they are followed
through its fields, literal indexes, lists and objects. What a filter, a projection or a function makes of them is the
recipe's to declare.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...errors import BadInput
from ..contracts.pointers import pointer_steps
from ..protocol.context import Context
from .expressions import Place, sources_of

DECLARED = "memorepair/volatile"
"""where a contract's `_meta` names the places of the tool's answer that may differ"""


def volatile_places(context: Context) -> tuple[Place, ...]:
    """Return the places of the content that may differ; raises `BadInput` for a declaration that is none."""
    recipe = context.recipe if isinstance(context.recipe, dict) else {}
    own = read_places(recipe.get("volatile", []), f"the recipe of {context.key}")
    tool = recipe.get("tool")
    contract = context.interfaces[tool] if isinstance(tool, str) and tool in context.interfaces else {}
    answers = declared_places(contract)
    if not answers:
        return own
    moved = (place for answer in answers for place in _followed(answer, recipe.get("expression", "result")))
    return (*own, *moved)


def declared_places(contract: Mapping[str, Any]) -> tuple[Place, ...]:
    """Return what a contract declares of the tool's answer; raises `BadInput`."""
    meta = contract.get("_meta")
    named = meta.get(DECLARED, []) if isinstance(meta, dict) else []
    return read_places(named, f"the contract of {contract.get('name')}")


def without(value: Any, places: Sequence[Place]) -> Any:
    """Return a JSON value without these places, {} where that is all of it; what they do not meet stays as it is."""
    if not places:
        return value
    if () in places:
        return {}
    if isinstance(value, dict):
        kept = ((key, _inside(places, key)) for key in value)
        return {key: without(value[key], inner) for key, inner in kept if () not in inner}
    if isinstance(value, list):
        inners = [(item, _inside(places, str(position))) for position, item in enumerate(value)]
        return [without(item, inner) for item, inner in inners if () not in inner]
    return value


def read_places(named: Any, where: str) -> tuple[Place, ...]:
    """Return a list of JSON Pointers as places; raises `BadInput` that begins with `where`."""
    if not isinstance(named, list):
        raise BadInput(f"{where} names volatile places in a list, not in {type(named).__name__}")
    return tuple(_place(pointer, where) for pointer in named)


def _place(pointer: Any, where: str) -> Place:
    if not isinstance(pointer, str) or not pointer.startswith("/"):
        raise BadInput(f"{where}: a volatile place is a JSON Pointer such as /fetched_at, not {pointer!r}")
    steps = pointer_steps(pointer)
    if set(steps) == {"*"}:
        raise BadInput(f"{where}: {pointer} leaves nothing to compare")
    return steps


def _inside(places: Sequence[Place], step: str) -> list[Place]:
    return [place[1:] for place in places if place[0] in ("*", step)]


def _followed(answer: Place, expression: str) -> Iterator[Place]:
    """Yield where a place of the tool's answer stands in what the expression makes."""
    place = ("result", *answer)
    for target, source in sources_of(expression):
        if len(source) <= len(place):
            if _meets(place, source):
                yield (*target, *place[len(source) :])
        elif _meets(place, source[: len(place)]):
            yield target


def _meets(place: Place, steps: Place) -> bool:
    return all(one in ("*", step) for one, step in zip(place, steps, strict=False))
