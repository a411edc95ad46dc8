"""Makes chains that go wrong: programs that call what is gone, read another field, or compute something else.

A program is edited as text; what it should give is known from the tools, which are pure here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from ....operators.protocol.payload import Payload
from .case import Case, Injure, Ward, altered
from .chain_case import FORMER, case

Change = Callable[[str, Case, Random], "str | None"]
"""A program → another; None where it does not apply."""


def _number(source: str, case: Case, draw: Random) -> str | None:
    found = draw.choice(list(re.finditer(r"(?<=[>/] )\d+|\d+(?= \*)", source)))
    changed = int(found.group()) + draw.choice([-40, 1, 40]) if ">" in source[found.start() - 2 : found.start()] else 1
    return source[: found.start()] + str(changed) + source[found.end() :]


def _sign(source: str, case: Case, draw: Random) -> str | None:
    one, other = draw.choice([(" + ", " - "), (" - ", " + "), (" / ", " * "), (" * ", " + ")])
    return source.replace(one, other, 1)


def _turned(source: str, case: Case, draw: Random) -> str | None:
    return source.replace(" > ", draw.choice([" < ", " <= "]), 1)


def _field(source: str, case: Case, draw: Random) -> str | None:
    """Read a field of the same type in another's place."""
    read = sorted(set(re.findall(r"seen\['(\w+)'\]", source)))
    one, other = draw.sample(read, 2)
    place = source.rindex(f"seen['{one}']")
    return source[:place] + source[place:].replace(one, other, 1)


def _former_field(source: str, case: Case, draw: Random) -> str | None:
    return source.replace("_now'", "Now'")


def _former_parameter(source: str, case: Case, draw: Random) -> str | None:
    former, now = next((former, now) for former, now in FORMER.items() if f"({now}=" in source)
    return source.replace(f"({now}=", f"({former}=")


def _unmigrated(source: str, case: Case, draw: Random) -> str | None:
    return case.context.previous


def _lost_argument(source: str, case: Case, draw: Random) -> str | None:
    return source.replace(draw.choice([", unit='celsius'", ", nights=nights"]), "", 1)


def _mixed_arguments(source: str, case: Case, draw: Random) -> str | None:
    return source.replace("place=city, nights=nights", "place=nights, nights=city")


def _other_value(source: str, case: Case, draw: Random) -> str | None:
    return source.replace(*draw.choice([("'celsius'", "'kelvin'"), ("nights=nights", "nights=nights + 1")]))


def _no_call(source: str, case: Case, draw: Random) -> str | None:
    return re.sub(r"booking_\d+\(place=city, nights=nights\)", "{'price': 100, 'free': True}", source)


def _second_call(source: str, case: Case, draw: Random) -> str | None:
    line = next(line for line in source.split("\n") if "seen = " in line)
    return source.replace(line, f"{line}\n    {line.strip().removeprefix('seen = ')}", 1)


def _unknown_tool(source: str, case: Case, draw: Random) -> str | None:
    return re.sub(r"booking_(\d+)\(", r"bookings_\1(", source)


def _constant(source: str, case: Case, draw: Random) -> str | None:
    return f"def chain(city, nights):\n    return {case.context.recipe['runs'][0]['result']!r}\n"


def _by_heart(source: str, case: Case, draw: Random) -> str | None:
    """Return the recorded results, without a call."""
    known = {run["arguments"]["city"]: run["result"] for run in case.context.recipe["runs"]}
    return f"def chain(city, nights):\n    return {known!r}[city]\n"


def _swallowed(source: str, case: Case, draw: Random) -> str | None:
    line = next(line for line in source.split("\n") if "found = " in line)
    call = line.strip().replace("nights=nights", "night=nights")
    instead = ["try:", f"    {call}", "except Exception:", "    found = {'price': 0, 'free': False}"]
    return source.replace(line, "\n".join(f"        {one}" for one in instead))


def _endless(source: str, case: Case, draw: Random) -> str | None:
    return source.replace("    seen = ", "    while True:\n        nights += 1\n    seen = ", 1)


def _import(source: str, case: Case, draw: Random) -> str | None:
    module, use = draw.choice([("os", "listdir('/')"), ("socket", "socket()"), ("subprocess", "run(['true'])")])
    return f"import {module}\n" + source.replace("    seen = ", f"    {module}.{use}\n    seen = ", 1)


def _file(source: str, case: Case, draw: Random) -> str | None:
    return source.replace("    seen = ", "    open('/etc/hostname').read()\n    seen = ", 1)


def _broken(source: str, case: Case, draw: Random) -> str | None:
    place = draw.choice([found.start() for found in re.finditer(r"[\])(]", source)])
    return source[:place] + source[place + 1 :]


def _renamed(source: str, case: Case, draw: Random) -> str | None:
    return source.replace("def chain(", "def main(")


def _returns_nothing(source: str, case: Case, draw: Random) -> str | None:
    return source.replace("return found", "found", 1)


def _text(source: str, case: Case, draw: Random) -> str | None:
    return re.sub(r"return (seen.*)\n", r"return str(\1)\n", source)


def _shadowed(source: str, case: Case, draw: Random) -> str | None:
    found = re.search(r"(booking_\d+)\(", source)
    assert found is not None  # noqa: S101 - every case has the call
    return f"def {found.group(1)}(place, nights):\n    return {{'price': 100, 'free': True}}\n{source}"


def _changed(change: Change) -> Injure:
    def injure(case: Case, payload: Payload, draw: Random) -> Payload | None:
        source = change(payload.content, case, draw)
        return None if source is None else altered(payload, source)

    return injure


SORTS: dict[str, Injure] = {
    "a number is another": _changed(_number),
    "an operation is another": _changed(_sign),
    "a comparison is turned round": _changed(_turned),
    "another field is read": _changed(_field),
    "a field by its former name": _changed(_former_field),
    "a parameter by its former name": _changed(_former_parameter),
    "the old chain": _changed(_unmigrated),
    "an argument is missing": _changed(_lost_argument),
    "arguments mixed up": _changed(_mixed_arguments),
    "another value is sent": _changed(_other_value),
    "a call is left out": _changed(_no_call),
    "a call is made twice": _changed(_second_call),
    "a tool that is not there": _changed(_unknown_tool),
    "a tool that it defines itself": _changed(_shadowed),
    "a result by heart": _changed(_constant),
    "all results by heart": _changed(_by_heart),
    "a wrong call that is swallowed": _changed(_swallowed),
    "it never ends": _changed(_endless),
    "it imports what reaches out": _changed(_import),
    "it opens a file": _changed(_file),
    "it cannot be read": _changed(_broken),
    "it has another name": _changed(_renamed),
    "it returns nothing": _changed(_returns_nothing),
    "it returns a text": _changed(_text),
}
CHAINS = Ward(
    "chain skill",
    "chain@1",
    case,
    SORTS,
    frozenset({"parses", "types"}),
    frozenset({"regression", "recorded_runs", "same_result"}),
)
