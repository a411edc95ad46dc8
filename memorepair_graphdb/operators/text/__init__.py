"""Makes texts comparable: tokens stay the same when case, spacing, width, accents, punctuation or alphabet change."""

from .digits import figures, typed_readings
from .normalize import clean
from .passages import in_words, passages, phrase, schema_keys, stream
from .segments import is_sure, stretches, with_spaces
from .sentences import sentences
from .stems import stems
from .stop_words import COMMON_WORDS, STOP_WORDS
from .tokens import cased_tokens, compounds, is_identifier, is_phonetic, is_unspaced, spellings, tokens, weight_of

__all__ = [
    "COMMON_WORDS",
    "STOP_WORDS",
    "cased_tokens",
    "clean",
    "compounds",
    "figures",
    "in_words",
    "is_identifier",
    "is_phonetic",
    "is_sure",
    "is_unspaced",
    "passages",
    "phrase",
    "schema_keys",
    "sentences",
    "spellings",
    "stems",
    "stream",
    "stretches",
    "tokens",
    "typed_readings",
    "weight_of",
    "with_spaces",
]
