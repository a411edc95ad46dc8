"""Reads what a contract says of a parameter that a call leaves out, and whether a new contract says another thing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ...model.content import canonical_json
from .schemas import Schema, properties
from .spelling import stems_of, words_of

_STATED = re.compile(
    r"\bdefaults?\b(?:\s+(?:is|to|value|of))*\s*[:=]?\s*(\[[^\]]*\]|\"[^\"]*\"|'[^']*'|`[^`]*`|[^\s,;)]+)",
    re.IGNORECASE,
)
"""A default that stands in a description: `default: 10`, `defaults to "all"`."""
_NOTHING = frozenset({"false", "null", '""', "[]", "{}", "0"})


_ACTS = frozenset({
    "confirm", "acknowledg", "acknowledge", "accept", "agre", "agree", "consent", "approv", "approve",
    "authoriz", "authorize", "permit", "allow", "grant", "delet", "delete", "remov", "remove", "destroy",
    "purg", "purge", "drop", "eras", "erase", "wip", "wipe", "overwrit", "overwrite", "forc", "force",
    "overrid", "override", "irreversibl", "irreversible", "danger", "dangerou", "dangerous", "disabl",
    "disable", "bypas", "bypass", "skip", "cascad", "cascade", "prun", "prune", "publish", "public", "send",
    "notify", "notifi", "pay", "charg", "charge", "transfer", "admin", "owner", "role", "scope", "execut",
    "execute", "apply", "commit", "live", "production", "sure", "really",
})  # fmt: skip
"""Stems of what a value does that nobody may say for another: it confirms, grants, or acts."""
_FILLING = frozenset({"includ", "with", "show", "is", "us", "use", "get", "return", "enabl", "only", "a", "an", "the"})


def is_nothing(schema: Schema) -> bool:
    """Return whether the default of a schema asks for nothing: false, null, 0, or empty, and none of its members'."""
    if canonical_json(schema.get("default")) not in _NOTHING:
        return False
    return all("default" not in member or is_nothing(member) for member in properties(schema).values())


def other_default_and_description(old: Schema, new: Schema) -> str:
    """Return that a default and the words beside it changed together, or "".

    Then nobody knows which value means now what the old default meant.
    """
    if "default" not in old or "default" not in new or canonical_json(old["default"]) == canonical_json(new["default"]):
        return ""
    texts = (stems_of(_STATED.sub(" ", str(schema.get("description") or ""))) for schema in (old, new))
    return "its default and its description are others" if len(set(texts)) > 1 else ""


def first_default_change(name: str, old: Schema | None, new: Schema) -> str:
    """Return what changed for a call that leaves a parameter or member out, or ""; `old` is None for a new one.

    A default that is documented for the first time is a change: nothing says that it was the default before. So is
    the default of a new parameter, unless it asks for nothing.
    """
    if old is None:
        return "" if "default" not in new or is_nothing(new) else f"{name} has a default of its own"
    if "default" in old and "default" in new:
        return (
            ""
            if canonical_json(old["default"]) == canonical_json(new["default"])
            else f"the default of {name} is another"
        )
    if "default" in old:
        return f"the default of {name} is not documented any more"
    stated = _stated(old), _stated(new)
    if "default" not in new:
        return f"the default of {name} is another" if None not in stated and stated[0] != stated[1] else ""
    return (
        ""
        if stated[0] is not None and stated[0] == _plain(new["default"])
        else f"the default of {name} is documented for the first time"
    )


def outlives(name: str, schema: Schema, before: str, now: str) -> bool:
    """Return whether what a removed parameter's default did is what a call does without it.

    `before` and `now` are the tool's descriptions. A default that asks for nothing is outlived by a description that
    does not begin to speak of the parameter, any other by one that goes on to name it.
    """
    stems, told, tells = stems_of(name) - _FILLING, stems_of(before), stems_of(now)
    value = schema["default"]
    if is_nothing(schema):
        return not (stems & tells) - told
    wanted = stems if value is True else stems_of(str(value)) - _FILLING
    return bool(wanted) and wanted <= tells and not ({"not", "no", "never", "without", "longer"} & tells)


def takes_place(name: str, old: Schema, other: str, new: Schema) -> bool:
    """Return whether a new parameter may decide what a removed one with a default decided.

    It may where that default asked for something. Where it asked for nothing, it may if it is of the same type, is a
    choice, or has a word of the removed name.
    """
    if not is_nothing(old) or "enum" in new or old.get("type") == new.get("type"):
        return True
    return bool((stems_of(name) - _FILLING) & stems_of(f"{other} {new.get('description') or ''}"))


def acts(name: str, schema: Schema, value: Any) -> bool:
    """Return whether a value confirms, grants, deletes or does another thing that a caller has to decide."""
    said = f"{' '.join(words_of(name))} {schema.get('title') or ''} {schema.get('description') or ''}"
    words = stems_of(said) | (stems_of(value) if isinstance(value, str) else set())
    return value not in (False, None, 0, "") and (value is True or bool(_ACTS & words))


def _stated(schema: Mapping[str, Any]) -> str | None:
    """Return the default that a description names, as `_plain` text; None where it names none, or several."""
    values = {_plain(text.rstrip(".")) for text in _STATED.findall(str(schema.get("description") or ""))}
    return values.pop() if len(values) == 1 else None


def _plain(value: Any) -> str:
    text = value if isinstance(value, str) else canonical_json(value)
    return re.sub(r"[^\w.\-+/]", "", text.casefold())
