"""Wire-format lines, good ones and every way in which one can be bad.

A bad line differs from a good one in one thing, and comes with what its refusal says.
"""

from __future__ import annotations

import json
from typing import Any

CONTRACT = {"name": "weather", "inputSchema": {"type": "object"}}


def record(key: str, content: Any = None, **more: Any) -> dict[str, Any]:
    return {"key": key, "kind": "record", "content": f"what {key} says" if content is None else content, **more}


def summary(key: str, *sources: Any, **more: Any) -> dict[str, Any]:
    said = {"content": f"sum {key}", "operator": "digest@1", **more}
    return {"key": key, "kind": "summary", "influenced_by": list(sources), **said}


def line(**said: Any) -> str:
    """A good record's line, changed."""
    whole = {"key": "bad", "kind": "record", "content": "x", **said}
    return json.dumps({field: value for field, value in whole.items() if value is not ...})


def child(**said: Any) -> str:
    """A good summary's line, changed."""
    return line(**{"kind": "summary", "influenced_by": ["good/1"], **said})


DEEP = "[" * 300 + "]" * 300

ALONE: list[tuple[str | bytes, str]] = [
    ("{", "is no JSON"),
    ("null", "not an object"),
    ('["key"]', "is a JSON list"),
    (b"\xff\xfe\xfa", "is no JSON"),
    ("[" * 100_000, "is no JSON"),
    ('{"key":"bad","key":"bad2","kind":"record","content":"x"}', "has 'key' twice"),
    ('{"key":"bad","kind":"record","content":{"a":1,"a":2}}', "has 'a' twice"),
    (line(colour="red"), "unknown field 'colour'"),
    (line(content=...), "has no content"),
    (line(content=None), "content is None"),
    (line(content="\ud800"), "content holds a lone surrogate at position 0"),
    (line(content={"a": ["\udfff"]}), "content holds a lone surrogate"),
    (line(content="ü" * (8 * 1024 * 1024) + "x"), "16 MiB"),
    ('{"key":"bad","kind":"record","content":NaN}', "content is neither text nor JSON"),
    ('{"key":"bad","kind":"record","content":[1e999]}', "content is neither text nor JSON"),
    ('{"key":"bad","kind":"record","content":' + DEEP + "}", "content is nested more than 200"),
    ('{"key":"bad","kind":"record","content":"x","metadata":' + DEEP + "}", "metadata is nested more than 200"),
    ('{"key":"bad","kind":"record","content":"x","metadata":' + "9" * 5000 + "}", "is no JSON"),
    ('{"key":"bad","kind":"record","content":"x","recipe":Infinity}', "recipe is neither"),
    (line(metadata={"\ud800": 1}), "metadata holds a lone surrogate"),
    (line(key=...), "key"),
    (line(key=5), "key: Input should be a valid string"),
    (line(key=""), "key: Value error, is empty"),
    (line(key=" \u3000"), "is empty"),
    (line(key="k" * 1025), "is longer than 1024 bytes"),
    (line(key="ü" * 513), "is longer than 1024 bytes"),
    (line(key="a\nb"), "control character at position 1"),
    (line(key="\x00"), "control character at position 0"),
    (line(key="a\x7f"), "control character"),
    (line(key="\udc00"), "lone surrogate"),
    (line(key="a_" + "0" * 32), "form of an artifact's id"),
    (line(kind="memory"), "kind is one of record, cache, summary, skill, not 'memory'"),
    (line(kind=["record"]), "kind is one of"),
    (line(kind=...), "kind is one of"),
    (line(arch="chain"), "arch (neural, prompt or chain) belongs to a skill"),
    (child(kind="skill"), "arch (neural, prompt or chain) belongs to a skill"),
    (child(kind="skill", arch={"a": 1}), "arch is one of neural, prompt, chain"),
    (line(value=-1), "value: Value error, is negative"),
    (line(cost="3"), "cost: Value error, is no number, but str"),
    (line(value=True), "value: Value error, is no number, but bool"),
    (line(value=10**400), "value: Value error, is too large"),
    (line(value=2**53 + 1), "which no floating-point number holds"),
    ('{"key":"bad","kind":"record","content":"x","cost":NaN}', "cost: Value error, is negative or not finite"),
    ('{"key":"bad","kind":"record","content":"x","cost":1e999}', "cost: Value error, is negative or not finite"),
    ('{"key":"bad","kind":"record","content":"x","embedding":[NaN,1,1,1]}', "embedding: Value error, holds NaN"),
    (line(embedding=[]), "embedding: Value error, has 0 numbers"),
    (line(embedding=[0, 0, 0, 0]), "embedding: Value error, has no direction"),
    (line(embedding=[1] * 4097), "takes 1 to 4096"),
    (line(embedding="abcd"), "embedding: Value error, is no list of numbers"),
    (line(embedding={"0": 1}), "embedding: Value error, is no list of numbers"),
    (line(embedding=["1"]), "embedding: Value error, is no number, but str"),
    (line(tool="t"), "contract of t: a contract is a JSON object"),
    (line(tool="t", content={"name": "t"}), "contract of t: inputSchema: Field required"),
    (child(tool="t", content=CONTRACT), "tool marks a record"),
    (line(influenced_by="good/1"), "influenced_by is a list, not str"),
    (child(influenced_by=[5]), "a source is an artifact"),
    (child(influenced_by=[None]), "a source is an artifact"),
    (child(influenced_by=[["good/1"]]), "a source is an artifact"),
    (child(influenced_by=[{"role": "r"}]), "a source is an artifact"),
    (child(influenced_by=[{"key": "good/1", "weight": 1}]), "weight"),
    (child(influenced_by=[{"key": "good/1", "required": "yes"}]), "required"),
    (child(influenced_by=[{"key": "good/1", "required": 1}]), "required"),
    (child(influenced_by=[{"key": "good/1", "role": "a\tb"}]), "role: Value error, holds a control character"),
    (child(influenced_by=[{"key": "good/1", "required": True}, {"key": "good/1"}]), "source good/1 is required"),
    (child(influenced_by=["bad"]), "bad names itself as a source"),
    (child(operator=""), "operator: Value error, is empty"),
    (line(semantic="good/1"), "semantic is a list"),
    (line(semantic=["good/1"]), "semantic holds objects"),
    (line(semantic=[{"key": "good/1", "score": "high"}]), "is no number, but str"),
    (line(semantic=[{"key": "good/1", "score": 10**400}]), "is too large"),
    ('{"key":"bad","kind":"record","content":"x","semantic":[{"key":"good/1","score":NaN}]}', "not finite"),
    (line(semantic=[{"key": "bad"}]), "bad names itself as near in meaning"),
    (line(key="good/7"), "key good/7 stands on line 8 already"),
]
"""Lines that are bad by themselves, or beside the lines `good/0`, `good/1`, …"""
