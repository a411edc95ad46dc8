"""The program `memorepair`: mounts the commands, and turns every error of ours into a message and an exit code.

With `--json` an error is JSON too, on standard error, so that standard output holds a result or nothing.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from typing import Annotated, Any, cast

import typer

from ..errors import BadInput, MemoRepairError
from . import bench, db, events, exporting, keys, memory, operators, plans, repairs
from .connection import GlobalOptions
from .demo.command import demo
from .output import fail
from .resumable import INTERRUPTED

UsageError = cast("type[Exception]", typer.BadParameter.__base__)
"""What typer raises for a wrong command line, wherever it keeps it."""

COMMANDS: dict[str, tuple[Callable[..., None], ...]] = {
    "Memory": (
        memory.setup,
        memory.load,
        exporting.export,
        memory.search,
        keys.keys,
        memory.show,
        memory.why,
        memory.set_metadata,
        memory.check,
    ),
    "Operators": (operators.operators, operators.replay),
    "Repair": (
        plans.preview,
        plans.frontier,
        repairs.withdraw,
        repairs.repair,
        events.events,
        events.status,
        repairs.resume,
        repairs.retry,
        repairs.erase,
        repairs.forgive,
    ),
}

app = typer.Typer(
    name="memorepair",
    help="Barrier-first repair of an agent's derived memory, on Neo4j.",
    epilog=(
        "NEO4J_URI, NEO4J_USERNAME, NEO4J_PASSWORD and NEO4J_DATABASE say which server; without NEO4J_URI it is the "
        "one of `memorepair db start`. "
        "Exit codes: 0 done, 1 violations found or a try failed, 2 usage, 3 refused, 4 no server, 130 interrupted."
    ),
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.add_typer(db.app, name="db", rich_help_panel="Server")
app.command(rich_help_panel="Server")(demo)
for panel, commands in COMMANDS.items():
    for command in commands:
        app.command(rich_help_panel=panel)(command)
app.command(rich_help_panel="Measure", cls=bench.CataloguedCommand)(bench.bench)


@app.callback()
def program(
    ctx: typer.Context,
    space: Annotated[
        str | None, typer.Option("--space", metavar="NAME", help="Whose memory; MEMOREPAIR_SPACE, else `default`.")
    ] = None,
    app: Annotated[
        str | None,
        typer.Option("--app", metavar="MODULE:ATTRIBUTE", help="Your operators and embedder; else MEMOREPAIR_APP."),
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", metavar="", help="Say on standard error what happens inside.")
    ] = False,
) -> None:
    """Barrier-first repair of an agent's derived memory, on Neo4j."""
    ctx.obj = GlobalOptions(space, app)
    logging.basicConfig(format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("memorepair_graphdb").setLevel(logging.INFO if verbose else logging.WARNING)


def main() -> None:
    """Run the command that was asked for; does not return."""
    for stream in (sys.stdout, sys.stderr):
        cast("Any", stream).reconfigure(errors="replace")
    try:
        code = _run("--json" in sys.argv)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read the output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    sys.exit(code)


def _run(as_json: bool) -> int:
    try:
        return app(standalone_mode=False) or 0
    except MemoRepairError as error:
        fail(str(error), type(error).__name__, as_json)
        return error.exit_code
    except UsageError as error:
        return _usage(cast("Any", error), as_json)
    except (KeyboardInterrupt, typer.Abort):
        fail("interrupted", "Interrupted", as_json)
        return INTERRUPTED


def _usage(error: Any, as_json: bool) -> int:
    message = error.format_message()
    if message and not as_json:
        path = error.ctx.command_path if error.ctx else "memorepair"
        message = f"{message}\nTry: {path} --help"
    if message:
        fail(message, BadInput.__name__, as_json)
    return BadInput.exit_code
