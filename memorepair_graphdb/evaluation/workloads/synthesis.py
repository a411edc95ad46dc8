"""Makes plausible data for a JSON Schema, from a seed.

The same schema, seed and arguments give the same value on every machine, and whoever stores it marks it as synthetic.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

# fmt: off
WORDS = (
    "amber", "anchor", "aspen", "beacon", "birch", "bronze", "canyon", "cedar", "cobalt", "coral", "crescent",
    "delta", "ember", "falcon", "fern", "garnet", "glacier", "granite", "harbor", "hazel", "indigo", "iris", "ivory",
    "jasper", "juniper", "lagoon", "lantern", "larch", "linen", "maple", "marble", "meadow", "mesa", "mistral",
    "north", "ochre", "olive", "onyx", "opal", "orchard", "pebble", "pine", "prairie", "quartz", "raven", "ridge",
    "river", "saffron",
)
# fmt: on
LONGEST_LIST = 3


def synthesise(schema: Mapping[str, Any], seed: str, arguments: Mapping[str, Any]) -> Any:
    """Return a value of the schema; a string field that is named like an argument repeats it, as real services do."""
    echo = {name.lower(): value for name, value in arguments.items() if isinstance(value, str | int | float)}
    return _value(schema, "", Random(seed), echo)


def _value(schema: Mapping[str, Any], name: str, random: Random, echo: Mapping[str, Any]) -> Any:
    match schema.get("type"):
        case "object":
            fields = schema.get("properties", {})
            return {field: _value(part, field, random, echo) for field, part in fields.items()}
        case "array":
            items = schema.get("items") or {}
            count = random.randint(1, LONGEST_LIST) if items else 0
            return [_value(items, name, random, echo) for _ in range(count)]
        case "integer":
            return random.randint(1990, 2024) if "year" in name.lower() else random.randint(1, 9999)
        case "number":
            return round(random.uniform(0, 1000), 2)
        case "boolean":
            return random.random() < 0.5
        case "string":
            return str(echo[name.lower()]) if name.lower() in echo else text(name, random)
        case _:
            return None


def text(name: str, random: Random) -> str:
    """Return a string such as a field of this name holds: a link, a date, an address, an identifier, or two words."""
    hint = name.lower()
    first, second = random.sample(WORDS, 2)
    if any(part in hint for part in ("url", "link", "href", "image", "photo", "website")):
        return f"https://{first}.example/{second}/{random.randint(100, 999)}"
    if hint.startswith(("lat", "lng", "lon")):
        return f"{random.uniform(-60, 60):.4f}"
    if "mail" in hint:
        return f"{first}@{second}.example"
    if "time" in hint or "date" in hint or hint.endswith("_at"):
        return f"20{random.randint(18, 24)}-{random.randint(1, 12):02}-{random.randint(1, 28):02}"
    if hint.endswith("id") or "code" in hint or "key" in hint:
        return f"{first[:3].upper()}{random.randint(10000, 99999)}"
    return f"{first.title()} {second.title()}"
