"""Writes a thing so that it reads the same and is another string.

A person who reads the result still reads the original.
"""

from __future__ import annotations

from random import Random

CYRILLIC = str.maketrans("aceopxyijsABCEHKMOPTX", "асеорхуіјѕАВСЕНКМОРТХ")
GREEK = str.maketrans("ovABEHIKMNOPTXYZ", "ονΑΒΕΗΙΚΜΝΟΡΤΧΥΖ")
WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
BOLD = {
    **{ord("A") + n: 0x1D400 + n for n in range(26)},
    **{ord("a") + n: 0x1D41A + n for n in range(26)},
    **{ord("0") + n: 0x1D7CE + n for n in range(10)},
}
ACCENTED = str.maketrans("aeiouncAEIOU", "áèïôûñçÀÉÎÖÚ")
STROKED = str.maketrans("lodhtLOD", "łøđħŧŁØĐ")
ARABIC = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
TYPED = str.maketrans("01lO", "Ol1" + "0")
"""what a typewriter without the key would do; for text that has digits beside letters or alone"""
UNSEEN = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
MARKS = "\u0301\u0308\u0323\u0336"

TABLES = (CYRILLIC, GREEK, CYRILLIC | GREEK, WIDE, BOLD, ACCENTED, STROKED, CYRILLIC | ARABIC)


def in_another_case(text: str, draw: Random) -> str:
    """Return upper, lower, swapped, title or random case; another string than the text."""
    ways = [text.upper(), text.lower(), text.swapcase(), text.title(), _random_case(text, draw)]
    return draw.choice([way for way in ways if way != text] or [text.swapcase()])


def in_look_alikes(text: str, draw: Random) -> str:
    """Some or all letters and digits from another alphabet, with accents, or with characters of no width between."""
    for _ in range(20):
        way = draw.randrange(len(TABLES) + 3)
        if way < len(TABLES):
            found = _partly(text, TABLES[way], draw.choice((0.3, 0.6, 1.0)), draw)
        elif way == len(TABLES):
            found = _strewn(text, UNSEEN, 0.3, draw)
        elif way == len(TABLES) + 1:
            found = _strewn(text, MARKS, 0.3, draw)
        elif text.isdecimal() and len(text) > 1:
            found = _partly(text, TYPED, 1.0, draw)
            found = found if any(map(str.isdecimal, found)) else text
        else:
            found = text
        if found != text:
            return found
    return _strewn(text, UNSEEN, 1.0, draw)


def re_ordered(sentence: str, draw: Random) -> str:
    """Return the words of a sentence in another order: shuffled, its parts exchanged, or read backwards."""
    words = sentence.rstrip(".?!").split()
    way = draw.randrange(4)
    if way == 0:
        draw.shuffle(words)
    elif way == 1:
        words.reverse()
    else:
        third = max(2, len(words) // (way + 1))
        parts = [words[start : start + third] for start in range(0, len(words), third)]
        draw.shuffle(parts)
        words = [word for part in parts for word in part]
    return " ".join(words) + "."


def in_other_digits(number: str, draw: Random) -> str:
    """Return the number as it is, or, from four digits on, grouped in another way."""
    whole, dot, fraction = number.partition(".")
    ways = [number, number, number.translate(WIDE), number.translate(BOLD), number.translate(ARABIC)]
    if len(whole) >= 4:
        for separator in (",", " ", "'", "\u00a0", "\u202f"):
            ways.append(_grouped(whole, separator) + dot + fraction)
        if not fraction:
            cut = draw.randrange(1, len(whole))
            ways += [f"{whole[:cut]}{separator}{whole[cut:]}" for separator in ("-", " ", ".", "/")]
            ways += [".".join(whole), "no" + whole]
    return draw.choice(ways)


def around_a_name(name: str, draw: Random) -> str:
    """Return the name as somebody else would put it into a text."""
    return draw.choice(
        (name, name.lower(), name.upper(), f"{name}'s", f"{name}-based", f"the_{name.lower()}", f"({name})")
    )


def _grouped(digits: str, separator: str) -> str:
    head = len(digits) % 3 or 3
    return separator.join([digits[:head], *(digits[n : n + 3] for n in range(head, len(digits), 3))])


def _partly(text: str, table: dict[int, int], share: float, draw: Random) -> str:
    return "".join(one.translate(table) if draw.random() < share else one for one in text)


def _strewn(text: str, marks: str, share: float, draw: Random) -> str:
    inside = (one + draw.choice(marks) if one.isalnum() and draw.random() < share else one for one in text[:-1])
    return "".join(inside) + text[-1:]


def _random_case(text: str, draw: Random) -> str:
    return "".join(one.upper() if draw.random() < 0.5 else one.lower() for one in text)
