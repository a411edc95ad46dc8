"""Commands of `memorepair db`: start, stop, look at and delete the local server.

The password is printed only with `--json`; a person is told which file holds it.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import BadInput
from .options import AsJson, Yes
from .output import console, plain

if TYPE_CHECKING:  # the room needs the extra `local`, and says so when it is imported
    from ..localdb import LocalServer, Phase, Running
    from ..localdb import Progress as Report

app = typer.Typer(help="A real Neo4j server on this machine, without Docker.", no_args_is_help=True)

Name = Annotated[str, typer.Option("--name", help="Which server; each has its own data.")]


@app.command()
def start(
    name: Name = "default",
    heap: Annotated[str | None, typer.Option(help="Java heap, such as 2g; sized to the machine otherwise.")] = None,
    pagecache: Annotated[str | None, typer.Option(help="Page cache, such as 512m.")] = None,
    as_json: AsJson = False,
) -> None:
    """Start the server, or find it started; downloads it the first time."""
    external = os.environ.get("NEO4J_URI")
    if external:
        _print({"status": "external", "uri": external}, f"NEO4J_URI is set ({external}): nothing is started.", as_json)
        return
    server = _server(name)
    before = server.status()
    with server_progress(quiet=as_json) as report:
        running = server.start(report, heap, pagecache)
    head = f"Neo4j runs already ({name})." if before else f"Neo4j runs ({name})."
    _print(_describe(running), f"{head}\n{_in_words(running)}", as_json)
    if before and (heap or pagecache) and not as_json:
        print("It keeps the memory it was started with; stop it first to change that.")


@app.command()
def stop(name: Name = "default", as_json: AsJson = False) -> None:
    """Stop the server and wait until its process is gone; its data stays."""
    stopped = _server(name).stop()
    words = f"Stopped {name}." if stopped else f"{name} was not running."
    _print({"name": name, "status": "stopped", "was_running": stopped}, words, as_json)


@app.command()
def status(name: Name = "default", as_json: AsJson = False) -> None:
    """Say whether the server runs, and how to get in."""
    server = _server(name)
    running = server.status()
    if running:
        _print(_describe(running), f"Neo4j runs ({name}).\n{_in_words(running)}", as_json)
        return
    home = server.home.root
    state = "starting" if server.pid() else "stopped" if home.exists() else "absent"
    words = {
        "starting": f"{name} is starting, and does not answer yet.",
        "stopped": f"{name} is not running; its data is in {home}.",
        "absent": f"There is no server {name}.",
    }
    _print({"name": name, "status": state, "home": str(home)}, words[state], as_json)


@app.command()
def logs(
    name: Name = "default",
    lines: Annotated[int, typer.Option("--lines", "-n", min=1, help="How many.")] = 50,
    as_json: AsJson = False,
) -> None:
    """Print the last lines of what the server said since its last start."""
    last = _server(name).logs(lines)
    _print({"name": name, "lines": last}, "\n".join(last), as_json)


@app.command()
def purge(
    name: Name = "default",
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Stop the server and delete all its data."""
    server = _server(name)
    exists = server.home.root.exists()
    if exists and not yes:
        if as_json:
            raise BadInput("purge deletes all data of the server; with --json say so with --yes")
        typer.confirm(f"Delete the server {name} and all its data in {server.home.root}?", abort=True, err=True)
    purged = server.purge()
    words = f"Deleted {server.home.root}." if purged else f"There is no server {name}."
    _print({"name": name, "status": "absent", "purged": purged}, words, as_json)


def _server(name: str) -> LocalServer:
    from ..localdb import LocalServer

    return LocalServer(name)


def _describe(running: Running) -> dict[str, object]:
    return {
        "status": "running",
        "name": running.name,
        "uri": running.uri,
        "browser_url": running.browser_url,
        "username": running.username,
        "password": running.password,
        "pid": running.pid,
        "home": str(running.home),
        "heap_mib": running.heap,
        "pagecache_mib": running.pagecache,
    }


def _in_words(running: Running) -> str:
    return (
        f"  URI       {running.uri}\n"
        f"  Browser   {running.browser_url}\n"
        f"  User      {running.username}; the password is in {running.home / 'password'}\n"
        f"  Memory    heap {running.heap} MiB, page cache {running.pagecache} MiB; pid {running.pid}"
    )


def _print(content: dict[str, object], words: str, as_json: bool) -> None:
    print(json.dumps(content) if as_json else plain(words))


@contextmanager
def server_progress(*, quiet: bool) -> Iterator[Report | None]:
    """Draw one bar for the download and one for the wait, on standard error; each appears when it begins."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[amount]}"), TimeElapsedColumn())
    tasks: dict[str, TaskID] = {}
    with Progress(*columns, console=console(error=True), transient=True) as bars:

        def report(phase: Phase, done: int, total: int) -> None:
            if phase not in tasks:
                words = {"jars": "Fetching Neo4j", "server": "Waiting for Bolt"}[phase]
                tasks[phase] = bars.add_task(words, total=total if phase == "jars" else None, amount="")
            amount = f"{done / 2**20:.0f} of {total / 2**20:.0f} MiB" if phase == "jars" else ""
            bars.update(tasks[phase], completed=done, amount=amount)

        yield report
