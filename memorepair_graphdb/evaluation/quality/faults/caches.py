"""Makes cached tool results that go wrong: answers altered, cut, mixed up, stale, leaking, of the wrong form.

The tool is a pure function here, so that its true answer is known and everything else is a fault.
"""

from __future__ import annotations

import copy
import hashlib
import itertools
import json
from collections.abc import Callable
from random import Random
from typing import Any

from ....model.artifact import Kind
from ....model.content import canonical_json
from ....operators.protocol.context import Context, Interfaces, LiveSource
from ....operators.protocol.payload import Payload
from .case import Case, Injure, Ward, altered
from .words import WordSource

_calls = itertools.count(1)

Change = Callable[[Any, Case, Random], Any]
"""The answer → another; None where it does not apply."""


def answer(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return what the tool answers: the same to the same call, but for `fetched`.

    That field counts the calls of the process.
    """
    draw = Random(hashlib.sha256(canonical_json([tool, arguments]).encode()).hexdigest())
    drawn = WordSource(draw)
    return {
        "city": arguments["city"],
        "temperature": draw.randint(-300, 400) / 10,
        "open": draw.random() < 0.5,
        "note": f"{drawn.good()} sale at {drawn.place()}",
        "stations": [
            {"name": f"{drawn.place()} {drawn.number()}", "wind": draw.randint(0, 40)}
            for _ in range(draw.randint(3, 5))
        ],
        "fetched": f"call {next(_calls)}",
    }


def contract(tool: str) -> dict[str, Any]:
    """Return what the tool documents; `fetched` is volatile."""
    text, number = {"type": "string"}, {"type": "number"}
    station = {"type": "object", "properties": {"name": text, "wind": number}, "required": ["name"]}
    return {
        "name": tool,
        "inputSchema": {
            "type": "object",
            "properties": {"city": text, "days": {"type": "integer"}},
            "required": ["city"],
        },
        "outputSchema": {
            "type": "object",
            "properties": {
                "city": text,
                "temperature": number,
                "open": {"type": "boolean"},
                "note": text,
                "stations": {"type": "array", "items": station},
                "fetched": text,
            },
            "required": ["city", "temperature"],
        },
        "annotations": {"readOnlyHint": True},
        "_meta": {"memorepair/volatile": ["/fetched"]},
    }


def case(draw: Random) -> Case:
    """Return a cached call whose asker was deleted; another request still stands behind it."""
    drawn = WordSource(draw)
    tool, arguments = f"weather_{drawn.number()}", {"city": drawn.place(), "days": draw.randint(1, 9)}
    recipe = {
        "tool": tool,
        "arguments": arguments,
        "checks": [{"question": "Where?", "must": [arguments["city"]], "must_not": [deleted := drawn.person()]}],
    }
    request = LiveSource("instr/2", "request", Kind.RECORD, f"How warm is {arguments['city']}, please?")
    context = Context(
        "cache/1", Kind.CACHE, recipe=recipe, interfaces=Interfaces.of({tool: contract(tool)}), supports=(request,)
    )
    return Case(context, (f"{deleted} of {drawn.number()} Elm Road asks for {arguments['city']}.",))


def _leaf(value: Any, case: Case, draw: Random) -> Any:
    value["temperature"] = round(value["temperature"] + draw.choice([-0.1, 0.1, 1, 10]), 1)
    return value


def _inner(value: Any, case: Case, draw: Random) -> Any:
    draw.choice(value["stations"])["wind"] += draw.choice([-1, 1, 5])
    return value


def _text(value: Any, case: Case, draw: Random) -> Any:
    value["note"] = f"{draw.choice(value['note'].split())} {value['note']}"
    return value


def _flag(value: Any, case: Case, draw: Random) -> Any:
    value["open"] = not value["open"]
    return value


def _other_call(value: Any, case: Case, draw: Random) -> Any:
    recipe = case.context.recipe
    return answer(recipe["tool"], {**recipe["arguments"], "days": recipe["arguments"]["days"] + draw.randint(1, 5)})


def _other_tool(value: Any, case: Case, draw: Random) -> Any:
    recipe = case.context.recipe
    return answer(f"{recipe['tool']}_old", recipe["arguments"])


def _dropped(value: Any, case: Case, draw: Random) -> Any:
    del value[draw.choice(["open", "note", "stations"])]
    return value


def _added(value: Any, case: Case, draw: Random) -> Any:
    value[draw.choice(["humidity", "source", "warning"])] = draw.randint(1, 99)
    return value


def _typed(value: Any, case: Case, draw: Random) -> Any:
    value["temperature"] = str(value["temperature"])
    return value


def _short(value: Any, case: Case, draw: Random) -> Any:
    value["stations"].pop()
    return value


def _twice(value: Any, case: Case, draw: Random) -> Any:
    value["stations"].append(copy.deepcopy(value["stations"][0]))
    return value


def _order(value: Any, case: Case, draw: Random) -> Any:
    stations = value["stations"]
    turned = stations[::-1]
    return None if turned == stations else {**value, "stations": turned}


def _error(value: Any, case: Case, draw: Random) -> Any:
    return {"error": draw.choice(["rate limit exceeded", "internal error"]), "city": value["city"]}


def _leaking(value: Any, case: Case, draw: Random) -> Any:
    value["note"] = case.retracted[0]
    return value


def _leaking_name(value: Any, case: Case, draw: Random) -> Any:
    value["fetched"] = f"for {' '.join(case.retracted[0].split()[:2])}"
    return value


def _leaking_number(value: Any, case: Case, draw: Random) -> Any:
    value["fetched"] = f"call {case.retracted[0].split()[3]}"
    return value


def _volatile(value: Any, case: Case, draw: Random) -> Any:
    value["fetched"] = draw.randint(1, 9)
    return value


def _spaced(case: Case, payload: Payload, draw: Random) -> Payload | None:
    return altered(payload, json.dumps(json.loads(payload.content), sort_keys=True))


def _unsorted(case: Case, payload: Payload, draw: Random) -> Payload | None:
    value = json.loads(payload.content)
    turned = {name: value[name] for name in reversed(list(value))}
    return altered(payload, json.dumps(turned, separators=(",", ":"), ensure_ascii=False))


def _cut(case: Case, payload: Payload, draw: Random) -> Payload | None:
    return altered(payload, payload.content[: draw.randint(10, len(payload.content) - 1)])


def _changed(change: Change) -> Injure:
    def injure(case: Case, payload: Payload, draw: Random) -> Payload | None:
        value = change(json.loads(payload.content), case, draw)
        return None if value is None else altered(payload, canonical_json(value))

    return injure


SORTS: dict[str, Injure] = {
    "a number is another": _changed(_leaf),
    "a number of an item is another": _changed(_inner),
    "a text is another": _changed(_text),
    "a yes is a no": _changed(_flag),
    "the answer to another call": _changed(_other_call),
    "the answer of another version": _changed(_other_tool),
    "a field is missing": _changed(_dropped),
    "a field is added": _changed(_added),
    "a number is a text": _changed(_typed),
    "an item is missing": _changed(_short),
    "an item is there twice": _changed(_twice),
    "items in another order": _changed(_order),
    "an error for an answer": _changed(_error),
    "the deleted text": _changed(_leaking),
    "the deleted name in a volatile field": _changed(_leaking_name),
    "the deleted number in a volatile field": _changed(_leaking_number),
    "a volatile field of another type": _changed(_volatile),
    "spaces in the JSON": _spaced,
    "keys in another order": _unsorted,
    "cut off": _cut,
}
CACHES = Ward("cache", "replay@2", case, SORTS, frozenset({"response", "schema"}), frozenset({"regression"}))
