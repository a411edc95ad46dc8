"""Holds the scripts that put no space between words, as ranges of characters from the Unicode blocks."""

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
)
"""Thai and Lao, Burmese, Khmer, Japanese kana, Han: for a character class of `re`."""
