"""The command that measures: it shows and runs what `evaluation.catalogue` lists.

The catalogue is imported when the command runs or its help is shown, so that no other command pays for it. The room
`evaluation` can be left out of an installation: then the command says how to get it.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from typer.core import TyperCommand

from ..errors import BadInput
from .connection import connected
from .options import AsJson
from .output import emit, note

if TYPE_CHECKING:
    from ..api import MemoRepair

MISSING = "this installation has no memorepair_graphdb.evaluation: pip install 'memorepair-graphdb[evaluation]'"

_HELP = {
    "size": "How large",
    "pairs": "How often both sides run, in turn",
    "out": "Draw the ratios too, as .png or .svg",
    "fast": "Cut with the compiled cutter, not with igraph",
    "data": "The real workloads",
}
"""name of an option → its help, to which the names of the measurements that take it are added"""


class CataloguedCommand(TyperCommand):
    """A command whose help lists what is in the catalogue."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, with the names and the options of the catalogue."""
        catalogue = _catalogue()
        for parameter in cast("list[Any]", self.params):
            if parameter.name == "name":
                parameter.help = f"{', '.join(catalogue.MEASUREMENTS)}."
            elif parameter.name in _HELP:
                names = ", ".join(catalogue.names_with(f"--{parameter.name}"))
                parameter.help = f"{_HELP[parameter.name]} ({names})."
            if parameter.name == "size":
                parameter.help += f" Can be repeated for {', '.join(catalogue.names_with_sizes())}."
        self.epilog = "\n\n".join(
            f"{measurement.name}: {measurement.help}"
            + (f" (needs {' and '.join(measurement.needs)})" if measurement.needs else "")
            for measurement in catalogue.MEASUREMENTS.values()
        )
        super().format_help(ctx, formatter)


def bench(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What is measured.")],
    size: Annotated[list[int] | None, typer.Option("--size", min=1, help=_HELP["size"])] = None,
    pairs: Annotated[int | None, typer.Option("--pairs", min=1, help=_HELP["pairs"])] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help=_HELP["out"])] = None,
    fast: Annotated[bool, typer.Option("--fast", metavar="", help=_HELP["fast"])] = False,
    data: Annotated[Path | None, typer.Option("--data", metavar="DIR", help=_HELP["data"])] = None,
    as_json: AsJson = False,
) -> None:
    """Measure speed, in paired runs, or quality, on real workloads; leaves nothing behind."""
    from .render import benchmarks

    def connect() -> AbstractContextManager[MemoRepair]:
        return connected(ctx, "Measuring")

    catalogue = _catalogue()
    measurement = catalogue.find(name)
    options = catalogue.MeasurementOptions(tuple(size or ()), pairs, out, fast, data, connect, note)
    measurement.check(options)
    if out is not None:
        benchmarks.check(out)
    result = measurement.measure(options)
    if out is not None:
        benchmarks.draw(result["results"], out)
    emit(result, lambda: benchmarks.render_benchmark(result), as_json)


def _catalogue() -> ModuleType:
    """Import the catalogue; raise `BadInput` where this installation has none."""
    try:
        from ..evaluation import catalogue
    except ModuleNotFoundError as error:
        if error.name == "memorepair_graphdb.evaluation":
            raise BadInput(MISSING) from error
        raise
    return catalogue
