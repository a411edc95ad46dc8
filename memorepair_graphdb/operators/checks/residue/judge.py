"""Judges texts against what was retracted and what is live; each artifact that is rebuilt has one judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, Self

from ...protocol.context import Context
from ...protocol.verdict import Frequency, excerpt
from ...text import clean, in_words, passages, phrase, schema_keys, tokens
from ..grounds import Grounds
from .index import RetractedIndex
from .trace import Trace
from .traces import JSON_KEY, traces
from .vocabulary import vocabulary_of

RARE = 5
"""A word that fewer visible artifacts hold is told apart like a name."""
SHOWN = 60
"""characters of a trace that a reason quotes"""


def always_common(word: str) -> int:
    """Return a frequency at which no word counts as rare: for what has to be certain without a look at a space."""
    return RARE


def no_vocabulary() -> frozenset[str]:
    """Return the vocabulary where no contract and no recipe names anything."""
    return frozenset()


Counts = Callable[[Trace, str], bool]
"""A trace, and the passage that it stands in → whether it is held against the text."""


def every_trace(trace: Trace, passage: str) -> bool:
    """Count every trace."""
    return True


class ResidueJudge:
    """What may not come back into one artifact, and what excuses it.

    `live` are the contents of the sources and of the contracts read, `templates` the operator's own phrases, `keys`
    those of the sources: a whole key is a reference, and its words are no grounds. `vocabulary` gives the words,
    case-folded, that a contract in force or the recipe has for JSON keys; it is asked for when there is such a trace.
    `counts` says whether a trace in a passage is held against it at all.
    """

    def __init__(
        self,
        retracted: Sequence[str],
        live: Sequence[str],
        templates: Sequence[str],
        frequency: Frequency,
        *,
        keys: Sequence[str] = (),
        vocabulary: Callable[[], frozenset[str]] = no_vocabulary,
        counts: Counts = every_trace,
    ) -> None:
        self._retracted = retracted
        self._grounds = Grounds(live, templates)
        self._frequency = frequency
        self._keys = sorted((key for key in keys if not key.isalpha()), key=len, reverse=True)
        self._ask_vocabulary = vocabulary
        self._counts = counts

    @classmethod
    def of(
        cls,
        context: Context,
        retracted: Sequence[str],
        frequency: Frequency,
        *,
        live: Sequence[str],
        templates: Sequence[str] = (),
        named: Any = None,
        counts: Counts = every_trace,
    ) -> Self:
        """Return the judge of what is rebuilt in a context; `named` is JSON whose words may be keys."""
        return cls(
            retracted,
            live,
            templates,
            frequency,
            keys=[source.key for source in context.supports],
            vocabulary=lambda: vocabulary_of(context.interfaces, named),
            counts=counts,
        )

    @property
    def applies(self) -> bool:
        """Whether anything was retracted."""
        return bool(self._retracted)

    def fault(self, text: str) -> str:
        """Return which kind of trace of the retracted texts stands in a text or JSON text, and show it; else ""."""
        if not self._retracted:
            return ""
        if (trace := next(self.traces(text), None)) is not None:
            return f"{trace.kind} {excerpt(trace.shown, SHOWN)!r} is from a retracted text"
        for key in schema_keys(text):
            if shown := self._fault_of_key(key):
                return f"{JSON_KEY} {excerpt(shown, SHOWN)!r} is from a retracted text"
        return ""

    def traces(self, text: str) -> Iterator[Trace]:
        """Yield the traces that nothing excuses, but for those in keys of JSON that look like a schema's."""
        for passage in passages(text) if self._retracted else ():
            for trace in traces(self._without_references(passage), self._index, self._grounds):
                if not self._is_excused(trace) and self._counts(trace, passage):
                    yield trace

    @cached_property
    def _index(self) -> RetractedIndex:
        return RetractedIndex.of(self._retracted)

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        return self._ask_vocabulary()

    def _without_references(self, passage: str) -> str:
        for key in self._keys:
            if key in passage:
                passage = passage.replace(key, " ")
        return passage

    def _is_excused(self, trace: Trace) -> bool:
        if trace.has_grounds(self._grounds):
            return True
        if trace.kind == JSON_KEY and trace.common_as in self._vocabulary:
            return True
        return bool(trace.common_as) and self._frequency(trace.common_as) >= RARE

    def _fault_of_key(self, key: str) -> str:
        """Return what of a key that looks like a schema's word is from a retracted text; "" where it is such a word.

        It is one where a contract or the recipe names it, or where its words are common in the space.
        """
        if self._grounds.hold(phrase(key)):
            return ""
        words = in_words(key)
        for trace in traces(words, self._index, self._grounds):
            if trace.has_grounds(self._grounds) or key.casefold() in self._vocabulary or not self._counts(trace, key):
                continue
            if not all(self._is_common(token) for token in tokens(clean(words))) and not self._is_common(key):
                return trace.shown
        return ""

    def _is_common(self, word: str) -> bool:
        return self._frequency(word.casefold()) >= RARE
