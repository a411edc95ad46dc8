"""Who a command talks to: the server, the space, the user's operators.

The law of the room: an option beats the environment, the environment beats the local server.
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


@dataclass(frozen=True)
class GlobalOptions:
    """The options that stand before the command."""

    space: str | None = None
    app: str | None = None

    def command(self, *words: str) -> str:
        """A command line for the same space and operators, to be pasted."""
        given = [("--space", self.space), ("--app", self.app)]
        options = [part for option, value in given if value is not None for part in (option, value)]
        return shlex.join(["memorepair", *options, *words])


def asked(ctx: typer.Context) -> GlobalOptions:
    """The options before the command."""
    return ctx.obj if isinstance(ctx.obj, GlobalOptions) else GlobalOptions()


def user_application(ctx: typer.Context) -> Application:
    """The operators and the embedder of `--app`, else of MEMOREPAIR_APP, else the built-in operators."""
    from .. import config
    from .application import application

    return application(asked(ctx).app or config.settings().app)


@contextmanager
def connected(ctx: typer.Context, doing: str) -> Iterator[MemoRepair]:
    """The memory that was asked for, connected; what is `doing` is shown to those who wait."""
    from ..api import MemoRepair
    from .progress import progress

    brought = user_application(ctx)
    space = asked(ctx).space
    with (
        progress(doing) as report,
        MemoRepair.from_env(
            space=space, registry=brought.registry, embedder=brought.embedder, progress=report
        ) as memory,
    ):
        yield memory
