"""Plants names and addresses of a retracted text in other sentences, script by script, and counts what is found.

The sentences are written for this measurement, or read from a file of the same shape. All but the planted words are
said of other people in the same memory too: what is found is the name, not the sentence around it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from ....errors import BadInput
from ....operators.checks.residue import residue
from ....operators.protocol.payload import Payload
from ....operators.text import clean, with_spaces

FILE = "scripts.json"
"""script → its sentences"""


class ScriptTexts(BaseModel):
    """Sentences of one script, as its file has them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    names: list[str] = Field(min_length=2)
    frames: list[str] = Field(min_length=2)
    """sentences with `{}` for a name"""
    addresses: list[str]
    plain: list[str] = Field(min_length=1)
    """sentences about nobody"""


@dataclass(frozen=True, slots=True)
class ScriptRow:
    """What was counted in one script."""

    script: str
    planted: int
    found: int
    clean: int
    refused: int
    """clean texts that were refused: false alarms"""
    missed: tuple[str, ...]
    """what was planted and not found"""
    alarms: tuple[str, ...]

    def as_row(self) -> dict[str, Any]:
        """Return the row as JSON has it; what was judged wrongly only where something was."""
        wrong = {name: list(texts) for name, texts in (("missed", self.missed), ("alarms", self.alarms)) if texts}
        counts = {"planted": self.planted, "found": self.found, "clean": self.clean, "refused": self.refused}
        return {"script": self.script, **counts, **wrong}


def measure(file: Path | None = None, tell: Callable[[str], None] = lambda line: None) -> list[ScriptRow]:
    """Return a row for each script of a file, by default the `scripts.json` of this room; `tell` gets its progress.

    Raises `BadInput` where there is no such file, or for one of another shape.
    """
    source = files(__package__) / FILE if file is None else file
    try:
        texts = TypeAdapter(dict[str, ScriptTexts]).validate_json(source.read_text("utf-8"))
    except OSError as error:
        raise BadInput(f"there is no file {source}: script → names, frames, addresses, plain") from error
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        raise BadInput(f"{source}: {'.'.join(map(str, fault['loc']))}: {fault['msg']}") from error
    rows = []
    for script, sentences in texts.items():
        tell(f"names in {script}")
        rows.append(_row(script, sentences))
    return rows


def _row(script: str, texts: ScriptTexts) -> ScriptRow:
    shares = _Frequency(texts)
    planted, missed, alarms, clean_texts = 0, [], [], 0
    for number, name in enumerate(texts.names):
        others = [other for other in texts.names if other != name]
        own, told = texts.frames[number % len(texts.frames)], texts.frames[(number + 1) % len(texts.frames)]
        live = (*texts.plain, *(own.format(other) for other in others[:2]))
        secrets = (name, texts.addresses[number % len(texts.addresses)]) if texts.addresses else (name,)
        retracted = (" ".join([own.format(name), *secrets[1:]]),)
        for secret, frame in product(secrets, (told, texts.frames[(number + 2) % len(texts.frames)])):
            planted += 1
            if residue(Payload(_after(texts, frame.format(secret))), retracted, live, (), shares.without(name)).ok:
                missed.append(f"{secret} in {frame}")
        for other, frame in product(others, [frame for frame in texts.frames if frame != own]):
            clean_texts += 1
            verdict = residue(Payload(_after(texts, frame.format(other))), retracted, live, (), shares.without(name))
            if not verdict.ok:
                alarms.append(f"{frame.format(other)}: {verdict.reason}")
    return ScriptRow(script, planted, planted - len(missed), clean_texts, len(alarms), tuple(missed), tuple(alarms))


def _after(texts: ScriptTexts, sentence: str) -> str:
    return f"{texts.plain[0]} {sentence}"


class _Frequency:
    """In how many texts of the memory a word stands: everything that is said, of everybody but one person."""

    def __init__(self, texts: ScriptTexts) -> None:
        self._by_name = {name: [_words(frame.format(name)) for frame in texts.frames] for name in texts.names}
        self._plain = [_words(sentence) for sentence in texts.plain]

    def without(self, name: str) -> FrequencyIn:
        """Return the frequency in the memory without what was said of a person."""
        said = [words for other, all_ in self._by_name.items() if other != name for words in all_]
        return FrequencyIn([*self._plain, *said])


class FrequencyIn:
    """A frequency over texts as a search engine cuts them."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts

    def __call__(self, word: str) -> int:
        """Return in how many texts the word stands."""
        needle = _words(word)
        return sum(needle in text for text in self._texts)


def _words(text: str) -> str:
    cut = with_spaces(clean(text).casefold())
    return f" {' '.join(''.join(c if c.isalnum() or ord(c) > 0x2FF else ' ' for c in cut).split())} "
