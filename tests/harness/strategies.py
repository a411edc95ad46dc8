"""Hypothesis strategies for what people and programs put into a memory: nasty but storable, and bad in one thing.

Badness is drawn for one field at a time, so that most of what is drawn gets as far as the server.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

NASTY = (
    *("`", "``; MATCH (n) DETACH DELETE n //", "'", '"', "\\", "\\u0060", "\u0060", "$space", "${x}", "{0}", "%s"),
    *("//", "/*", ";", "--", "title:x", "a AND (b OR", "NOT", "[a TO b]", "x~2^3", "*", "?", "+a -b", "null", "1e999"),
    *("\u202e", "\u2066rtl\u2069", "\u2028", "\ufeff", "\uffff", "\u3000", "😀", "e\u0301", "é", "İ", " "),
)
"""Pieces that mean something to Cypher, JSON, Lucene, format strings, terminals or UTF-8, and can stand in a name."""

CONTROL = ("\x00", "\n", "\r\n", "\t", "\x1b[31m", "\x7f", "\x85")
SURROGATES = ("\ud800", "\udfff", "a\udc00b")

_letters = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=8)
_pieces = st.one_of(st.sampled_from(NASTY), _letters)

names = st.lists(_pieces, min_size=1, max_size=5).map("".join).filter(lambda name: bool(name.strip()))
"""Keys, roles and operators that can be stored, however odd."""

bad_names: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from(["", " ", "\u3000", "k" * 1025, "ü" * 513, None, 5, b"key"]),
    st.tuples(names, st.sampled_from(CONTROL + SURROGATES), names).map("".join),
)

texts = st.lists(st.one_of(_pieces, st.sampled_from(CONTROL)), max_size=6).map("".join)
"""Any text that UTF-8 can carry, control characters and NULs included."""

any_texts = st.one_of(texts, st.tuples(texts, st.sampled_from(SURROGATES)).map("".join))
"""Any text, now and then with a lone surrogate."""

figures = st.one_of(
    st.none(),
    st.integers(0, 2**53),
    st.floats(0, allow_nan=False, allow_infinity=False),
    st.sampled_from([-0.0, 5e-324, 1e308, 2**60]),
)
bad_figures: st.SearchStrategy[Any] = st.sampled_from(
    [-1, -5e-324, float("nan"), float("inf"), 2**53 + 1, 10**400, True, "3", [1]]
)

_numbers = st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.just(10**400))

json_values: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), _numbers, texts),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=8,
)


def _nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


bad_json: st.SearchStrategy[Any] = st.sampled_from(
    [float("nan"), [float("inf")], {"a": "\ud800"}, {"\udfff": 1}, _nested(300)]
)

contents = st.one_of(texts, json_values.filter(lambda value: value is not None))
bad_contents = st.one_of(bad_json, st.sampled_from([None, "\ud800"]))
