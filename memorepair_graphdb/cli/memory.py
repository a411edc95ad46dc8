"""Commands on the memory itself: set up, load, look, search, explain, check.

None prints what is out of service as if it were in service.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from ..errors import BadInput, NotFound
from .connection import connected
from .options import AsJson, Key
from .output import emit

if TYPE_CHECKING:
    from ..model.arguments import SearchByLike

Dimensions = Annotated[
    int | None, typer.Option("--dimensions", min=1, max=4096, help="Length of the embeddings, for the vector index.")
]
Workload = Annotated[
    tuple[str, Path] | None,
    typer.Option("--workload", metavar="NAME DIR", help="A real data set in a directory, such as: toolbench DIR."),
]


def setup(ctx: typer.Context, dimensions: Dimensions = None, as_json: AsJson = False) -> None:
    """Declare the schema and open the space; needed once, harmless again."""
    from rich.text import Text

    with connected(ctx, "Setting up") as memory:
        server, space = memory.setup(dimensions), memory.space
    emit({"server": server, "space": space}, lambda: Text(f"Space {space} is ready on {server}."), as_json)


def load(
    ctx: typer.Context,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE.jsonl", help="Artifacts, one JSON object a line; - for standard input."),
    ] = None,
    workload: Workload = None,
    as_json: AsJson = False,
) -> None:
    """Load artifacts; checked whole before anything is written, and repeatable."""
    from .render.tables import render_load

    if (file is None) == (workload is None):
        raise BadInput("name a file to load, or --workload NAME DIR")
    if workload is not None:
        from ..evaluation.workloads import WORKLOADS

        name, directory = workload
        if name not in WORKLOADS:
            raise BadInput(f"there is no workload {name!r}, only {', '.join(sorted(WORKLOADS))}")
        lines = WORKLOADS[name](directory)
        with connected(ctx, "Reading") as memory:
            report, space = memory.load(lines), memory.space
    else:
        with connected(ctx, "Reading") as memory:
            report = memory.load(sys.stdin.buffer if file == Path("-") else str(file))
            space = memory.space
    emit(report, lambda: render_load(report, space), as_json)


def show(
    ctx: typer.Context,
    key: Key,
    history: Annotated[
        bool, typer.Option("--history", metavar="", help="Every version, with texts that are out of service.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show what is in service under a key."""
    from .render.artifacts import artifact_json, render_show, version_json

    with connected(ctx, "Reading") as memory:
        versions, space = memory.versions(key), memory.space
    if not versions:
        raise NotFound(f"no artifact {key} in space {space}")
    live = next((version for version in versions if version.visible), None)
    content = {
        "key": key,
        "artifact": artifact_json(live) if live else None,
        "versions": [version_json(version, history=history) for version in versions],
    }
    emit(content, lambda: render_show(key, versions, history=history), as_json)


def why(ctx: typer.Context, key: Key, as_json: AsJson = False) -> None:
    """Say why an artifact (its key, or an id) is, or is not, in service."""
    from .render.artifacts import render_why

    with connected(ctx, "Reading") as memory:
        answer = memory.why(key)
    emit(answer, lambda: render_why(answer), as_json)


def search(
    ctx: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What to look for.")],
    k: Annotated[int, typer.Option("-k", help="How many.")] = 5,
    by: Annotated[
        str | None, typer.Option("--by", metavar="text|vector", help="By words, or by the embedder of --app.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Search what is in service."""
    from .render.artifacts import artifact_json, render_hits

    with connected(ctx, "Searching") as memory:
        hits = memory.search(text, k=k, by=cast("SearchByLike | None", by))
    content = {"hits": [{"score": hit.score, "artifact": artifact_json(hit.artifact)} for hit in hits]}
    emit(content, lambda: render_hits(hits), as_json)


def set_metadata(
    ctx: typer.Context,
    key: Key,
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE.json", help="The new metadata; leave it out with --clear.")
    ] = None,
    clear: Annotated[bool, typer.Option("--clear", metavar="", help="Take the metadata away.")] = False,
    as_json: AsJson = False,
) -> None:
    """Give what is in service under a key other metadata; nothing that rests on it leaves service."""
    from .event_options import read_json
    from .render.artifacts import artifact_json, render_metadata

    if (file is None) != clear:
        raise BadInput("name a file with the new metadata, or --clear")
    metadata = None if file is None else read_json(file)
    with connected(ctx, "Writing") as memory:
        artifact = memory.set_metadata(key, metadata)
    emit({"artifact": artifact_json(artifact)}, lambda: render_metadata(artifact), as_json)


def check(ctx: typer.Context, as_json: AsJson = False) -> None:
    """Check every invariant; exits with 1 when one is violated."""
    from .render.tables import render_check

    with connected(ctx, "Checking") as memory:
        report = memory.check()
    emit(report, lambda: render_check(report), as_json)
    if report.violations:
        raise typer.Exit(1)
