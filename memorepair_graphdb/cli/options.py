"""Holds the options and arguments that several commands share, so that each has one name, meaning and help text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

DEFAULT_TRADEOFF = "0.3"
"""λ of the paper; `api.DEFAULT_TRADEOFF` without loading it, and a test says that they agree."""

AsJson = Annotated[
    bool, typer.Option("--json", metavar="", help="Print one JSON object on standard output, and nothing else.")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", metavar="", help="Do not ask.")]
Tradeoff = Annotated[
    str, typer.Option("--lambda", metavar="λ", help="Value that a repair must bring per cost, both over their mean.")
]
AnotherTradeoff = Annotated[
    str | None,
    typer.Option(
        "--lambda", metavar="λ", help="Value that a repair must bring per cost. [default: what the event was given]"
    ),
]
Budget = Annotated[
    str | None,
    typer.Option("--budget", metavar="COST", help="Most that the repairs may cost: tokens, or 50% of repairing all."),
]
EventId = Annotated[str, typer.Argument(metavar="EVENT", help="Id of a repair event.")]
Key = Annotated[str, typer.Argument(metavar="KEY", help="Key of an artifact.")]

Delete = Annotated[
    list[str] | None, typer.Option("--delete", metavar="KEY", help="Take this out of memory. Can be repeated.")
]
Where = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        metavar="metadata.PATH=VALUE",
        help="Delete all whose metadata hold this value. Can be repeated: all must hold.",
    ),
]
Prefix = Annotated[
    str | None, typer.Option("--prefix", metavar="TEXT", help="Delete all whose keys begin so; goes with --where.")
]
Correct = Annotated[
    list[str] | None,
    typer.Option("--correct", metavar="KEY=FILE", help="Give this the content of a file. Can be repeated."),
]
Metadata = Annotated[
    list[str] | None,
    typer.Option(
        "--metadata", metavar="KEY=FILE.json", help="Give a corrected KEY the metadata in a file. Can be repeated."
    ),
]
Migrate = Annotated[
    list[str] | None,
    typer.Option("--migrate", metavar="KEY=FILE", help="Put the contract in a file in force. Can be repeated."),
]
Retire = Annotated[
    list[str] | None,
    typer.Option("--retire", metavar="KEY", help="Retire this contract; goes with --migrate. Can be repeated."),
]
EventFile = Annotated[
    Path | None, typer.Option("--event", metavar="FILE.json", help="Read the event from a file instead.")
]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; kept on the event.")]
Actor = Annotated[str, typer.Option("--actor", metavar="TEXT", help="On whose behalf; kept on the event.")]
OwnEventId = Annotated[
    str | None,
    typer.Option("--event-id", metavar="ID", help="Id of the event; asking again with it changes nothing."),
]
Expect = Annotated[
    str | None, typer.Option("--expect", metavar="PLAN", help="Only if this plan of a preview still holds.")
]
