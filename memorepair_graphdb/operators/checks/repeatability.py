"""Does a second replay agree with the first? (paper section 2.5, recompute)

Equal means equal canonical JSON, or equal text where it is no JSON; only places that the recipe or
the tool's contract declares volatile may differ.
"""

from __future__ import annotations

from typing import Any

from ...model.content import canonical_json
from ..protocol.check import Check, CheckInput
from ..protocol.context import parsed
from ..protocol.verdict import Verdict, excerpt
from .volatile import volatile_places, without

NAME = "replay"
AROUND = 20
"""characters shown on each side of a difference in text"""


def replays_alike(check_input: CheckInput) -> Verdict:
    """Run the operator again; a rejection shows where the two results differ."""
    first, second = check_input.review.payload, check_input.again()
    if first.content != second.content:
        places = volatile_places(check_input.review.context)
        stable = [without(parsed(payload.content), places) for payload in (first, second)]
        if difference := first_difference(*stable):
            return Verdict(False, NAME, f"a second replay differs: {difference}")
        if places and not _says_something(stable[0]):
            return Verdict(False, NAME, "a second replay differs, and without its volatile places nothing is left")
    if first.blob != second.blob:
        return Verdict(False, NAME, "a second replay differs: in its blob")
    return Verdict(True, NAME)


def _says_something(value: Any) -> bool:
    if isinstance(value, dict | list):
        return any(map(_says_something, value.values() if isinstance(value, dict) else value))
    return True


def first_difference(first: Any, second: Any, place: str = "$") -> str:
    """Return where two JSON values part, as `$.a[0]: 1, then 2`; "" where they are equal."""
    if isinstance(first, dict) and isinstance(second, dict):
        for key in sorted(first.keys() | second.keys()):
            if key not in first or key not in second:
                return f"{place}.{key}: only in the {'second' if key not in first else 'first'}"
            if difference := first_difference(first[key], second[key], f"{place}.{key}"):
                return difference
        return ""
    if isinstance(first, list) and isinstance(second, list):
        for position, items in enumerate(zip(first, second, strict=False)):
            if difference := first_difference(*items, f"{place}[{position}]"):
                return difference
        return "" if len(first) == len(second) else f"{place}: {len(first)} items, then {len(second)}"
    if isinstance(first, str) and isinstance(second, str):
        return _in_text(first, second, place)
    texts = canonical_json(first), canonical_json(second)
    return "" if texts[0] == texts[1] else f"{place}: {', then '.join(excerpt(text, 2 * AROUND) for text in texts)}"


def _in_text(first: str, second: str, place: str) -> str:
    if first == second:
        return ""
    pairs = zip(first, second, strict=False)
    start = next((index for index, pair in enumerate(pairs) if pair[0] != pair[1]), min(len(first), len(second)))
    window = slice(max(0, start - AROUND), start + AROUND)
    return f"{place}, character {start}: {first[window]!r}, then {second[window]!r}"


REPLAY = Check(NAME, replays_alike)
