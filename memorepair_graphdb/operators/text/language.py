"""Recognises the language of a text by its commonest words; a text that does not show it has none.

The words are the stop words that sumy ships, with those of `stop_words` for English: 18 languages. Scripts without
spaces are recognised by their characters.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from importlib.resources import files

from . import STOP_WORDS, clean, is_unspaced, tokens

CODES = {
    "arabic": "ar",
    "czech": "cs",
    "french": "fr",
    "german": "de",
    "greek": "el",
    "hebrew": "he",
    "italian": "it",
    "korean": "ko",
    "polish": "pl",
    "portuguese": "pt",
    "slovak": "sk",
    "spanish": "es",
    "swedish": "sv",
    "ukrainian": "uk",
}
"""sumy's name → the code; its lists of scripts without spaces are not needed."""
SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("zh", re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
    ("lo", re.compile(r"[\u0e80-\u0eff]")),
    ("my", re.compile(r"[\u1000-\u109f]")),
    ("km", re.compile(r"[\u1780-\u17ff]")),
)
"""Kana first: Japanese has Han characters too."""
WEIGHT = 5040
"""What a common word weighs; one that several languages share is divided among them, exactly up to ten."""
FEWEST = 2
"""common words' weight that a text must show before it is of a language"""
LEAD = 1.3
"""times as much as of the next language"""
READ = 20_000
"""characters of a text that are read"""


def language_of(text: str) -> str | None:
    """Return the code of a text's language, or None where the text does not show it."""
    words = tokens(clean(text[:READ]))
    unspaced = [word for word in words if is_unspaced(word)]
    if 2 * len(unspaced) > len(words):
        characters = "".join(unspaced)
        return next((code for code, script in SCRIPTS if script.search(characters)), None)
    weights: Counter[str] = Counter()
    for word in words:
        languages = _common_words().get(word, ())
        weights.update(dict.fromkeys(languages, WEIGHT // max(1, len(languages))))
    ranked = [*weights.most_common(2), ("", 0), ("", 0)]
    (first, most), (_, next_most) = ranked[:2]
    return first if most >= FEWEST * WEIGHT and most >= LEAD * next_most else None


@cache
def _common_words() -> dict[str, tuple[str, ...]]:
    """Return word → the languages of which it is a common one."""
    languages: dict[str, tuple[str, ...]] = dict.fromkeys(STOP_WORDS, ("en",))
    for name, code in CODES.items():
        stop_words = files("sumy").joinpath("data", "stopwords", f"{name}.txt").read_text("utf-8")
        for word in {token for line in stop_words.splitlines() for token in tokens(clean(line))}:
            languages[word] = (*languages.get(word, ()), code)
    return languages
