"""Chooses the arguments with which a task calls an API, from the words of its query and the documented defaults.

ToolBench names the APIs that a task needs and not the arguments. What the query says beside the parameter's name
comes first, then the documented default, then any fitting value of the query, drawn with a seed, then an invented one
that every task shares; parameters that are optional stay away unless the query names them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from .synthesis import synthesise
from .toolbench_contracts import PARAMETER_TYPES, typed_default
from .toolbench_files import Api, ApiParameter

QUOTED = re.compile(r"""(?<!\w)['"“‘]([^'"“”‘’]{1,60})['"”’](?!\w)""")
LINK = re.compile(r"https?://[^\s,'\"]+[\w/]")
MAIL = re.compile(r"[\w.+-]+@[\w-]+\.[\w.]*\w")
DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
NUMBER = re.compile(r"(?<![\w.-])-?\d+(?:\.\d+)?(?![\w-]|\.\d)")
IDENTIFIER = re.compile(r"\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[A-Za-z0-9][\w-]{2,}\b")
NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w&-]+(?: (?:[A-Z][\w&-]+|\d+))*")
FORMS = (
    ("quoted", QUOTED),
    ("link", LINK),
    ("mail", MAIL),
    ("date", DATE),
    ("number", NUMBER),
    ("identifier", IDENTIFIER),
    ("name", NAME),
)
"""The forms of a mention, the more telling ones first."""
NO_NAMES = frozenset({"I", "API", "APIs", "ID", "IDs", "URL", "Can", "Could", "Please", "What", "Additionally"})
WORD = re.compile(r"[A-Za-z]+")
NAME_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
REACH = 32
"""How many characters after a parameter's name its value may begin."""


@dataclass(frozen=True, slots=True)
class Mention:
    """Something in a query that can be an argument."""

    start: int
    value: str
    kind: str


def arguments_of(query: str, api: Api, seed: str) -> dict[str, Any]:
    """Return the call's arguments, by documented name; the same for the same query, API and seed."""
    mentions = tuple(_mentions(query))
    arguments = {}
    for parameter in api.required:
        arguments[parameter.name] = _argument(query, mentions, api, parameter, seed)
    for parameter in api.optional:
        named = _beside_its_name(query, mentions, parameter)
        if named is not None and parameter.name not in arguments and named not in arguments.values():
            arguments[parameter.name] = named
    return arguments


def _argument(query: str, mentions: tuple[Mention, ...], api: Api, parameter: ApiParameter, seed: str) -> Any:
    default = typed_default(parameter)
    if isinstance(default, str) and re.search(rf"(?<!\w){re.escape(default)}(?!\w)", query, re.IGNORECASE):
        return default
    named = _beside_its_name(query, mentions, parameter)
    if named is not None:
        return named
    if default is not None:
        return default
    fitting = [mention for mention in mentions if mention.kind in _kinds(parameter)]
    if fitting:
        draw = Random(f"{seed}|{api.tool}|{api.name}|{parameter.name}")
        return _typed(draw.choice(fitting).value, parameter)
    return _invented(api, parameter)


def _mentions(query: str) -> Iterator[Mention]:
    """Yield what the query names, each place once: the more telling form wins."""
    taken = [False] * len(query)
    for kind, pattern in FORMS:
        for found in pattern.finditer(query):
            value = found.group(found.lastindex or 0)
            if value in NO_NAMES or any(taken[found.start() : found.end()]):
                continue
            taken[found.start() : found.end()] = [True] * len(found.group())
            numeric = NUMBER.fullmatch(value) is not None
            yield Mention(found.start(), value, "number" if numeric else kind)


def _kinds(parameter: ApiParameter) -> frozenset[str]:
    """Return the kinds of mention that can be this parameter's argument."""
    name = parameter.name.lower()
    kind = PARAMETER_TYPES.get(parameter.type.upper(), {})
    if kind.get("type") == "number":
        return frozenset({"number"})
    if kind.get("format") == "date" or "date" in name:
        return frozenset({"date"})
    if kind.get("type") not in ("string", None) or "contentEncoding" in kind:
        return frozenset()
    if "url" in name or "link" in name:
        return frozenset({"link"})
    if "mail" in name:
        return frozenset({"mail"})
    if name.endswith(("id", "code", "key", "token", "hash")):
        return frozenset({"quoted", "identifier", "number"})
    return frozenset({"quoted", "identifier", "name"})


def _beside_its_name(query: str, mentions: tuple[Mention, ...], parameter: ApiParameter) -> Any:
    """Return the first fitting mention shortly after a word of the parameter's name; None where there is none."""
    parts = {part.lower() for part in NAME_PART.findall(parameter.name) if len(part) > 1}
    kinds = _kinds(parameter)
    if "quoted" in kinds:
        kinds |= {"number"}  # "for the year 2022": years and identifiers are documented as strings
    for word in WORD.finditer(query):
        if word.group().lower() not in parts:
            continue
        for mention in sorted(mentions, key=lambda each: each.start):
            if mention.kind in kinds and 0 < mention.start - word.end() <= REACH:
                return _typed(mention.value, parameter)
    return None


def _typed(value: str, parameter: ApiParameter) -> Any:
    """Return the text in the parameter's type; unchanged where it is of no such type."""
    typed = typed_default(parameter.model_copy(update={"default": value}))
    return value if typed is None else typed


def _invented(api: Api, parameter: ApiParameter) -> Any:
    """Return a made-up argument, the same in every task."""
    schema = PARAMETER_TYPES.get(parameter.type.upper(), {"type": "string"})
    if schema["type"] == "number":
        schema = {"type": "integer"}
    name = "date" if schema.get("format") == "date" else parameter.name
    return synthesise({"type": "object", "properties": {name: schema}}, f"{api.tool}|{api.name}", {})[name]
