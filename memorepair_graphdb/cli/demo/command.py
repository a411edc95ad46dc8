"""Holds the command `memorepair demo`: the scenario on a terminal, or its results in JSON.

At its end it says which server it ran on, and how to look at the memory there.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from ..options import AsJson
from ..output import console, emit

if TYPE_CHECKING:
    from .servers import DemoAddress
    from .steps import Say

NAME = "demo"


def demo(
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="Which local server to start for it.")] = NAME,
    as_json: AsJson = False,
) -> None:
    """Show on a small memory what a plain delete leaks, and what a repair event makes of it."""
    from rich.text import Text

    from . import servers, steps
    from .statements import SPACE

    say: Say = (lambda *_, **__: None) if as_json else console().print
    started = time.perf_counter()
    address = servers.find_address(name, quiet=as_json)
    with servers.connect(address) as server:
        result = steps.play(server, say)
    seconds = round(time.perf_counter() - started, 1)
    if as_json:
        facts = {"uri": address.uri, "browser_url": address.browser_url, "space": SPACE, "seconds": seconds}
        emit({**result, **facts}, Text, as_json)
    else:
        _look_around(address, name, seconds, say)


def _look_around(address: DemoAddress, name: str, seconds: float, say: Say) -> None:
    from rich.text import Text

    from ..render.text import words
    from .statements import EVENTS, SPACE

    statement = " ".join(line for line in EVENTS.text.splitlines() if not line.startswith("//"))
    say(Text(f"\nLook around ({seconds:.0f} s so far)\n", "bold underline"))
    if address.browser_url is not None:
        say(Text.assemble("Browser   ", words(address.browser_url, "bold")), soft_wrap=True)
        say(words(f"          user {address.username}, password {address.password}"), soft_wrap=True)
    say(words(f"Cypher    {statement}"), soft_wrap=True)
    if address.browser_url is not None:
        say(words(f"Shell     export NEO4J_URI={address.uri} NEO4J_PASSWORD={address.password}"), soft_wrap=True)
    say(words(f"          memorepair --space {SPACE} events"))
    say(words(f"          memorepair --space {SPACE} why summary/year"))
    say(Text("\nWhat left service is out of the agent's reach; its text is in the database until:"))
    say(words(f"          memorepair --space {SPACE} erase demo-delete"))
    if address.browser_url is not None:
        stop = "make demo-stop" if name == NAME else f"memorepair db stop --name {name}"
        say(words(f"\nThe server keeps running until `{stop}`."))
