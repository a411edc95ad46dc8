"""Does a model's summary say what the sources that it names say?

The law of the room: each line is judged by the sources that it names, not by all that happen to be there.

Numbers, names and identifiers must stand there. For the rest an entailment check is declared: by default a sentence is
a copy, or the sources that it names hold at least `SHARE` of its content words, and every single digit. That is a check
of words: it lets a denial pass. Where the recipe says `"entailment": "judge"`, the model is asked instead, once a
sentence that is no copy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....errors import BadInput
from ...checks.attribution import by_line
from ...checks.grounding import Entails, names_supported, numbers_supported, sentences_contained
from ...protocol.context import Context
from ...protocol.verdict import Review, Verdict
from ...text import STOP_WORDS, clean, phrase, stream, tokens

SHARE = 0.6
"""of a sentence's content words that its sources hold"""
WORDS, JUDGE = "words", "judge"
ENTAILMENTS = (WORDS, JUDGE)

Judge = Callable[[Context, str, Sequence[str]], bool]
"""A context, a sentence and the contents of its sources → whether a model says that it follows."""


def entailment_of(context: Context) -> str:
    """Which entailment check the recipe declares; raises `BadInput` for one that is not known."""
    said = context.options.get("entailment", WORDS)
    if said not in ENTAILMENTS:
        raise BadInput(f"the entailment of {context.key} is {' or '.join(ENTAILMENTS)}, not {said!r}")
    return str(said)


def has_its_numbers(review: Review, content: str) -> Verdict:
    """Every number of two digits and more stands in a source that its line names."""
    return _first_fault("has_its_numbers", numbers_supported, review, content)


def has_its_names(review: Review, content: str) -> Verdict:
    """Every name and identifier stands in a source that its line names."""
    return _first_fault("has_its_names", names_supported, review, content)


class Follows:
    """The entailment check, with a model at hand for those that declare it."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def follows(self, review: Review, content: str) -> Verdict:
        """Every line is a copy from a source that it names, or follows from these by the declared check."""
        context = review.context
        entails: Entails = words_entail
        if entailment_of(context) == JUDGE:

            def entails(sentence: str, sources: Sequence[str]) -> bool:
                return self._judge(context, sentence, sources)

        def check(narrowed: Review, line: str) -> Verdict:
            return sentences_contained(narrowed, line, entails=entails)

        return _first_fault("follows", check, review, content)


def words_entail(sentence: str, sources: Sequence[str]) -> bool:
    """Whether the sources hold `SHARE` of the distinct words, stop words apart, and every single digit."""
    told = {word for word in tokens(clean(sentence)) if word not in STOP_WORDS}
    streams = list(map(stream, sources))
    held = {word for word in told if any(phrase(word) in text for text in streams)}
    return len(held) >= SHARE * len(told) and not any(word.isdecimal() and len(word) == 1 for word in told - held)


def _first_fault(name: str, check: Callable[[Review, str], Verdict], review: Review, content: str) -> Verdict:
    for line, narrowed in by_line(review, content):
        verdict = check(narrowed, line)
        if not verdict.ok:
            return Verdict(False, name, verdict.reason, verdict.saw, verdict.wanted)
    return Verdict(True, name)
