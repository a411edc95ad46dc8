"""Write each block of `cypher/blocks/` into the statements that use it: `python scripts/write_blocks.py [--check]`.

A statement names a block in two markers, and the script writes the block's text between them, indented as they are:

    // begin block: one_stripe
    // end block: one_stripe

So a block stands once in `cypher/blocks/`, and each file of `cypher/` is still a whole statement that runs on its own.
A block's file is a comment that says what the block is for, an empty line, and the text. In the text a line
`// block: NAME` stands for another block. With `--check` nothing is written, and what would change is an error.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

CYPHER = Path(__file__).parent.parent / "cypher"
MARKER = re.compile(r"( *)// (begin|end) block: (\w+)")
NESTED = re.compile(r"( *)// block: (\w+)")


class BlockError(Exception):
    """A marker or a block's file that cannot be followed."""


class Blocks:
    """The blocks of a folder, and which of them were asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.names = {path.stem for path in folder.glob("*.cypher")}
        self.used: set[str] = set()
        self.lines = cache(self._lines)

    def _lines(self, name: str) -> tuple[str, ...]:
        """The text of a block, other blocks in it written out."""
        if name not in self.names:
            raise BlockError(f"there is no block {name} in {self._folder}")
        self.used.add(name)
        header, _, text = (self._folder / f"{name}.cypher").read_text(encoding="utf-8").partition("\n\n")
        if not text.strip() or not all(line.startswith("//") for line in header.splitlines()):
            raise BlockError(f"block {name} is not a comment, an empty line and a text")
        return tuple(self._written_out(text))

    def _written_out(self, text: str) -> Iterator[str]:
        for line in text.splitlines():
            nested = NESTED.fullmatch(line)
            yield from indented(nested[1], self.lines(nested[2])) if nested else (line,)


def indented(by: str, lines: tuple[str, ...]) -> Iterator[str]:
    """The lines of a block at the place of its marker."""
    return (by + line if line else line for line in lines)


def filled(statement: str, blocks: Blocks) -> str:
    """The text of a statement, with the blocks that it names written between their markers."""
    lines: list[str] = []
    inside: str | None = None
    for number, line in enumerate(statement.splitlines(), 1):
        marker = MARKER.fullmatch(line)
        if marker is None:
            if inside is None:
                lines.append(line)
            continue
        begins, name = marker[2] == "begin", marker[3]
        if begins == (inside is not None) or (not begins and name != inside):
            raise BlockError(f"line {number}: `{line.strip()}` inside of block {inside}")
        inside = name if begins else None
        lines += [line, *indented(marker[1], blocks.lines(name))] if begins else [line]
    if inside is not None:
        raise BlockError(f"block {inside} has no end")
    return "".join(f"{line}\n" for line in lines)


def changes(cypher: Path) -> tuple[dict[Path, str], list[str]]:
    """The files that are not as their blocks say, with the text that they should have; and what is wrong."""
    blocks = Blocks(cypher / "blocks")
    changed: dict[Path, str] = {}
    faults: list[str] = []
    for path in sorted(cypher.rglob("*.cypher")):
        if path.is_relative_to(cypher / "blocks"):
            continue
        text = path.read_text(encoding="utf-8")
        try:
            whole = filled(text, blocks)
        except BlockError as error:
            faults.append(f"{path}: {error}")
        else:
            if whole != text:
                changed[path] = whole
    unused = [] if faults else sorted(blocks.names - blocks.used)  # a file that could not be read may use them
    return changed, faults + [f"block {name} is used nowhere" for name in unused]


def main() -> None:
    """Write, or with `--check` say what would be written; exits 1 on what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cypher", nargs="?", type=Path, default=CYPHER, help="the folder of the statements")
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a file is not as its blocks say")
    given = parser.parse_args()
    changed, faults = changes(given.cypher)
    if given.check:
        faults += [f"{path}: not as its blocks say; run `make cypher`" for path in changed]
    else:
        for path, text in changed.items():
            path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"{path}\n")
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
