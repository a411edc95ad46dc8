"""Prints what a command says: one JSON object or a rendering on standard output, everything else on standard error.

Texts out of the memory are printed as they are, never as markup or as control codes of the terminal.
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


class JsonModel(Protocol):
    """A pydantic model, or anything that dumps itself as one does."""

    def model_dump(self, *, mode: str) -> dict[str, Any]:
        """Return the documented shape."""
        ...


def console(*, error: bool = False) -> Console:
    """Return a console on standard output, or on standard error; no colours where it is no terminal."""
    from rich.console import Console

    stream = sys.stderr if error else sys.stdout
    piped = not stream.isatty() and "COLUMNS" not in os.environ
    return Console(stderr=error, markup=False, highlight=False, emoji=False, width=WIDTH_OF_A_PIPE if piped else None)


def emit(result: JsonModel | Mapping[str, Any], render: Callable[[], RenderableType], as_json: bool) -> None:
    """Print the result as one line of JSON, or what `render` makes of it."""
    if as_json:
        content = result if isinstance(result, Mapping) else result.model_dump(mode="json")
        print(json.dumps(content, ensure_ascii="utf" not in (sys.stdout.encoding or "").lower()), flush=True)
    else:
        console().print(render())


def note(text: str) -> None:
    """Tell a person something beside the result."""
    console(error=True).print(plain(text), soft_wrap=True)


def plain(text: str) -> str:
    """Return a text without control characters, so that it cannot steer a terminal; lines and tabs stay."""
    return text.translate(_CONTROLS)


def fail(message: str, kind: str, as_json: bool, **fields: str) -> None:
    """Print an error: words, or with `--json` one JSON object with the fields, on standard error."""
    if as_json:
        print(json.dumps({"error": message, "kind": kind, **fields}), file=sys.stderr)
    else:
        print(plain(f"memorepair: {message}"), file=sys.stderr)
