"""Plants leaks that the check does not promise to find: other words, numbers in words, a translation, an encoding.

As in `planting`: the figures are reported so that nobody believes more than was measured.

There is no language model here: another wording and another language are word for word, by one small glossary, and
only sentences that it covers well are taken.
"""

from __future__ import annotations

import base64
import codecs
import re
from collections.abc import Mapping
from random import Random

from .facts import facts_of, leaves, sentences_of, squeezed, stands
from .planting import FRAMES, Draw
from .scenes import Scene

COVERED = 0.7
"""share of a sentence's words that the glossary must know"""

_GLOSSARY = """
can:could:kann; you:one:Sie; provide:hand:liefern; give:hand:geben; me:us:mir; with:along:mit; the:this:das;
a:some:ein; information:facts:Angaben; details:particulars:Einzelheiten; about:regarding:zu; on:regarding:auf;
of:from:von; for:towards:für; and:plus:und; i:we:ich; need:require:brauche; want:wish:will; would:might:würde;
like:wish:gern; to:towards:zu; find:locate:finden; list:enumeration:Liste; all:every:alle;
available:obtainable:verfügbar; latest:newest:neueste; also:besides:auch; please:kindly:bitte;
additionally:besides:außerdem; my:our:mein; is:seems:ist; are:seem:sind; in:within:in; their:such:ihre; from:out
of:aus; any:some:irgendwelche; there:here:dort; if:whether:ob; could:might:könnten; fetch:obtain:holen;
get:obtain:bekommen; some:several:einige; show:display:zeigen; top:best:beste; price:cost:Preis;
prices:costs:Preise; data:figures:Daten; current:present:aktuelle; new:recent:neu; planning:preparing:plane;
trip:journey:Reise; company:firm:Firma; movie:film:Film; movies:films:Filme; news:reports:Nachrichten;
weather:climate:Wetter; search:look:suchen; including:counting:einschließlich; such:so:solche; as:like:wie;
it:that:es; them:those:sie; organizing:arranging:organisiere; friends:mates:Freunde; family:relatives:Familie;
friend:mate:Freund; party:celebration:Feier; best:finest:beste; number:figure:Nummer; names:labels:Namen;
name:label:Name; this:that:dies; that:which:das; their:its:deren; image:picture:Bild; images:pictures:Bilder;
website:page:Webseite; check:verify:prüfen; know:learn:wissen; more:further:mehr; popular:favoured:beliebt;
articles:pieces:Artikel; article:piece:Artikel; related:akin:verwandt; specific:particular:bestimmte;
location:place:Ort; city:town:Stadt
"""
"""an English word, another for it, a German one"""
GLOSSARY = {one: (other, german) for one, other, german in (row.strip().split(":") for row in _GLOSSARY.split(";"))}
_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
)
UNITS = (_UNITS + " eighteen nineteen").split()
TENS = ["-", "-", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def in_words(number: int) -> str:
    """Return a number below a million in English words."""
    if number < 20:
        return UNITS[number]
    if number < 100:
        return TENS[number // 10] + (f"-{UNITS[number % 10]}" if number % 10 else "")
    size, name = (100, "hundred") if number < 1000 else (1000, "thousand")
    rest = f" {in_words(number % size)}" if number % size else ""
    return f"{in_words(number // size)} {name}{rest}"


def _reword(scene: Scene, draw: Random, column: int) -> tuple[str, str] | None:
    """Return a sentence without names and numbers, each word replaced by the glossary's where it has one."""
    live = squeezed(" ".join(scene.live))
    fitting = []
    for sentence in (one for content in scene.retracted for one in sentences_of(content)):
        words = re.findall(r"[A-Za-z']+", sentence)
        known = sum(word.lower() in GLOSSARY for word in words)
        if known >= COVERED * len(words) and not facts_of(sentence).all and squeezed(sentence) not in live:
            fitting.append((sentence, " ".join(GLOSSARY.get(word.lower(), (word, word))[column] for word in words)))
    return draw.choice(fitting) if fitting else None


def _other_words(scene: Scene, draw: Random) -> tuple[str, str] | None:
    return _reword(scene, draw, 0)


def _translation(scene: Scene, draw: Random) -> tuple[str, str] | None:
    return _reword(scene, draw, 1)


def _number_in_words(scene: Scene, draw: Random) -> tuple[str, str] | None:
    facts = [facts_of(leaf) for content in scene.retracted for leaf in leaves(content)]
    found = [
        one
        for each in facts
        for one in each.numbers
        if one.isdecimal() and len(one) < 7 and not stands(one, scene.live)
    ]
    if not found:
        return None
    number = draw.choice(found)
    return number, draw.choice(FRAMES).format(in_words(int(number)))


def _encode(scene: Scene, draw: Random) -> tuple[str, str] | None:
    live = squeezed(" ".join(scene.live))
    found = [one for content in scene.retracted for one in sentences_of(content) if squeezed(one) not in live]
    if not found:
        return None
    sentence = draw.choice(found)
    ways = (
        base64.b64encode(sentence.encode()).decode(),
        codecs.encode(sentence, "rot13"),
        sentence[::-1],
        sentence.encode().hex(),
    )
    return sentence, draw.choice(ways)


UNPROMISED: Mapping[str, Draw] = {
    "other words, no identifiers": _other_words,
    "numbers in words": _number_in_words,
    "translation": _translation,
    "encoding": _encode,
}
"""Sorts of leak that are reported, not promised."""
