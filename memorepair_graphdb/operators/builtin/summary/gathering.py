"""The sentences that a summary may copy, and the sources in which each stands.

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
    """Key of a source → its sentences, sources in the order of their keys; each source is cut in its own language.

    Without what a cut for its length parted inside a word.
    """
    language = language or _tongue(context)
    found = {}
    for source in sorted(context.supports, key=lambda one: one.key):
        words = stream(source.content)
        sentences = cut(source.content, language_of(source.content) or language or "en")
        found[source.key] = [sentence for sentence in sentences if phrase(sentence) in words]
    return found


def gather(context: Context, language: str | None) -> dict[str, list[str]]:
    """Sentence → keys of the sources in which it stands, sources in the order of their keys, sentences in theirs.

    Those of the language asked for, else of most of the text, and those that do not say; all where there are none such.
    """
    language = language or _tongue(context)
    written = {source.key: language_of(source.content) for source in context.supports}
    by_source = cuts(context, language)
    found: dict[str, list[str]] = {}
    fitting: set[str] = set()
    for key, sentences in by_source.items():
        for sentence in dict.fromkeys(sentences):
            found.setdefault(sentence, []).append(key)
            if language is None or (language_of(sentence) or written[key] or language) == language:
                fitting.add(sentence)
    fitting = fitting or set(found)
    in_turn = (one for one in chain.from_iterable(zip_longest(*by_source.values())) if one in fitting)
    considered = set(islice(dict.fromkeys(in_turn), CONSIDERED))
    return {sentence: keys for sentence, keys in found.items() if sentence in considered}


def _tongue(context: Context) -> str | None:
    """The language of most of the text."""
    return language_of("\n".join(source.content for source in sorted(context.supports, key=lambda one: one.key)))
