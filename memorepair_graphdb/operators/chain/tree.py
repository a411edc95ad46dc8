"""A source as a syntax tree.

The law of the room: whoever parses a chain does it here, and one thread at a time.

CPython may count the depth of all parses of a process in one place: two at once end in a SystemError that says nothing
of the source (3.11.7: 77 of 600, four threads that are switched as often as can be).
"""

from __future__ import annotations

import ast
from threading import Lock

from tenacity import retry, retry_if_exception_type, stop_after_attempt

TRIES = 10
"""How often a source is parsed where somebody else's parse, which no lock of ours holds, gets between."""
_one_at_a_time = Lock()


@retry(retry=retry_if_exception_type(SystemError), stop=stop_after_attempt(TRIES), reraise=True)
def tree_of(source: str) -> ast.Module:
    """The tree; raises what `ast.parse` does for what is no Python."""
    with _one_at_a_time:
        return ast.parse(source)
