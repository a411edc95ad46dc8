"""Reads the documents: the fenced blocks of a page in order, and the rows of the tables of all pages."""

from __future__ import annotations

import re
from typing import NamedTuple

from tests.harness.places import CHECKOUT

PAGES = ("README.md", "CONTRIBUTING.md", *sorted(f"docs/{path.name}" for path in (CHECKOUT / "docs").glob("*.md")))
_TEXTS = {page: (CHECKOUT / page).read_text(encoding="utf-8") for page in PAGES}

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`([^`]+)`")


class Block(NamedTuple):
    """A fenced block."""

    language: str
    body: str


def blocks(page: str) -> list[Block]:
    """All fenced blocks of a page, in order."""
    return [Block(match[1], match[2]) for match in _FENCE.finditer(_TEXTS[page])]


def rows(head: str) -> list[list[str]]:
    """The cells of the table whose head row begins with this text, on whichever page it stands."""
    lines = "\n".join(_TEXTS.values()).splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(head)) + 2
    found = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
    return found


def code(cell: str) -> list[str]:
    """What stands in backticks in a cell."""
    return _CODE.findall(cell)


def documented() -> dict[str, set[str]]:
    """Command, and path into what it prints, as in `preview → candidates` → the keys that stand there."""
    found = {}
    for where, keys in rows("| command | what `--json` prints"):
        for command in code(where) if "," in where else [" → ".join(code(where))]:
            found[command] = set(code(keys.partition(";")[0]))
    return found


def links(page: str) -> list[str]:
    """What a page links to: paths from its own directory, without what follows `#`."""
    targets = re.findall(r"\]\(([^)\s]+)\)", _TEXTS[page])
    return [target.partition("#")[0] for target in targets if "://" not in target]
