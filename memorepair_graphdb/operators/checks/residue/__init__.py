"""Does a successor still say what was retracted? (paper section 2.5, design section 6)

Residue is what stands in a retracted text and in no live source, contract read or template.
"""

from .check import NAME, RARE, RESIDUE, residue
from .index import RetractedIndex

__all__ = ["NAME", "RARE", "RESIDUE", "RetractedIndex", "residue"]
