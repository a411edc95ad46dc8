"""Takes off what some languages write together with a name: Korean particles, Arabic and Hebrew one-letter words.

No inflection is undone: Ковальчук and Ковальчука stay two words, as in English Novak and Novaks.
"""

from __future__ import annotations

import re

_PARTICLES = (
    *(
        "에게서",
        "한테서",
        "으로서",
        "이라는",
        "에게",
        "한테",
        "께서",
        "에서",
        "으로",
        "까지",
        "부터",
        "처럼",
        "보다",
        "이나",
    ),
    *(
        "라는",
        "이랑",
        "씨가",
        "씨는",
        "씨를",
        "씨의",
        "은",
        "는",
        "이",
        "가",
        "을",
        "를",
        "의",
        "와",
        "과",
        "도",
        "로",
        "만",
    ),
    *("에", "님", "씨", "랑", "야"),
)
_HANGUL = re.compile(r"[\uac00-\ud7a3]+")
_ARABIC_PREFIX = re.compile(r"[\u0648\u0641\u0628\u0644\u0643](?=[\u0621-\u064a]{3,}$)")
_HEBREW_PREFIX = re.compile(r"[\u05d5\u05d1\u05dc\u05d4\u05de\u05e9\u05db](?=[\u05d0-\u05ea]{3,}$)")


def stems(token: str) -> tuple[str, ...]:
    """Return the forms of a folded token without a particle at its end or a word of one letter at its beginning."""
    if token.isascii():
        return ()
    if _HANGUL.fullmatch(token):
        return tuple(token[: -len(end)] for end in _PARTICLES if token.endswith(end) and len(token) - len(end) > 1)
    for prefix in (_ARABIC_PREFIX, _HEBREW_PREFIX):
        if prefix.match(token):
            return (token[1:],)
    return ()
