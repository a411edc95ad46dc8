"""Puts lines in an order in which they can be written: sources first, those on a circle together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..store.plans import BATCH

CHARACTERS = 8 * 1024 * 1024
"""The most characters of content in one batch, unless a single artifact or circle has more."""

Group = tuple[str, ...]


def sort_sources_first(sources: Mapping[str, Sequence[str]]) -> list[Group]:
    """Return groups of keys, each after those it rests on, in one pass over the edges (Tarjan, 1972).

    A group of more than one key is a circle of influence.

    `sources`: key → keys it was produced from; keys that are not in the mapping are left out.
    """
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    waiting: list[str] = []
    on_stack: set[str] = set()
    groups: list[Group] = []
    for start in sources:
        if start in number:
            continue
        work: list[tuple[str, Iterator[str]]] = []
        ahead: str | None = start
        while work or ahead is not None:
            if ahead is not None:
                number[ahead] = lowest[ahead] = len(number)
                waiting.append(ahead)
                on_stack.add(ahead)
                work.append((ahead, iter(sources[ahead])))
                ahead = None
            key, rest = work[-1]
            for source in rest:
                if source in number:
                    if source in on_stack:
                        lowest[key] = min(lowest[key], number[source])
                elif source in sources:
                    ahead = source
                    break
            else:
                work.pop()
                if work:
                    lowest[work[-1][0]] = min(lowest[work[-1][0]], lowest[key])
                if lowest[key] == number[key]:
                    groups.append(_pop_group(waiting, on_stack, key))
    return groups


def find_circles(order: Sequence[Group]) -> list[Group]:
    """Return the groups that are circles."""
    return [group for group in order if len(group) > 1]


def split(order: Sequence[Group], characters: Mapping[str, int]) -> Iterator[list[str]]:
    """Yield batches of keys, bounded in number and in characters; a circle is never cut."""
    part: list[str] = []
    size = 0
    for group in order:
        more = sum(characters[key] for key in group)
        if part and (len(part) + len(group) > BATCH or size + more > CHARACTERS):
            yield part
            part, size = [], 0
        part += group
        size += more
    if part:
        yield part


def _pop_group(waiting: list[str], on_stack: set[str], last: str) -> Group:
    group = []
    while True:
        key = waiting.pop()
        on_stack.discard(key)
        group.append(key)
        if key == last:
            return tuple(reversed(group))
