"""The command that writes a memory to a file, or to standard output, as lines that `load` takes back."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Annotated

import typer

from ..errors import BadInput
from .connection import connected
from .options import AsJson
from .output import emit, note


def export(
    ctx: typer.Context,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write to this file, whole or not at all.")
    ] = None,
    versions: Annotated[
        bool, typer.Option("--versions", metavar="", help="History too; `load` puts none of it into service.")
    ] = False,
    embeddings: Annotated[bool, typer.Option("--embeddings", metavar="", help="The vectors too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write what is in service as JSON lines, which `load` takes back."""
    from rich.text import Text

    if as_json and out is None:
        raise BadInput("the lines go to standard output: with --json say with --out where they go instead")
    lines = 0
    with connected(ctx, "Exporting") as memory, _destination(out) as file:
        space = memory.space
        for line in memory.export(versions=versions, embeddings=embeddings):
            file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode("utf-8") + b"\n")
            lines += 1
        file.flush()
    message = f"Exported {lines} lines of space {space}." if lines else f"Space {space} has nothing to export."
    if out is None:
        note(message)
    else:
        emit({"file": str(out), "lines": lines, "space": space}, lambda: Text(message), as_json)


@contextmanager
def _destination(out: Path | None) -> Iterator[IO[bytes]]:
    """Open standard output, or a file that takes its name when all is written; raises `BadInput` where none can be."""
    if out is None:
        yield sys.stdout.buffer
        return
    if out.is_dir():
        raise BadInput(f"cannot write {str(out)!r}: it is a directory")
    try:
        file = NamedTemporaryFile(dir=out.parent, prefix=f".{out.name[:100]}.", delete=False)  # noqa: SIM115
    except OSError as error:
        raise BadInput(f"cannot write {str(out)!r}: {error.strerror}") from error
    try:
        with file:
            yield file
        Path(file.name).replace(out)
    except BaseException:
        Path(file.name).unlink(missing_ok=True)
        raise
