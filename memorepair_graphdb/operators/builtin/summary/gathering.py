"""Gathers the sentences that a summary may copy, and the sources in which each stands.

Every source has its turn; a long one does not crowd out the others.
"""

from __future__ import annotations

from itertools import chain, islice, zip_longest

from ...protocol.context import Context
from ...text import phrase, stream
from ...text.language import language_of
from ...text.sentences import cut

CONSIDERED = 150
"""sentences at most that are weighed: each is read by the model, and each compared with each"""


def cuts(context: Context, language: str | None) -> dict[str, list[str]]:
    """Return the sentences of each source by its key, in the order of the keys; each is cut in its own language.

    Without what a cut for its length parted inside a word.
    """
    language = language or _tongue(context)
    by_source = {}
    for source in sorted(context.supports, key=lambda source: source.key):
        words = stream(source.content)
        sentences = cut(source.content, language_of(source.content) or language or "en")
        by_source[source.key] = [sentence for sentence in sentences if phrase(sentence) in words]
    return by_source


def gather(context: Context, language: str | None) -> dict[str, list[str]]:
    """Return, by sentence, the keys of the sources in which it stands: in the order of the keys, and of the text.

    Those of the language asked for, else of most of the text, and those that do not say; all where there are none such.
    """
    language = language or _tongue(context)
    written = {source.key: language_of(source.content) for source in context.supports}
    by_source = cuts(context, language)
    bearers: dict[str, list[str]] = {}
    fitting: set[str] = set()
    for key, sentences in by_source.items():
        for sentence in dict.fromkeys(sentences):
            bearers.setdefault(sentence, []).append(key)
            if language is None or (language_of(sentence) or written[key] or language) == language:
                fitting.add(sentence)
    fitting = fitting or set(bearers)
    in_turn = (sentence for sentence in chain.from_iterable(zip_longest(*by_source.values())) if sentence in fitting)
    considered = set(islice(dict.fromkeys(in_turn), CONSIDERED))
    return {sentence: keys for sentence, keys in bearers.items() if sentence in considered}


def _tongue(context: Context) -> str | None:
    """Return the language of most of the text."""
    return language_of("\n".join(source.content for source in sorted(context.supports, key=lambda source: source.key)))
