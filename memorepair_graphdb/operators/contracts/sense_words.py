"""Lists the words by which two schemas say another unit, another first number, the other way round, or another kind."""

from __future__ import annotations

import re

UNITS = {
    "ms": "millisecond", "msec": "millisecond", "sec": "second", "secs": "second", "min": "minute", "hr": "hour",
    "km": "kilometer", "kilometre": "kilometer", "metre": "meter", "feet": "foot", "kg": "kilogram", "lb": "pound",
    "oz": "ounce", "kb": "kilobyte", "mb": "megabyte", "gb": "gigabyte", "percentage": "percent", "usd": "dollar",
    "eur": "euro",
}  # fmt: skip
"""Short or British name of a unit → the name that it is compared by."""
UNIT = re.compile(
    r"\b(cent|dollar|euro|usd|eur|gbp|pence|celsius|fahrenheit|kelvin|millisecond|microsecond|second|minute|hour|day"
    r"|week|month|year|ms|epoch|unix|iso|utc|local|met(?:er|re)|kilomet(?:er|re)|km|mile|foot|feet|inch|gram|kilogram"
    r"|kg|pound|lb|ounce|percent|percentage|fraction|ratio|byte|kilobyte|megabyte|kb|mb|gb|degree|radian)s?\b"
)
NAME_UNITS = frozenset({
    "ms", "msec", "millis", "milliseconds", "microseconds", "seconds", "secs", "minutes", "hours", "days",
    "weeks", "months", "years", "cents", "dollars", "usd", "eur", "gbp", "celsius", "fahrenheit", "kelvin",
    "km", "kilometers", "miles", "meters", "feet", "inches", "kg", "grams", "pounds", "ounces", "percent",
    "bytes", "kb", "mb", "gb", "radians", "degrees",
})  # fmt: skip
"""Words of a name that are units there; `min` and `second` alone are not, they name a least and an order."""

FROM_ZERO = re.compile(
    r"\b(?:0|zero)[- ]?(?:based|indexed|origin)|\b(?:from|at|with) (?:0|zero)\b|\b(?:0|zero) (?:is|for|means) the first"
)
FROM_ONE = re.compile(
    r"\b(?:1|one)[- ]?(?:based|indexed|origin)|\b(?:from|at|with) (?:1|one)\b|\b(?:1|one) (?:is|for|means) the first"
)
COUNTED = frozenset(
    {"page", "index", "idx", "offset", "position", "line", "row", "column", "month", "weekday", "number"}
)
"""What is counted from 0 or from 1."""

OPPOSITES = (
    ("include", "exclude"), ("include", "without"), ("include", "omit"), ("with", "without"), ("enable", "disable"),
    ("show", "hide"), ("allow", "deny"), ("allow", "forbid"), ("allow", "block"), ("allow", "disallow"),
    ("accept", "reject"), ("verbose", "quiet"), ("verbose", "silent"), ("visible", "hidden"), ("public", "private"),
    ("ascending", "descending"), ("asc", "desc"), ("lock", "unlock"), ("keep", "drop"), ("keep", "remove"),
    ("keep", "delete"), ("skip", "include"), ("skip", "keep"), ("skip", "run"), ("ignore", "include"),
    ("ignore", "respect"), ("active", "inactive"), ("online", "offline"), ("sync", "async"), ("follow", "ignore"),
    ("sensitive", "insensitive"),
)  # fmt: skip
"""Words that turn a name or a description round."""
NAME_OPPOSITES = (
    *OPPOSITES,
    ("before", "after"), ("since", "until"), ("from", "to"), ("from", "for"), ("start", "end"), ("first", "last"),
    ("min", "max"), ("minimum", "maximum"), ("on", "off"), ("open", "closed"), ("add", "remove"), ("source", "target"),
    ("sender", "recipient"), ("read", "write"), ("left", "right"), ("up", "down"), ("in", "out"), ("input", "output"),
    ("inbound", "outbound"), ("latitude", "longitude"), ("lat", "lon"), ("lat", "lng"), ("width", "height"),
    ("older", "newer"), ("oldest", "newest"), ("above", "below"), ("more", "less"), ("old", "new"), ("head", "base"),
)  # fmt: skip
"""Words that turn a name round; in a description they are too common to say anything."""
NEGATIVE = re.compile(
    r"\b(?:no|not|no longer|never|without|invert\w*|inverse\w*|opposite|negat\w*|revers\w*|instead|unlike|rather than"
    r"|contrary|vice versa|flipped|other way|n't|cannot)\b|n['’]t\b"
)

HEADS = (
    frozenset({"cursor", "token", "bookmark"}),
    frozenset({"page", "pages"}),
    frozenset({"offset"}),
    frozenset({"version", "revision", "release"}),
    frozenset({"id", "ids", "identifier", "uuid", "guid"}),
    frozenset({"number", "num"}),
    frozenset({"name", "names", "title"}),
    frozenset({"key", "slug"}),
    frozenset({"url", "uri", "link"}),
    frozenset({"path"}),
    frozenset({"index", "idx"}),
    frozenset({"date"}),
    frozenset({"time", "timestamp"}),
    frozenset({"count", "limit", "size"}),
    frozenset({"email"}),
    frozenset({"type", "kind"}),
    frozenset({"status", "state"}),
)
"""What the last word of a name says that it holds; a value of one kind is none of another."""
OPAQUE = frozenset(
    {"cursor", "token", "bookmark", "opaque", "version", "revision", "semver", "date", "timestamp", "hash", "sha"}
)
"""What a text holds where a number written as text would be another value."""
