"""Which lines of `cypher/` stand in another file too, outside the blocks: `python -m tests.contract.repeats [FOLDER]`.

A run is four or more statement lines in a row that stand, in the same order, in two files; a block ends it. White space
is folded. Comments, empty lines, `CYPHER 25` and lines of brackets alone are no statement lines.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from memorepair_graphdb.store.queries import folder

SHORTEST = 4
"""Lines of the shortest run that counts: up to three are idioms, such as the start of a subquery and its FILTER."""

_MARKER = re.compile(r" *// (begin|end) block: \w+$")
_NO_STATEMENT = re.compile(r"(//.*)?|[(){}\[\], ]*|CYPHER 25")


class Line(NamedTuple):
    """A statement line, white space folded, and its number in the file."""

    number: int
    text: str


def statement_lines(text: str) -> list[list[Line]]:
    """The statement lines outside blocks; a block parts what stands before it from what stands behind it."""
    parts: list[list[Line]] = [[]]
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if marker := _MARKER.match(line):
            inside = marker[1] == "begin"
            parts.append([])
        elif not inside and not _NO_STATEMENT.fullmatch(line.strip()):
            parts[-1].append(Line(number, " ".join(line.split())))
    return parts


def repeated(files: dict[str, str], shortest: int = SHORTEST) -> dict[str, set[int]]:
    """File → numbers of its lines that are in a run which stands in another file too."""
    places: dict[tuple[str, ...], list[tuple[str, list[int]]]] = defaultdict(list)
    for name, window in _windows(files, shortest):
        places[tuple(line.text for line in window)].append((name, [line.number for line in window]))
    found: dict[str, set[int]] = defaultdict(set)
    for stands in places.values():
        if len({name for name, _ in stands}) > 1:
            for name, numbers in stands:
                found[name].update(numbers)
    return dict(found)


def _windows(files: dict[str, str], length: int) -> Iterator[tuple[str, list[Line]]]:
    for name, text in files.items():
        for part in statement_lines(text):
            for start in range(len(part) - length + 1):
                yield name, part[start : start + length]


def read(root: Path) -> dict[str, str]:
    """Every statement of a folder by its name; the blocks themselves are none."""
    paths = (path.relative_to(root) for path in sorted(root.rglob("*.cypher")))
    return {path.as_posix(): (root / path).read_text(encoding="utf-8") for path in paths if path.parts[0] != "blocks"}


def report(root: Path) -> str:
    """The figures, and the runs that are left."""
    files = read(root)
    found = repeated(files)
    statements = sum(len(part) for text in files.values() for part in statement_lines(text))
    lines = sum(len(text.splitlines()) for text in files.values())
    again = sum(map(len, found.values()))
    shown = [f"{lines} lines in {len(files)} files, {statements} of them statement lines outside blocks"]
    shown += [f"{again} of these stand in another file too: {again / lines:.1%} of all lines, {again / statements:.1%}"]
    return "\n".join([*shown, *(f"{name}: {sorted(numbers)}" for name, numbers in sorted(found.items()))])


if __name__ == "__main__":
    sys.stdout.write(report(Path(sys.argv[1]) if len(sys.argv) > 1 else folder()) + "\n")
