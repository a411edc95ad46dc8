"""Makes texts comparable: tokens stay the same when case, spacing, width, accents, punctuation or alphabet change."""

from .digits import figures, typed_readings
from .normalize import clean
from .passages import passages, phrase, stream
from .sentences import sentences
from .stop_words import COMMON_WORDS, STOP_WORDS
from .tokens import cased_tokens, compounds, is_identifier, is_unspaced, spellings, tokens

__all__ = [
    "COMMON_WORDS",
    "STOP_WORDS",
    "cased_tokens",
    "clean",
    "compounds",
    "figures",
    "is_identifier",
    "is_unspaced",
    "passages",
    "phrase",
    "sentences",
    "spellings",
    "stream",
    "tokens",
    "typed_readings",
]
