"""Text made comparable: tokens that survive a change of case, spacing, width, accents, punctuation or alphabet.

The law of the room: two texts that a reader takes for the same have the same tokens.
"""

from .cleaning import clean
from .contents import passages, phrase, stream
from .cutting import cased_tokens, compounds, is_identifier, sentences, spellings, tokens, unspaced
from .figures import figures, look_typed
from .stop_words import NOBODYS, STOP_WORDS

__all__ = [
    "NOBODYS",
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
