"""Makes notes on tools that go wrong: names and calls of another interface, facts that the contract denies.

The note is edited as text, by what the contract says; how it was written is not known here.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

from ....model.artifact import Arch, Kind
from ....operators.protocol.context import Context, Interfaces, LiveSource
from ....operators.protocol.payload import Payload
from .case import Case, Injure, Ward, altered
from .words import WordSource

PARAMETERS = ("city", "day", "max_rows", "unit", "language", "radius", "sort_by", "page_size")
FORMER = ("town_name", "cityCode", "rows_limit", "lang_id", "areaRadius")
TYPES: tuple[dict[str, Any], ...] = (
    {"type": "string"},
    {"type": "integer", "minimum": 1, "maximum": 999},
    {"type": "string", "enum": ["celsius", "fahrenheit"], "default": "celsius"},
    {"type": "boolean", "default": False},
)
LESSONS = (
    "Answers are sorted by distance.",
    "Names are not translated.",
    "Large areas take a moment longer.",
    "An empty list means that nothing is near.",
)
Change = Callable[[str, Case, Random], "str | None"]
"""A note → another; None where it does not apply."""


def case(draw: Random) -> Case:
    """Return a tool that was migrated, and its summary, of which a source was deleted."""
    drawn = WordSource(draw)
    tool = f"find_{drawn.good()}_{drawn.number()}"
    new = _contract(tool, draw.sample(PARAMETERS, 4), drawn, draw)
    former = draw.choice(FORMER)
    old = copy.deepcopy(new)
    old["inputSchema"]["properties"][former] = {"type": "string"}
    old["description"] = f"{new['description']} Needs {former}."
    lessons = draw.sample(LESSONS, 3)
    deleted = f"{drawn.person()} of {drawn.place()} got {drawn.number()} answers and was angry about it."
    recipe = {
        "tool": tool,
        "contracts": {tool: old},
        "schema": {"type": "string", "minLength": 20},
        "checks": [
            {"question": "Which tool?", "must": [tool, lessons[0]], "must_not": [" ".join(deleted.split()[:2])]}
        ],
    }
    summary = LiveSource(f"sum/tool/{tool}", "summary", Kind.SUMMARY, "\n".join(lessons))
    other: dict[str, Any] = {
        "name": f"book_{drawn.good()}",
        "inputSchema": {"type": "object", "properties": {"guests": TYPES[1]}},
    }
    in_force = Interfaces.of({tool: new, other["name"]: other})
    return Case(Context("note/1", Kind.SKILL, Arch.PROMPT, recipe, in_force, supports=(summary,)), (deleted,))


def _contract(tool: str, names: list[str], drawn: WordSource, draw: Random) -> dict[str, Any]:
    properties = {}
    for name, schema in zip(names, draw.sample(TYPES, 4), strict=True):
        properties[name] = {**schema, "description": f"what the {drawn.good()} is looked for by"}
    needed = [name for name in names if "default" not in properties[name]]
    schema = {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}
    return {"name": tool, "description": f"Finds things near {drawn.place()} for you.", "inputSchema": schema}


def _the_contract(case: Case) -> dict[str, Any]:
    return dict(case.context.interfaces[case.context.recipe["tool"]])


def _former(case: Case) -> str:
    recipe = case.context.recipe
    old, new = recipe["contracts"][recipe["tool"]], _the_contract(case)
    return str(next(iter(old["inputSchema"]["properties"].keys() - new["inputSchema"]["properties"].keys())))


def _parameter(case: Case, draw: Random, needed: bool | None = None) -> str:
    schema = _the_contract(case)["inputSchema"]
    return str(draw.choice([name for name in schema["properties"] if needed in (None, name in schema["required"])]))


def _renamed(note: str, case: Case, draw: Random) -> str | None:
    return re.sub(rf"\b{_parameter(case, draw)}\b", _former(case), note)


def _named_former(note: str, case: Case, draw: Random) -> str | None:
    return f"{note}\n- Always give `{_former(case)}` as well.\n"


def _named_former_plainly(note: str, case: Case, draw: Random) -> str | None:
    return f"{note}\n- Always give {_former(case)} as well.\n"


def _other_tool(note: str, case: Case, draw: Random) -> str | None:
    tool = case.context.recipe["tool"]
    return note.replace(tool, f"{tool}_v1")


def _row_lost(note: str, case: Case, draw: Random) -> str | None:
    name = _parameter(case, draw, needed=True)
    return "\n".join(line for line in note.split("\n") if not line.startswith(f"| `{name}`"))


def _cells_of(note: str, name: str, edit: Callable[[list[str]], None]) -> str | None:
    """Return the note with one row of its table edited, a cell each; None where there is no such row."""
    lines = note.split("\n")
    for place, line in enumerate(lines):
        if line.startswith(f"| `{name}` |"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            edit(cells)
            lines[place] = f"| {' | '.join(cells)} |"
            return "\n".join(lines)
    return None


def _flag(note: str, case: Case, draw: Random) -> str | None:
    def edit(cells: list[str]) -> None:
        cells[2] = "no" if cells[2] == "yes" else "yes"

    return _cells_of(note, _parameter(case, draw), edit)


def _typed(note: str, case: Case, draw: Random) -> str | None:
    def edit(cells: list[str]) -> None:
        cells[1] = draw.choice([kind for kind in ("integer", "number", "array", "object") if kind != cells[1]])

    return _cells_of(note, _parameter(case, draw), edit)


def _default(note: str, case: Case, draw: Random) -> str | None:
    def edit(cells: list[str]) -> None:
        cells[3] = {'"celsius"': '"fahrenheit"', "false": "true"}.get(cells[3], cells[3])

    return _cells_of(note, _parameter(case, draw, needed=False), edit)


def _described(note: str, case: Case, draw: Random) -> str | None:
    return note.replace("is looked for by", "is never looked for by", 1)


def _purpose(note: str, case: Case, draw: Random) -> str | None:
    return note.replace("Finds things", draw.choice(["Books things", "Deletes things", "Never finds things"]), 1)


def _call(edit: Callable[[dict[str, Any], Case, Random], None]) -> Change:
    """Return the example call of the note, edited."""

    def change(note: str, case: Case, draw: Random) -> str | None:
        lines = note.split("\n")
        for place, line in enumerate(lines):
            if line.startswith('    {"'):
                call = json.loads(line)
                edit(call, case, draw)
                lines[place] = f"    {json.dumps(call, sort_keys=True, separators=(',', ':'))}"
                return "\n".join(lines)
        return None

    return change


def _missing_argument(call: dict[str, Any], case: Case, draw: Random) -> None:
    del call["arguments"][_parameter(case, draw, needed=True)]


def _unknown_argument(call: dict[str, Any], case: Case, draw: Random) -> None:
    call["arguments"]["guests"] = 2


def _wrong_argument(call: dict[str, Any], case: Case, draw: Random) -> None:
    properties = _the_contract(case)["inputSchema"]["properties"]
    whole = next(name for name, schema in properties.items() if schema["type"] == "integer")
    call["arguments"][whole] = draw.choice(["many", 0, -1, None])


def _not_json(note: str, case: Case, draw: Random) -> str | None:
    return re.sub(r'^    \{"(.*)\}$', r'    {"\1', note, count=1, flags=re.MULTILINE)


def _lesson(make: Callable[[Case, Random], str]) -> Change:
    return lambda note, case, draw: f"{note.rstrip()}\n- {make(case, draw)}\n"


def _lesson_turned(note: str, case: Case, draw: Random) -> str | None:
    lesson = draw.choice(case.context.supports[0].content.split("\n")[1:])
    verb = next((verb for verb in (" are ", " take ", " means ") if verb in lesson), None)
    return None if verb is None else note.replace(lesson, lesson.replace(verb, f"{verb}not ", 1))


def _invented(case: Case, draw: Random) -> str:
    return draw.choice(["Calls are free of charge.", "It never fails.", "Call it twice to be sure."])


def _changed(change: Change) -> Injure:
    def injure(case: Case, payload: Payload, draw: Random) -> Payload | None:
        note = change(payload.content, case, draw)
        return None if note is None else altered(payload, note)

    return injure


SORTS: dict[str, Injure] = {
    "a parameter by its former name": _changed(_renamed),
    "a former parameter asked for": _changed(_named_former),
    "a former parameter asked for in plain words": _changed(_named_former_plainly),
    "the tool by another name": _changed(_other_tool),
    "a required parameter left out": _changed(_row_lost),
    "required and optional mixed up": _changed(_flag),
    "a parameter of another type": _changed(_typed),
    "another default": _changed(_default),
    "a parameter that means the opposite": _changed(_described),
    "another purpose": _changed(_purpose),
    "an example that lacks an argument": _changed(_call(_missing_argument)),
    "an example with an argument of another tool": _changed(_call(_unknown_argument)),
    "an example with a wrong value": _changed(_call(_wrong_argument)),
    "an example that is no JSON": _changed(_not_json),
    "the deleted sentence as a lesson": _changed(_lesson(lambda case, draw: case.retracted[0])),
    "the deleted name in a lesson": _changed(
        _lesson(lambda case, draw: f"Beware of {' '.join(case.retracted[0].split()[:2])}.")
    ),
    "the deleted number in a lesson": _changed(
        _lesson(lambda case, draw: f"Expect {case.retracted[0].split()[5]} answers.")
    ),
    "a lesson that nobody learned": _changed(_lesson(_invented)),
    "a lesson turned round": _changed(_lesson_turned),
}
SCHEMA, REGRESSION = frozenset({"schema"}), frozenset({"regression"})
NOTES = Ward("prompt skill", "note@2", case, SORTS, SCHEMA, REGRESSION)
