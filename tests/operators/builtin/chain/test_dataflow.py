"""What a chain reads of a response is followed where it can be, and counts as used whole where it cannot."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from memorepair_graphdb.operators.builtin.chain.dataflow import field_uses

ROW: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}
RESPONSE: dict[str, Any] = {
    "type": "object",
    "properties": {"n": {"type": "integer"}, "rows": {"type": "array", "items": ROW}, "row": ROW},
}


def read(body: str, before: str = "") -> set[str]:
    """The places read, a star for those used whole, of a chain with this body."""
    source = before + "def chain(x):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    found = field_uses(ast.parse(source), {"tool": "tool"}, {"tool": RESPONSE})
    return {".".join(use.origin.path) + ("*" if use.whole else "") for use in found} - {""}


@pytest.mark.parametrize(
    ("body", "places"),
    [
        ("return tool()['n']", {"n*"}),
        ("w = tool()\nreturn w.get('row')['a']", {"row.a*"}),
        ("w = tool()\nreturn [r['a'] for r in w['rows'] if r['b']]", {"rows", "rows.[].a*", "rows.[].b*"}),
        ("w = tool()\nfor i, r in enumerate(w['rows'][1:]):\n    x = r['a']\nreturn x + r['b']", {"rows"}),
        ("w = tool()\nreturn len(w['rows']) if w['row'] is None else 0", {"rows", "row"}),
        ("w = None\nw = tool()\nif not w['rows']:\n    return 1\nreturn 2", {"rows"}),
        ("w = tool()\ndef inner():\n    return w['n']\nreturn inner()", {"n*"}),
        ("rows = list(reversed(tool()['rows']))\nreturn rows[0]['a']", {"rows", "rows.[].a*"}),
    ],
)
def test_fields_are_followed(body: str, places: set[str]) -> None:
    assert read(body) >= places
    assert not read(body) & {"*", "rows*", "row*"}


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ("return tool()", "*"),
        ("w = tool()\nreturn {**w}", "*"),
        ("w = tool()\nreturn w[x]", "*"),
        ("w = tool()\nreturn len(w)", "*"),
        ("w = tool()\nreturn 'n' in w", "*"),
        ("w = tool()\nreturn [k for k in w]", "*"),
        ("w = tool()\nreturn w.items()", "*"),
        ("w = tool()\nw['n'] = 3\nreturn w['n']", "*"),
        ("w = tool()\nreturn w.get('unknown')", "*"),
        ("w = tool()\nw = x\nreturn w['n']", "*"),
        ("a = b = tool()\nreturn a['n']", "*"),
        ("w = tool()\nreturn (lambda r: r['a'])(w['row'])", "row*"),
        ("w = tool()\nreturn sorted(w['rows'], key=lambda r: r['a'])", "rows*"),
        ("w = tool()\nreturn max(w['rows'], key=lambda r: r['a'])['b']", "rows*"),
        ("w = tool()\nr = w['row'] if x else w['rows'][0]\nreturn r['a']", "row*"),
        ("if (r := tool()['row']):\n    return r['a']", "row*"),
        ("r = tool()['row']\nmatch x:\n    case {'k': r}:\n        return r['a']", "row*"),
        ("for r in tool()['rows']:\n    pass\nfor r in x:\n    pass\nreturn r['a']", "rows.[]*"),
        ("held = {'w': tool()}\nreturn held['w']['n']", "*"),
        ("return f\"{tool()['row']}\"", "row*"),
        ("x.append(tool()['rows'])\nreturn x", "rows*"),
        ("first, *others = tool()['rows']\nreturn first['a']", "rows*"),
    ],
)
def test_what_cannot_be_followed_is_used_whole(body: str, place: str) -> None:
    assert place in read(body)


def test_a_helper_sees_the_whole() -> None:
    assert "row*" in read("return pick(tool()['row'])", before="def pick(row):\n    return row['a']\n\n\n")
