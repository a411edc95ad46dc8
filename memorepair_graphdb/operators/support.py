"""Does a regenerated text say only what its live sources say? Checks for a summary, a note, a model's answer.

The law of the room: what a text may have its words from is named, and a word that stands nowhere there is a failure;
the texts are compared as the residue check compares them.

Each check is `(review, content) -> Verdict`. `also` are texts beside the live sources that words may come from: the
contracts that the operator read, and its own phrases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from .verdict import Review, Verdict
from .wording import NOBODYS, cased_tokens, clean, compounds, is_identifier, passages, phrase, sentences, stream

Entails = Callable[[str, Sequence[str]], bool]
"""A sentence and the contents of the live sources → whether they say as much."""

SHOWN = 80
"""characters of a text that a verdict quotes"""


def numbers_supported(review: Review, content: str, also: Sequence[str] = ()) -> Verdict:
    """Every number of two digits and more stands in a live source, or in `also`."""
    return _each_stands("numbers_supported", "number", numbers, review, content, also)


def names_supported(review: Review, content: str, also: Sequence[str] = ()) -> Verdict:
    """Every name (capitalised inside a sentence) and every identifier stands in a live source, or in `also`."""
    return _each_stands("names_supported", "name", names, review, content, also)


def sentences_contained(
    review: Review, content: str, also: Sequence[str] = (), entails: Entails | None = None
) -> Verdict:
    """Every sentence stands in one live source, or in one text of `also`, or `entails` says that the sources say it."""
    texts = _streams(review, also)
    sources = [source.content for source in review.context.supports]
    for passage in passages(content):
        for sentence in sentences(clean(passage)):
            needle = phrase(sentence)
            if not needle.strip() or any(needle in text for text in texts):
                continue
            if entails is None or not entails(sentence.strip(), sources):
                how = "stands in no live source" if entails is None else "does not follow from the live sources"
                wanted = (
                    f"a sentence of {_named(review)}" if entails is None else f"one that follows from {_named(review)}"
                )
                return Verdict(False, "sentences_contained", f"a sentence {how}", _short(sentence), wanted)
    return Verdict(True, "sentences_contained")


def numbers(sentence: str) -> Iterator[str]:
    """The numbers of a cleaned sentence, of two digits and more; one that is part of an identifier is no number."""
    return (token for token in cased_tokens(sentence) if token.isdecimal() and len(token) > 1)


def names(sentence: str) -> Iterator[str]:
    """The words of a cleaned sentence that are capitalised and not its first, and the identifiers in it."""
    for position, token in enumerate(cased_tokens(sentence)):
        if position and token[0].isupper() and len(token) > 1 and token.casefold() not in NOBODYS:
            yield token
    yield from filter(is_identifier, compounds(sentence))


def _each_stands(
    check: str,
    kind: str,
    found_in: Callable[[str], Iterator[str]],
    review: Review,
    content: str,
    also: Sequence[str],
) -> Verdict:
    texts = _streams(review, also)
    for passage in passages(content):
        for sentence in sentences(clean(passage)):
            for found in found_in(sentence):
                needle = phrase(found)
                if not any(needle in text for text in texts):
                    seen = f"{found!r} in {_short(sentence)}"
                    return Verdict(
                        False, check, f"a {kind} stands in no live source", seen, f"one that stands in {_named(review)}"
                    )
    return Verdict(True, check)


def _streams(review: Review, also: Sequence[str]) -> list[str]:
    return [stream(source.content) for source in review.context.supports] + [stream(text) for text in also]


def _named(review: Review) -> str:
    return ", ".join(source.key for source in review.context.supports) or "a live source, of which there is none"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= SHOWN else f"{line[: SHOWN - 1]}…")
