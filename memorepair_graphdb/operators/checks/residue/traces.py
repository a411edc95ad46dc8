"""What a passage shares with retracted texts, each kind of trace by its own rule.

The most telling traces come first; nothing is judged here but what stands there as a single word.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...text import figures, is_sure, stems, stretches, tokens, typed_readings
from ...text.bags import find_bag
from ..grounds import Grounds
from .index import SHORTEST_SENTENCE, RetractedIndex, as_typed
from .passage import Passage, needle
from .runs import runs
from .trace import Stretch, Trace, Unit

JSON_KEY = "the JSON key"
"""What a trace is called whose word was a key of a retracted JSON text, and looked like a word of a schema."""


def traces(text: str, index: RetractedIndex, grounds: Grounds) -> Iterator[Trace]:
    """Yield what a passage shares with the index, the most telling first; single words only without grounds."""
    passage = Passage(text)
    yield from _sentences(passage, index)
    yield from _runs(passage, index)
    yield from _bags(passage, index, grounds)
    yield from _identifiers(passage, index)
    yield from _respelled(passage, index)
    yield from _numbers(passage, index)
    yield from _stretches(passage, index)
    for token in passage.distinct:
        form = next((form for form in (token, *stems(token)) if form in index.words), None)
        if form is not None and token not in grounds.words and form not in grounds.words:
            yield _word(form, (needle(token), needle(form)), index)
        elif token in index.keys and token not in grounds.words:
            yield Unit(JSON_KEY, index.keys[token], (needle(token),), common_as=token)
    for token in passage.distinct:
        if not (token.isalpha() or token.isdecimal() or token in grounds.words):
            yield from _typed(token, index)


def _sentences(passage: Passage, index: RetractedIndex) -> Iterator[Stretch]:
    firsts, folded = index.first_words, passage.tokens
    for start in [index for index, token in enumerate(folded) if token in firsts]:
        for sentence in index.openings.get(tuple(folded[start : start + SHORTEST_SENTENCE]), ()):
            end = start + len(sentence)
            if tuple(folded[start:end]) == sentence:
                yield Stretch("the sentence", passage, start, end)


def _runs(passage: Passage, index: RetractedIndex) -> Iterator[Stretch]:
    if not index.runs.isdisjoint(runs(passage.tokens)):
        for start, run in enumerate(runs(passage.tokens)):
            if run in index.runs:
                yield Stretch("the run of words", passage, start, start + len(run))


def _bags(passage: Passage, index: RetractedIndex, grounds: Grounds) -> Iterator[Stretch]:
    """Yield sentences whose words stand near together in any order.

    What the operator's own phrases bring does not count, nor what stands in a piece that is live as a whole.
    """
    rarest, distinct, phrases = index.rarest, passage.distinct, grounds.template_words
    rest: list[str] = []
    for bag in dict.fromkeys(bag for token in distinct if token in rarest for bag in rarest[token]):
        if len(bag.words & distinct.keys()) >= bag.needed and find_bag(bag, passage.tokens, phrases):
            rest = rest or passage.without_live_pieces(grounds)
            bounds = find_bag(bag, rest, phrases)
            if bounds is not None:
                yield Stretch("the words of a sentence", passage, *bounds, bag)


def _identifiers(passage: Passage, index: RetractedIndex) -> Iterator[Unit]:
    """Yield identifiers of the index, whatever marks stand between their parts."""
    for token in passage.distinct:
        for phrase, written in index.identifiers.get(token, {}).items():
            if phrase in passage.whole:
                yield Unit("the identifier", written, (phrase,))


def _respelled(passage: Passage, index: RetractedIndex) -> Iterator[Unit]:
    """Yield identifiers of the index that are cut in other places, or not at all."""
    beginnings, folded = index.beginnings, passage.tokens
    for start in [index for index, token in enumerate(folded) if token in beginnings]:
        joined = ""
        for end, token in enumerate(folded[start:], start + 1):
            joined += token
            if joined not in beginnings:
                break
            if joined in index.respelled:
                yield Unit("the identifier", index.respelled[joined], (needle(*folded[start:end]), needle(joined)))


def _numbers(passage: Passage, index: RetractedIndex) -> Iterator[Unit]:
    for token in passage.distinct:
        if token in index.numbers:
            yield Unit("the number", token, (needle(token),))
    if index.figures:
        for figure in figures(passage.cleaned):
            if figure.digits in index.figures:
                needles = (needle(*tokens(figure.shown)),)
                yield Unit("the number", figure.shown, needles, digits=figure.digits)


def _stretches(passage: Passage, index: RetractedIndex) -> Iterator[Unit]:
    """Yield words of scripts without spaces; short ones only where they are words, or may be, in the passage too."""
    own: frozenset[str] | None = None
    for token in passage.distinct:
        for phrase, written in index.stretches.get(token, {}).items():
            if phrase in passage.whole:
                own = stretches(passage.cleaned) if own is None else own
                if written in own or is_sure(written):
                    yield Unit("the word", written, (phrase,), common_as=written)


def _word(token: str, needles: tuple[str, ...], index: RetractedIndex) -> Unit:
    """Return the trace of a name, else of a word that counts only where it is rare."""
    if token in index.names:
        return Unit("the name", index.words[token], needles)
    return Unit("the rare word", index.words[token], needles, common_as=index.spellings.get(token, token))


def _typed(token: str, index: RetractedIndex) -> Iterator[Unit]:
    """Yield a token in which digits were typed for letters, or letters for digits."""
    if as_typed(token) in index.typed:
        yield Unit("the identifier", index.typed[as_typed(token)], (needle(token),))
    for meant in typed_readings(token):
        needles = needle(token), needle(meant)
        if meant in index.numbers or meant in index.figures:
            yield Unit("the number", token, needles, digits=meant)
        elif meant in index.words:
            yield _word(meant, needles, index)
