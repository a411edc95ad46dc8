"""What a payload may have its words from: live contents and the operator's own phrases.

Read when the first trace is seen; pieces of live text and of templates may alternate, but two
pieces of live text never meet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from ..text import clean, figures, passages, phrase, stream
from ..text.bags import Bag, find_bag

LONGEST_FILLED_IN = 60
"""words up to which a trace is compared with filled-in templates"""


class Grounds:
    """The grounds of one payload."""

    def __init__(self, live: Sequence[str], templates: Sequence[str]) -> None:
        self._live, self._templates = live, templates

    @cached_property
    def live(self) -> tuple[str, ...]:
        """The live contents, as `wording.stream` writes them."""
        return tuple(map(stream, self._live))

    @cached_property
    def templates(self) -> tuple[str, ...]:
        """The operator's phrases, written likewise."""
        return tuple(map(phrase, self._templates))

    @cached_property
    def words(self) -> frozenset[str]:
        """Every single token of both."""
        return frozenset(word for text in (*self.live, *self.templates) for word in text.split())

    @cached_property
    def template_words(self) -> frozenset[str]:
        """The words of the operator's phrases."""
        return frozenset(word for text in self.templates for word in text.split())

    @cached_property
    def figures(self) -> frozenset[str]:
        """The numbers of the live contents and the phrases, in one piece however they are grouped."""
        texts = (passage for text in (*self._live, *self._templates) for passage in passages(text, True))
        return frozenset(figure.digits for text in texts for figure in figures(clean(text)))

    def hold(self, needle: str) -> bool:
        """Return whether a phrase stands in a live content or a template, or is a template filled in from live ones."""
        if any(needle in text for text in (*self.live, *self.templates)):
            return True
        return bool(self.templates) and self._filled_in(needle)

    def hold_bag(self, bag: Bag) -> bool:
        """Return whether one live content holds as much of a bag, as near together."""
        return any(find_bag(bag, text.split()) for text in self.live)

    def _filled_in(self, needle: str) -> bool:
        """Return whether pieces of live contents and of templates alternate in it."""
        words = needle.split()
        if len(words) > LONGEST_FILLED_IN:
            return False
        waiting, seen = [(0, False)], set()
        while waiting:
            start, after_live = state = waiting.pop()
            if start == len(words):
                return True
            if state in seen:
                continue
            seen.add(state)
            waiting.extend((end, False) for end in _ends(words, start, self.templates))
            if not after_live:
                waiting.extend((end, True) for end in _ends(words, start, self.live))
        return False


def _ends(words: list[str], start: int, texts: Sequence[str]) -> Iterator[int]:
    """Yield where the pieces end that begin at `start` and stand in one of the texts."""
    for end in range(start + 1, len(words) + 1):
        piece = f" {' '.join(words[start:end])} "
        if not any(piece in text for text in texts):
            return
        yield end
