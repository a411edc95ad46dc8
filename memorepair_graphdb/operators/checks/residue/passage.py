"""A passage of a successor, cut up once for all the rules.

What only a trace needs is read when there is one.
"""

from __future__ import annotations

import re
from functools import cached_property
from itertools import accumulate, pairwise

from ...text import clean, sentences, tokens
from ..grounds import Grounds

_MARKS = re.compile(r"[|{}\[\]\"`]")
"""between the cells of a table, the parts of a JSON text, a quotation or code and what is around it"""


class Passage:
    """One text of a payload, cleaned."""

    def __init__(self, text: str) -> None:
        self.cleaned = clean(text)
        self.tokens = tokens(self.cleaned)
        self.distinct = dict.fromkeys(self.tokens)

    @cached_property
    def whole(self) -> str:
        """All tokens, as `wording.phrase` writes them."""
        return needle(*self.tokens)

    def pieces(self, start: int, end: int) -> tuple[str, ...]:
        """Return the tokens of a stretch, cut where a sentence or a line ends, as needles."""
        cuts = [start, *(cut for cut in self._ends if start < cut < end), end]
        return tuple(needle(*self.tokens[first:last]) for first, last in pairwise(cuts))

    def without_live_pieces(self, grounds: Grounds) -> list[str]:
        """Return the tokens, but empty ones for a line, sentence, cell or quotation that has grounds as a whole."""
        rest: list[str] = []
        for sentence in sentences(self.cleaned):
            for words in map(tokens, _MARKS.split(sentence)):
                rest += [""] * len(words) if grounds.hold(needle(*words)) else words
        return rest

    @cached_property
    def _ends(self) -> list[int]:
        """After how many tokens a sentence or a line ends."""
        return list(accumulate(len(tokens(sentence)) for sentence in sentences(self.cleaned)))


def needle(*words: str) -> str:
    """Return tokens as `wording.phrase` writes them."""
    return f" {' '.join(words)} "
