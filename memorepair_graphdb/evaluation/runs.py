"""Runs each measurement with what a caller chose, and gathers its results and their conditions as JSON can hold them.

A measurement imports its module when it runs, so that help and a wrong argument wait for none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import BadInput
from . import conditions

if TYPE_CHECKING:
    from ..api import MemoRepair

Tell = Callable[[str], None]
Row = dict[str, Any]


def connect_from_env() -> MemoRepair:
    """Connect where the environment says."""
    from ..api import MemoRepair

    return MemoRepair.from_env()


def ignore(message: str) -> None:
    """Take progress that nobody watches."""


@dataclass(frozen=True, slots=True)
class MeasurementOptions:
    """What a caller chooses; what stays at its default is the measurement's own to choose."""

    sizes: tuple[int, ...] = ()
    pairs: int | None = None
    """how often both sides run, in turn"""
    out: Path | None = None
    """where the caller draws the results: the measurement itself does not read it"""
    fast: bool = False
    """cut with the compiled cutter, not with igraph"""
    data: Path | None = None
    """the directory with the real workloads"""
    connect: Callable[[], AbstractContextManager[MemoRepair]] = connect_from_env
    tell: Tell = ignore

    @property
    def size(self) -> int | None:
        """The only size, or None."""
        return self.sizes[0] if self.sizes else None

    def chosen(self, *fields: str) -> dict[str, Any]:
        """Return those of the fields that are not at their default."""
        return {field: getattr(self, field) for field in fields if getattr(self, field) not in ((), None)}


def run_barrier(options: MeasurementOptions) -> dict[str, Any]:
    """Measure withdrawals."""
    from .speed import barrier

    return _on_server(barrier.run, options)


def run_derive(options: MeasurementOptions) -> dict[str, Any]:
    """Measure derivations."""
    from .speed import derive

    return _on_server(derive.run, options)


def run_serve(options: MeasurementOptions) -> dict[str, Any]:
    """Measure reads of what is in service."""
    from .speed import serve

    return _on_server(serve.run, options)


def run_event(options: MeasurementOptions) -> dict[str, Any]:
    """Measure whole repairs."""
    from .speed import event

    return _on_server(event.run, options)


def _on_server(benchmark: Callable[..., Iterator[Row]], options: MeasurementOptions) -> dict[str, Any]:
    """Run a benchmark on the server: its results, the machine, and the memory of both sides afterwards."""
    from ..store import schema

    with options.connect() as memory:
        memory.setup()
        db = memory.transactions
        results = list(benchmark(db, **options.chosen("sizes", "pairs"), tell=options.tell))
        return {
            "server": db.read(schema.check_server),
            **_with_conditions(results),
            "server_heap_mib": db.read(conditions.server_heap_mib),
        }


def run_selection(options: MeasurementOptions) -> dict[str, Any]:
    """Compare with other solvers, without a server: the results, the machine, and the versions of the others."""
    from ..solver import closure
    from .speed import selection
    from .speed.reference_solvers import versions

    before = closure.enable_fast(options.fast)
    try:
        results = list(selection.run(**options.chosen("sizes", "pairs"), tell=options.tell))
    finally:
        closure.enable_fast(before)
    cutter = "compiled" if options.fast else "igraph"
    return {"cutter": cutter, **_with_conditions(results), "peers": versions()}


def _with_conditions(results: list[Row]) -> dict[str, Any]:
    return {
        "machine": conditions.machine(),
        "results": results,
        "client_peak_mib": conditions.client_peak_mib(),
    }


def run_faults(options: MeasurementOptions) -> dict[str, Any]:
    """Count the seeded faults that pass."""
    from .quality.faults.table import COUNT, run

    rows = run(count=options.size or COUNT, tell=options.tell)
    return _rows("false passes", rows)


def run_residue(options: MeasurementOptions) -> dict[str, Any]:
    """Count the planted leaks that are refused, and the clean texts."""
    from .quality.residue.measure import LEAKS, measure

    options.tell("reading the memory of ToolBench")
    rows = measure(_directory(options) / "toolbench", part=(options.size or LEAKS) / LEAKS)
    return _rows("residue", [{**asdict(row), "share": round(row.share, 4)} for row in rows])


def run_scripts(options: MeasurementOptions) -> dict[str, Any]:
    """Count the names and addresses that are found in other sentences, in each of twelve scripts."""
    from .quality.scripts.measure import FILE, measure

    rows = measure(None if options.data is None else options.data / FILE, options.tell)
    return _rows("scripts", [row.as_row() for row in rows])


def run_forgetting(options: MeasurementOptions) -> dict[str, Any]:
    """Compare ways to forget rows of a selector."""
    from ..operators.embedding.minilm import best_features
    from .quality.forgetting.measure import measure

    options.tell("reading the requests of MetaTool")
    figures = measure(_directory(options) / "metatool", best_features(), classes=options.size or 20)
    ways = figures.pop("ways")
    shared = {name: value for name, value in figures.items() if not isinstance(value, dict | list)}
    return _rows("forgetting", [{**shared, "way": way, **of_way} for way, of_way in ways.items()])


def run_repairs(options: MeasurementOptions) -> dict[str, Any]:
    """Repair after events on the memory of ToolBench, and count what became of it."""
    from .quality.repairs import run

    figures = run.measure(_directory(options), options.size or run.EACH, options.tell)
    rows = [
        {"measure": measure, name: of, **row}
        for measure, name in (("by_kind", "kind"), ("by_operator", "operator"), ("estimates", "operator"))
        for of, row in figures.pop(measure).items()
    ]
    return {"machine": conditions.machine(), "results": rows, **figures}


def _rows(measure: str, rows: list[Row]) -> dict[str, Any]:
    results = [{"measure": measure, **row} for row in rows]
    return {"machine": conditions.machine(), "results": results}


def _directory(options: MeasurementOptions) -> Path:
    """Return the directory of data, which `Measurement.check` has required."""
    if options.data is None:
        raise BadInput("this measurement needs --data DIR")
    return options.data
