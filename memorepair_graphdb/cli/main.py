"""The program `memorepair`: mounts the commands, and turns every error of ours into a message and an exit code.

With `--json` an error is JSON too, on standard error, so that standard output holds a result or nothing.
"""

from __future__ import annotations

import json
import sys

import typer

from memorepair_graphdb.cli import db
from memorepair_graphdb.errors import MemoRepairError

app = typer.Typer(
    name="memorepair",
    help="Barrier-first repair of an agent's derived memory, on Neo4j.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.add_typer(db.app, name="db")


@app.callback()
def program() -> None:
    """Barrier-first repair of an agent's derived memory, on Neo4j."""


def main() -> None:
    """Run the command that was asked for; does not return."""
    try:
        app()
    except MemoRepairError as error:
        if "--json" in sys.argv:
            print(json.dumps({"error": str(error), "kind": type(error).__name__}), file=sys.stderr)
        else:
            print(f"memorepair: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
