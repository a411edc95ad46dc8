"""Does a regenerated text say only what its live sources say? Checks for a summary, a note, a model's answer.

A word that stands nowhere among the named sources is a failure; the texts are compared as the
residue check compares them, so that another spelling or grouping of digits is none.

Each check is `(review, content) -> Verdict`. `also` are texts beside the live sources that words may come from: the
contracts that the operator read, and its own phrases.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from ..protocol.verdict import Review, Verdict, quoted
from ..text import COMMON_WORDS, cased_tokens, clean, compounds, figures, is_identifier, passages, phrase, sentences
from .grounds import Grounds

Entails = Callable[[str, Sequence[str]], bool]
"""A sentence and the contents of the live sources → whether they say as much."""

_NUMBER = re.compile(r"(?<![^\W_])\d++(?:\.\d++)*+(?![^\W_])")


def numbers_supported(review: Review, content: str, also: Sequence[str] = ()) -> Verdict:
    """Every number of two digits and more stands in a live source, or in `also`; decimals stand there as a whole."""
    return _each_stands("numbers_supported", "number", _strange_numbers, review, content, also)


def names_supported(review: Review, content: str, also: Sequence[str] = ()) -> Verdict:
    """Every name and every identifier stands in a live source, or in `also`.

    A name is capitalised and not the first word of its sentence: there case says nothing.
    """
    return _each_stands("names_supported", "name", _strange_names, review, content, also)


def sentences_contained(
    review: Review, content: str, also: Sequence[str] = (), entails: Entails | None = None
) -> Verdict:
    """Every sentence stands in one live source, or in one text of `also`, or `entails` says that the sources say it."""
    grounds, source_names = _grounds(review, also), _named(review)
    sources = [source.content for source in review.context.supports]
    compared = False
    for sentence in _sentences(content):
        needle = phrase(sentence)
        compared = compared or bool(needle.strip())
        if needle.strip() and not grounds.hold(needle) and not (entails and entails(sentence.strip(), sources)):
            if entails:
                reason, wanted = "does not follow from the live sources", f"a sentence that follows from {source_names}"
            else:
                reason, wanted = "stands in no live source", f"a sentence of {source_names}"
            return Verdict(False, "sentences_contained", f"a sentence {reason}", quoted(sentence), wanted)
    return Verdict(True, "sentences_contained") if compared else _nothing_to_compare("sentences_contained")


def _each_stands(
    check: str,
    kind: str,
    strange: Callable[[str, Grounds], Iterator[str]],
    review: Review,
    content: str,
    also: Sequence[str],
) -> Verdict:
    grounds = _grounds(review, also)
    compared = False
    for sentence in _sentences(content):
        compared = True
        for word in strange(sentence, grounds):
            wanted = f"one that stands in {_named(review)}"
            seen = f"{word!r} in {quoted(sentence)}"
            return Verdict(False, check, f"a {kind} stands in no live source", seen, wanted)
    return Verdict(True, check) if compared else _nothing_to_compare(check)


def _nothing_to_compare(check: str) -> Verdict:
    return Verdict.not_applicable(check, "it has no sentence")


def _strange_numbers(sentence: str, grounds: Grounds) -> Iterator[str]:
    """Yield the numbers of a cleaned sentence without grounds; one in an identifier is no number."""
    strange = [number for number in _NUMBER.findall(sentence) if len(number) > 1 and not grounds.hold(phrase(number))]
    if strange:
        known = [figure.shown for figure in figures(sentence) if figure.digits in grounds.figures]
        regrouped = {part for shown in known for part in _NUMBER.findall(shown)}
        yield from (number for number in strange if number not in regrouped)


def _strange_names(sentence: str, grounds: Grounds) -> Iterator[str]:
    """Yield the capitalised words of a cleaned sentence but its first, and its identifiers, that have no grounds."""
    for token in cased_tokens(sentence)[1:]:
        folded = token.casefold()
        if token[0].isupper() and len(token) > 1 and folded not in COMMON_WORDS and folded not in grounds.words:
            yield token
    for compound in compounds(sentence):
        lettered = any(map(str.isalpha, compound))
        if lettered and is_identifier(compound) and not grounds.hold(phrase(compound)):
            yield compound


def _sentences(content: str) -> Iterator[str]:
    for passage in passages(content):
        yield from sentences(clean(passage))


def _grounds(review: Review, also: Sequence[str]) -> Grounds:
    return Grounds([*(source.content for source in review.context.supports), *also], ())


def _named(review: Review) -> str:
    return ", ".join(source.key for source in review.context.supports) or "a live source, of which there is none"
