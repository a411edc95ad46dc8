"""Takes a note apart: the names in backticks, the example calls, and what claims to be one and cannot be read.

What a note shows as code is read from its text, never taken from who wrote it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from .writing import NAMED

_FENCE = re.compile(r"^( {0,3})(`{3,}|~{3,})(.*)$")
_INDENTED = re.compile(r"^(?: {4}|\t)")


class NoteBlocks(NamedTuple):
    """Holds what a note shows."""

    names: set[str]
    """in backticks, outside code blocks"""
    calls: list[dict[str, Any]]
    """the JSON objects of its code blocks and of backticks that begin with a brace"""
    unreadable: list[str]
    """code that is no JSON object"""


def blocks_of(content: str) -> NoteBlocks:
    """Read a note."""
    blocks = NoteBlocks(set(), [], [])
    prose = []
    for code, text in _parts(content):
        if code:
            _note_call(text, blocks)
        else:
            prose.append(text)
    for shown in NAMED.findall("\n".join(prose)):
        if shown.lstrip()[:1] in ("{", "["):
            _note_call(shown, blocks)
        else:
            blocks.names.add(shown)
    return blocks


def _note_call(text: str, blocks: NoteBlocks) -> None:
    try:
        call = json.loads(text)
    except (ValueError, RecursionError):
        call = None
    if isinstance(call, dict):
        blocks.calls.append(call)
    else:
        blocks.unreadable.append(text.strip())


def _parts(content: str) -> Iterator[tuple[bool, str]]:
    """Yield whether it is code, and the text, block by block; a fence that nobody closes goes to the end."""
    fence, code, before = "", list[str](), ""
    for line in content.splitlines():
        marked = _FENCE.match(line)
        if fence:
            if marked and marked[2].startswith(fence) and not marked[3].strip():
                yield True, "\n".join(code)
                fence, code = "", []
            else:
                code.append(line)
        elif marked:
            yield from [(True, "\n".join(code))] if code else []
            fence, code = marked[2], []
        elif _INDENTED.match(line) and line.strip() and (code or not before.strip()):
            code.append(line)
        else:
            yield from [(True, "\n".join(code))] if code else []
            code = []
            yield False, line
        before = line
    if fence or code:
        yield True, "\n".join(code)
