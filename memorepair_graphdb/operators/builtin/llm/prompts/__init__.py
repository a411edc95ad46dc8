"""What a model is told, one file a task; `$name` is filled in.

A prompt holds no text of a memory; sources come in a message of their own, quoted.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from string import Template


def prompt(name: str, **filled: object) -> str:
    """Return the prompt `NAME.md`, filled in; raises `KeyError` where a name in it is not given."""
    return _template(name).substitute(filled)


@cache
def _template(name: str) -> Template:
    return Template(files(__name__).joinpath(f"{name}.md").read_text("utf-8").strip())
