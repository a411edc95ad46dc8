"""Makes a chain that migrates: two tools, the contracts that were and are, recorded runs, and caches that answer now.

What the program should give is known from the tools, which are pure here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from ....model.artifact import Arch, Kind
from ....operators.protocol.context import Context, Interfaces, LiveSource
from .case import Case
from .words import WordSource

FIGURES = ("temp", "wind", "rain", "fog", "sun", "snow")
FORMER = {"cityName": "city_name", "dayCount": "day_count", "placeCode": "place_code"}
Call = tuple[str, dict[str, Any], dict[str, Any]]
"""A tool, its arguments, its answer."""


@dataclass(frozen=True, slots=True)
class Plot:
    """What one case is about: a chain asks for the weather, and books where it is warm."""

    weather: str
    booking: str
    former: str
    now: str
    """the parameter of the first tool, as it was called and is"""
    good: str
    other: str
    third: str
    """figures that it answers; the first is the field that was renamed"""
    limit: int
    share: int

    @classmethod
    def of(cls, draw: Random, drawn: WordSource) -> Plot:
        """Draw one."""
        weather, booking = f"weather_{drawn.number()}", f"booking_{drawn.number()}"
        former, now = draw.choice(list(FORMER.items()))
        good, other, third = draw.sample(FIGURES, 3)
        return cls(weather, booking, former, now, good, other, third, draw.randint(12, 30), draw.randint(2, 9))

    @property
    def source(self) -> str:
        """The program as it was written for the contracts that were."""
        return (
            "def chain(city, nights):\n"
            f"    seen = {self.weather}({self.former}=city, unit='celsius')\n"
            f"    if seen['{self.good}Now'] > {self.limit}:\n"
            f"        found = {self.booking}(place=city, nights=nights)\n"
            f"        return found['price'] + {self.share} * seen['{self.other}']\n"
            f"    return seen['{self.good}Now'] - seen['{self.third}'] / {self.share}\n"
        )

    def named(self, figures: Mapping[str, Any], renamed: str) -> dict[str, Any]:
        """Return what stands beside each figure, where the field that was renamed has this ending."""
        return {f"{name}{renamed}" if name == self.good else name: value for name, value in figures.items()}

    def contracts(self, parameter: str, renamed: str) -> dict[str, dict[str, Any]]:
        """Return both tools, with this name of the parameter and ending of the field."""
        fields = self.named(dict.fromkeys((self.good, self.other, self.third), "number"), renamed)
        booked = {"price": "number", "free": "boolean"}
        return {
            self.weather: _contract(self.weather, {parameter: "string", "unit": "string"}, fields),
            self.booking: _contract(self.booking, {"place": "string", "nights": "integer"}, booked),
        }


@dataclass(frozen=True, slots=True)
class Told:
    """One run: as it was recorded, and the calls that current caches answer."""

    run: dict[str, Any]
    current: list[Call]


def case(draw: Random) -> Case:
    """Return a chain of two calls whose first tool had a parameter and a field renamed.

    Its runs take both ways or only one.
    """
    drawn = WordSource(draw)
    plot = Plot.of(draw, drawn)
    told = [_told(plot, warm, draw, drawn) for warm in draw.choice([(True, False), (True,), (False,)])]
    recipe = {
        "contracts": plot.contracts(plot.former, "Now"),
        "runs": [one.run for one in told],
        "checks": [{"question": "What is called?", "must": [plot.weather], "must_not": [plot.former]}],
    }
    calls = [call for one in told for call in one.current]
    caches = tuple(
        LiveSource(
            f"cache/{place}",
            "result",
            Kind.CACHE,
            json.dumps({"tool": tool, "arguments": arguments, "response": response}),
        )
        for place, (tool, arguments, response) in enumerate(calls)
    )
    in_force = Interfaces.of(plot.contracts(plot.now, "_now"))
    return Case(Context("chain/1", Kind.SKILL, Arch.CHAIN, recipe, in_force, plot.source, supports=caches))


def _told(plot: Plot, warm: bool, draw: Random, drawn: WordSource) -> Told:
    """Return a run where it is warm enough to book, or one where it is not."""
    place, nights = drawn.place(), draw.randint(1, 6)
    figures: dict[str, float] = {name: draw.randint(1, 9) / 2 for name in (plot.good, plot.other, plot.third)}
    figures[plot.good] = plot.limit + (draw.randint(1, 9) if warm else -draw.randint(1, 9))
    priced: dict[str, Any] = {"price": draw.randint(50, 500), "free": True}
    asked = {"tool": plot.weather, "arguments": {plot.former: place, "unit": "celsius"}}
    calls: list[dict[str, Any]] = [{**asked, "result": plot.named(figures, "Now")}]
    current: list[Call] = [(plot.weather, {plot.now: place, "unit": "celsius"}, plot.named(figures, "_now"))]
    result = figures[plot.good] - figures[plot.third] / plot.share
    if warm:
        booked = {"place": place, "nights": nights}
        result = priced["price"] + plot.share * figures[plot.other]
        calls.append({"tool": plot.booking, "arguments": booked, "result": priced})
        current.insert(0, (plot.booking, booked, priced))
    return Told({"arguments": {"city": place, "nights": nights}, "calls": calls, "result": result}, current)


def _contract(tool: str, parameters: dict[str, str], fields: dict[str, str]) -> dict[str, Any]:
    def of(kinds: dict[str, str]) -> dict[str, Any]:
        properties = {name: {"type": kind} for name, kind in kinds.items()}
        return {"type": "object", "properties": properties, "required": list(kinds), "additionalProperties": False}

    return {"name": tool, "inputSchema": of(parameters), "outputSchema": of(fields)}
