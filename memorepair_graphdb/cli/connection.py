"""Connects a command to the server, the space and the operators that its user means.

An option beats the environment, the environment beats the local server.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from ..api import MemoRepair
    from .application import Application


@dataclass(frozen=True, slots=True)
class GlobalOptions:
    """The options that stand before the command."""

    space: str | None = None
    app: str | None = None

    def command(self, *words: str) -> str:
        """Return a command line for the same space and operators, to be pasted."""
        pairs = [("--space", self.space), ("--app", self.app)]
        options = [part for option, value in pairs if value is not None for part in (option, value)]
        return shlex.join(["memorepair", *options, *words])


def global_options(ctx: typer.Context) -> GlobalOptions:
    """Return the options before the command."""
    return ctx.obj if isinstance(ctx.obj, GlobalOptions) else GlobalOptions()


def user_application(ctx: typer.Context) -> Application:
    """Return the operators and the embedder of `--app`, else of MEMOREPAIR_APP, else the built-in operators."""
    from .. import config
    from .application import load_application

    return load_application(global_options(ctx).app or config.settings().app)


@contextmanager
def connected(ctx: typer.Context, doing: str) -> Iterator[MemoRepair]:
    """Connect to the memory of the options; `doing` says on the progress bar what the command does."""
    from ..api import MemoRepair
    from .progress import progress

    application = user_application(ctx)
    space = global_options(ctx).space
    with (
        progress(doing) as report,
        MemoRepair.from_env(
            space=space, registry=application.registry, embedder=application.embedder, progress=report
        ) as memory,
    ):
        yield memory
