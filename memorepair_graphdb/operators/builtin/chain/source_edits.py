"""Edits a source at nodes of its syntax tree; all that no edit touches stays, byte for byte.

Positions are in UTF-8 bytes, as the syntax tree counts columns.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from .names import is_plain, python_name
from .parsing import Argument, ToolCall
from .tool_host import ChainFailed

Located = ast.expr | ast.keyword


class Edit(NamedTuple):
    """Replaces the bytes from `start` to `end` by `text`."""

    start: int
    end: int
    text: str
    rank: int = 0
    """the order of what is inserted at one place: what closes a value, what closes its argument, the next argument"""


class SourceEditor:
    """Collects edits of a source; `edited` applies them."""

    def __init__(self, text: str) -> None:
        self._bytes = text.encode("utf-8")
        self._lines = [0]
        for line in self._bytes.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))
        self._edits: set[Edit] = set()

    def edited(self) -> str:
        """Return the source with its edits; raises `ChainFailed` where two touch the same bytes."""
        parts, end_of_last = [], 0
        for start, end, text, _ in sorted(self._edits, key=lambda edit: (edit.start, edit.end, edit.rank)):
            if start < end_of_last:
                raise ChainFailed("two changes fall on the same place of the source")
            parts += [self._bytes[end_of_last:start], text.encode("utf-8")]
            end_of_last = end
        return b"".join([*parts, self._bytes[end_of_last:]]).decode("utf-8")

    def replace(self, node: ast.expr, text: str) -> None:
        """Put a text in the place of an expression."""
        self._edits.add(Edit(*self._span(node), text))

    def rename_key(self, key: ast.expr, name: str) -> None:
        """Write another name in a string literal, in its quotes where they can hold it."""
        start, _ = self._span(key)
        quote = self._bytes[start : start + 1].decode("utf-8", "replace")
        plain = quote in "'\"" and name.isprintable() and not set(name) & {quote, "\\"}
        self.replace(key, f"{quote}{name}{quote}" if plain else repr(name))

    def wrap(self, node: ast.expr, before: str, after: str) -> None:
        """Write something on both sides of an expression."""
        start, end = self._span(node)
        self._edits |= {Edit(start, start, before), Edit(end, end, after)}

    def rename_argument(self, argument: Argument, name: str) -> None:
        """Give an argument another name; one that is no identifier goes through a dict."""
        if argument.key is not None:
            self.rename_key(argument.key, name)
            return
        start, end = self._span(argument.holder)
        former = argument.name.encode("utf-8")
        if self._bytes[start : start + len(former)] != former:
            raise ChainFailed(f"line {argument.holder.lineno}: {argument.name} is written in another form")
        if is_plain(name):
            self._edits.add(Edit(start, start + len(former), name))
            return
        after_equals = self._bytes.index(b"=", start + len(former)) + 1
        self._edits |= {Edit(start, after_equals, f"**{{{name!r}: "), Edit(end, end, "}", 1)}

    def change_arguments(self, call: ToolCall, dropped: Sequence[Argument], added: Mapping[str, str]) -> None:
        """Take arguments out of a call, with their commas, and give it others, name → expression, as its last."""
        self._drop_entries(call, [argument for argument in dropped if argument.key is not None])
        spans = [self._span(holder) for holder in call.node.keywords]
        gone = {self._span(argument.holder) for argument in dropped if argument.key is None}
        end = self._span(call.node)[1] - 1
        texts = [f"{name}={value}" if is_plain(name) else f"**{{{name!r}: {value}}}" for name, value in added.items()]
        if spans and gone < set(spans):
            self._cut(spans, gone)
            if texts:
                self._edits.add(Edit(spans[-1][1], spans[-1][1], "".join(f", {text}" for text in texts), 2))
        elif texts or spans:
            self._edits.add(Edit(spans[0][0] if spans else end, end, ", ".join(texts)))

    def unspread(self, holder: ast.keyword) -> None:
        """Write a literal dict that is spread as keywords, with `_` for characters that no identifier has."""
        entries = holder.value
        if not isinstance(entries, ast.Dict) or not entries.keys:
            return
        start, end = self._span(holder)
        for key in entries.keys:
            if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
                return
        for index, key in enumerate(entries.keys):
            if isinstance(key, ast.Constant):
                first, last = self._span(key)
                colon = self._bytes.index(b":", last)
                self._edits.add(Edit(start if index == 0 else first, colon + 1, f"{python_name(str(key.value))}="))
        self._edits.add(Edit(end - 1, end, ""))

    def _drop_entries(self, call: ToolCall, dropped: Sequence[Argument]) -> None:
        for entries in {id(argument.holder): argument.holder.value for argument in dropped}.values():
            if not isinstance(entries, ast.Dict):
                continue
            keys = [argument.key for argument in dropped if argument.holder.value is entries]
            gone = {self._span(key) for key in keys if key is not None}
            pairs = list(zip(entries.keys, entries.values, strict=True))
            if any(self._is_parenthesised(value) for value in entries.values) or None in entries.keys:
                raise ChainFailed(f"line {call.node.lineno}: an entry cannot be taken out of this dict for certain")
            spans = [(self._span(key)[0], self._span(value)[1]) for key, value in pairs if key is not None]
            starts = {start for start, _ in gone}
            cut = {span for span in spans if span[0] in starts}
            if cut < set(spans):
                self._cut(spans, cut)
            else:
                self._edits.add(Edit(spans[0][0], self._span(entries)[1] - 1, ""))

    def _cut(self, spans: Sequence[tuple[int, int]], gone: AbstractSet[tuple[int, int]]) -> None:
        """Remove some of the parts of a list that commas part, but not all."""
        last = max(index for index, span in enumerate(spans) if span not in gone)
        for index, span in enumerate(spans):
            if span in gone:
                before = (span[0], spans[index + 1][0]) if index < last else (spans[index - 1][1], span[1])
                self._edits.add(Edit(*before, ""))

    def _is_parenthesised(self, node: ast.expr) -> bool:
        _, end = self._span(node)
        return self._bytes[end : end + 1] == b")"

    def _span(self, node: Located) -> tuple[int, int]:
        last, column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return self._lines[node.lineno - 1] + node.col_offset, self._lines[last - 1] + column
