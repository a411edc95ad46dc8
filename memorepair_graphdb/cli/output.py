"""What a command says: one JSON object or a picture on standard output, everything else on standard error.

The law of the room: texts out of the memory are printed as they are, never as markup or as orders to the terminal.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

WIDTH_OF_A_PIPE = 120
"""Columns where nobody says how many there are."""

_CONTROLS = {code: "\N{REPLACEMENT CHARACTER}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}


class Shown(Protocol):
    """A model that can be put into JSON."""

    def model_dump(self, *, mode: str) -> dict[str, Any]:
        """The documented shape."""
        ...


def console(*, error: bool = False) -> Console:
    """A console on standard output, or on standard error; no colours where it is no terminal."""
    from rich.console import Console

    stream = sys.stderr if error else sys.stdout
    piped = not stream.isatty() and "COLUMNS" not in os.environ
    return Console(stderr=error, markup=False, highlight=False, emoji=False, width=WIDTH_OF_A_PIPE if piped else None)


def emit(result: Shown | Mapping[str, Any], picture: Callable[[], RenderableType], as_json: bool) -> None:
    """Print the result as one line of JSON, or the picture of it."""
    if as_json:
        content = result if isinstance(result, Mapping) else result.model_dump(mode="json")
        print(json.dumps(content, ensure_ascii="utf" not in (sys.stdout.encoding or "").lower()), flush=True)
    else:
        console().print(picture())


def note(text: str) -> None:
    """Tell a person something beside the result."""
    console(error=True).print(plain(text), soft_wrap=True)


def plain(text: str) -> str:
    """A text without control characters, so that it cannot steer a terminal; lines and tabs stay."""
    return text.translate(_CONTROLS)


def fail(message: str, kind: str, as_json: bool, **about: str) -> None:
    """Print an error: words, or with `--json` one JSON object, on standard error."""
    if as_json:
        print(json.dumps({"error": message, "kind": kind, **about}), file=sys.stderr)
    else:
        print(plain(f"memorepair: {message}"), file=sys.stderr)
