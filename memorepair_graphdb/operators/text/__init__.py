"""Text made comparable: tokens that survive a change of case, spacing, width, accents, punctuation or alphabet.

The law of the room: two texts that a reader takes for the same have the same tokens.
"""

from .digits import figures, look_typed
from .normalize import clean
from .passages import passages, phrase, stream
from .sentences import sentences
from .stop_words import COMMON_WORDS, STOP_WORDS
from .tokens import cased_tokens, compounds, is_identifier, spellings, tokens, unspaced

__all__ = [
    "COMMON_WORDS",
    "STOP_WORDS",
    "cased_tokens",
    "clean",
    "compounds",
    "figures",
    "is_identifier",
    "look_typed",
    "passages",
    "phrase",
    "sentences",
    "spellings",
    "stream",
    "tokens",
    "unspaced",
]
