"""Reads wire-format lines, from a file or from memory, and collects what is wrong with them.

A line is judged here by itself and by the other lines; `checking` compares it with the graph. A fault names its line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import BadInput, MemoRepairError
from ..model.wire import Line, read_line

Lines = str | Path | Iterable[str | bytes | dict[str, Any]]
"""The path of a file, or its lines: JSON texts, or what they parse to."""

FAULTS_SHOWN = 20
"""The most faults that a message lists."""


class FileLines(NamedTuple):
    """The lines of a file that are to be in service, and how many are history."""

    lines: list[Line]
    history: int


def read_lines(lines: Lines) -> FileLines:
    """Return all lines, checked; blank ones are left out. Raises `BadInput` with the first faults."""
    faults: list[str] = []
    read: list[Line] = []
    history = 0
    for number, data in enumerate(_open(lines), start=1):
        if isinstance(data, str | bytes) and not data.strip():
            continue
        try:
            line = read_line(data, number)
        except BadInput as error:
            faults.append(str(error))
        else:
            if line is None:
                history += 1
            else:
                read.append(line)
    raise_faults(faults + _find_duplicates(read, "key") + _find_duplicates(read, "tool"))
    return FileLines(read, history)


def raise_faults(faults: Sequence[str], kind: type[MemoRepairError] = BadInput) -> None:
    """Raise, if there are any, the first of the faults and the number of the others."""
    if faults:
        more = f"\n… and {len(faults) - FAULTS_SHOWN} more" if len(faults) > FAULTS_SHOWN else ""
        raise kind("nothing was loaded:\n" + "\n".join(faults[:FAULTS_SHOWN]) + more)


def _open(lines: Lines) -> Iterator[str | bytes | dict[str, Any]]:
    if isinstance(lines, str | Path):
        try:
            with Path(lines).open("rb") as file:
                yield from file
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise BadInput(f"cannot read {str(lines)!r:.200}: {reason}") from error
    elif isinstance(lines, bytes | dict) or not isinstance(lines, Iterable):
        raise BadInput(f"lines are a path or a list of lines, not {type(lines).__name__}")
    else:
        yield from lines


def _find_duplicates(read: Sequence[Line], field: str) -> list[str]:
    first: dict[str, int] = {}
    faults = []
    for line in read:
        name = getattr(line.draft, field)
        if name is not None and first.setdefault(name, line.number) != line.number:
            faults.append(f"line {line.number}: {field} {name} stands on line {first[name]} already")
    return faults
