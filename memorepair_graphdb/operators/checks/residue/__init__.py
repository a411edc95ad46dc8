"""Does a successor still say what was retracted? (paper section 2.5, design section 6)

Residue is what stands in a retracted text and in no live source, contract read or template.
"""

from .check import NAME, RESIDUE, judge_payload, residue
from .fields import ReadableFields
from .index import RetractedIndex
from .judge import RARE, ResidueJudge, always_common
from .keys import quoting_keys
from .recipes import ClearedRecipe, clear_context, clear_recipe
from .vocabulary import vocabulary_of

__all__ = [
    "NAME",
    "RARE",
    "RESIDUE",
    "ClearedRecipe",
    "ReadableFields",
    "ResidueJudge",
    "RetractedIndex",
    "always_common",
    "clear_context",
    "clear_recipe",
    "judge_payload",
    "quoting_keys",
    "residue",
    "vocabulary_of",
]
