"""The sentences that a summary may copy, and the sources in which each stands.

The law of the room: every source has its turn; a long one does not crowd out the others.
"""

from __future__ import annotations

from itertools import chain, islice, zip_longest

from ..context import Context
from ..cutting import cut
from ..language import language_of
from ..wording import phrase, stream

CONSIDERED = 150
"""sentences at most that are weighed: each is read by the model, and each compared with each"""


def gather(context: Context, language: str | None) -> dict[str, list[str]]:
    """Sentence → keys of the sources in which it was cut, sources in the order of their keys, sentences in theirs.

    Those of the language asked for, else of most of the text, and those that do not say; all where there are none such.
    """
    sources = sorted(context.supports, key=lambda one: one.key)
    written = {source.key: language_of(source.content) for source in sources}
    language = language or language_of("\n".join(source.content for source in sources))
    by_source = [_whole_words(source.content, written[source.key] or language or "en") for source in sources]
    found: dict[str, list[str]] = {}
    tongue: dict[str, str | None] = {}
    for source, cuts in zip(sources, by_source, strict=True):
        for sentence in dict.fromkeys(cuts):
            found.setdefault(sentence, []).append(source.key)
            tongue[sentence] = language_of(sentence) or written[source.key]
    fitting = {one for one in found if language is None or tongue[one] in (None, language)} or set(found)
    in_turn = (one for one in chain.from_iterable(zip_longest(*by_source)) if one in fitting)
    considered = set(islice(dict.fromkeys(in_turn), CONSIDERED))
    return {sentence: keys for sentence, keys in found.items() if sentence in considered}


def _whole_words(content: str, language: str) -> list[str]:
    """The sentences of a content, without what a cut for its length parted inside a word."""
    words = stream(content)
    return [sentence for sentence in cut(content, language) if phrase(sentence) in words]
