"""Draws regenerated artifacts of the ToolBench memory, each with what was retracted and what is still live.

A scene comes from the graph of the memory alone: a user's requests are deleted, or a recorded response is corrected,
and a summary or a note below them is written again from its other sources.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .facts import words_of

REGENERATED = ("sum/", "note/")


@dataclass(frozen=True, slots=True)
class Scene:
    """One artifact that is written again."""

    key: str
    retracted: tuple[str, ...]
    live: tuple[str, ...]
    """contents of its sources outside the cascade"""
    withdrawn: frozenset[str]
    """keys of the cascade, the roots too"""


class SceneMemory:
    """The lines of a workload as a graph of contents."""

    def __init__(self, lines: Iterable[Mapping[str, Any]]) -> None:
        self.contents: dict[str, str] = {}
        self.sources: dict[str, tuple[str, ...]] = {}
        self.below: dict[str, list[str]] = defaultdict(list)
        self._users: dict[str, list[str]] = defaultdict(list)
        self._recorded: list[str] = []
        for line in lines:
            key, content, metadata = line["key"], line["content"], line.get("metadata", {})
            self.contents[key] = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
            self.sources[key] = tuple(source["key"] for source in line.get("influenced_by", ()))
            for source in self.sources[key]:
                self.below[source].append(key)
            if "user" in metadata:
                self._users[metadata["user"]].append(key)
            elif key.startswith("resp/") and not metadata.get("synthetic"):
                self._recorded.append(key)

    def scenes(self) -> Iterator[Scene]:
        """Every regenerated artifact below a user's requests or below a recorded response, with a live source left."""
        for roots in [*self._users.values(), *([key] for key in self._recorded)]:
            withdrawn = self._below(roots)
            for key in sorted(withdrawn):
                if key.startswith(REGENERATED):
                    behind = self._behind(key)
                    retracted = tuple(self.contents[root] for root in roots if root in behind)
                    live = tuple(self.contents[one] for one in self.sources[key] if one not in withdrawn)
                    if live:
                        yield Scene(key, retracted, live, withdrawn)

    def frequency(self, word: str, withdrawn: frozenset[str]) -> int:
        """In how many artifacts outside the cascade a word stands."""
        return len(self._holders.get(word, frozenset()) - withdrawn)

    @cached_property
    def _holders(self) -> dict[str, set[str]]:
        """Word, case-folded → the keys of the artifacts that hold it."""
        holders: dict[str, set[str]] = defaultdict(set)
        for key, content in self.contents.items():
            for word in words_of(content):
                holders[word].add(key)
        return holders

    def _below(self, roots: Iterable[str]) -> frozenset[str]:
        return _reached(roots, self.below)

    def _behind(self, key: str) -> frozenset[str]:
        return _reached([key], self.sources)


def _reached(start: Iterable[str], edges: Mapping[str, Iterable[str]]) -> frozenset[str]:
    seen, waiting = set(start), list(start)
    while waiting:
        for key in edges.get(waiting.pop(), ()):
            if key not in seen:
                seen.add(key)
                waiting.append(key)
    return frozenset(seen)
