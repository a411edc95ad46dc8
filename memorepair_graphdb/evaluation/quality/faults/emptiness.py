"""Makes successors of which no check has anything to see: texts without a word, and chains that never gave a result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ....model.artifact import Arch
from ....operators.builtin.chain.recipe import written_for
from ....operators.protocol.payload import Payload
from .case import Case

_NOTHING: tuple[tuple[str, Any], ...] = (
    ("…", None),
    ("…", {"sources": []}),
    ("…", {"sources": [[]]}),
    ("—\n—", {"sources": [[], []]}),
    ("{}", None),
    ("[]", None),
)
"""content and metadata that say nothing"""
_NEVER_RUN = (
    "def chain():\n    raise SystemExit(0)\n",
    "def chain():\n    return 1 / 0\n",
    "def chain():\n    return [][0]\n",
    "import socket\n\n\ndef chain():\n    return socket.gethostname()\n",
)
"""programs that give no result, before and after"""


def empty_successors(case: Case) -> Iterator[tuple[Case, Payload]]:
    """Yield the case without stored checks and runs, each time with a successor that says or does nothing."""
    recipe = case.context.recipe
    bare = {name: value for name, value in recipe.items() if name not in ("checks", "runs")} if recipe else recipe
    context = replace(case.context, recipe=bare, parsed_recipes={})
    if context.arch is Arch.CHAIN:
        blob = written_for(dict(context.interfaces))
        for source in _NEVER_RUN:
            yield replace(case, context=replace(context, previous=source)), Payload(source, blob=blob)
        return
    for content, metadata in _NOTHING:
        yield replace(case, context=context), Payload(content, metadata=metadata)
