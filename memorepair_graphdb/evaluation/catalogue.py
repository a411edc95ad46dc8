"""Lists what can be measured: the name of each, a line of help, what it takes and needs, and how to run it.

The command `memorepair bench` takes its help, the checks of its arguments and their messages from here. A measurement
imports its module when it runs, so that help and a wrong argument wait for none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import BadInput
from . import conditions

if TYPE_CHECKING:
    from ..api import MemoRepair

Tell = Callable[[str], None]
Row = dict[str, Any]

SMALLEST = 100
"""artifacts of a synthetic memory: the least that has the depth and the fan-out of a larger one"""

OPTIONS = {"--size": "sizes", "--pairs": "pairs", "--out": "out", "--fast": "fast", "--data": "data"}
"""option of the command → field of `MeasurementOptions`"""


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


@dataclass(frozen=True, slots=True)
class Measurement:
    """One thing that can be measured."""

    name: str
    help: str
    run: Callable[[MeasurementOptions], dict[str, Any]]
    """returns what JSON can hold: `machine`, `results` (a list of rows), and what else belongs to it"""
    takes: tuple[str, ...]
    """names of `OPTIONS`"""
    one_size: bool = False
    """whether it takes one size, not several"""
    smallest: int = 1
    needs_server: bool = False
    needs_data: bool = False

    def check(self, options: MeasurementOptions) -> None:
        """Raise `BadInput`, before anything is measured, for an option that it does not take, or one that it lacks."""
        for option, field in OPTIONS.items():
            if getattr(options, field) not in ((), None, False) and option not in self.takes:
                raise BadInput(f"{option} goes with {', '.join(names_with(option))}; {self.name} takes {self._takes()}")
        if self.one_size and len(options.sizes) > 1:
            raise BadInput(f"{self.name} takes {self._takes()}")
        if small := [size for size in options.sizes if size < self.smallest]:
            raise BadInput(f"--size {small[0]}: a benchmark has {self.smallest} artifacts or more")
        if options.data is None and self.needs_data:
            raise BadInput(f"{self.name} needs --data DIR: the directory with the real workloads")
        if options.data is not None and not options.data.is_dir():
            raise BadInput(f"there is no directory {str(options.data)!r}")

    def measure(self, options: MeasurementOptions) -> dict[str, Any]:
        """Check the options and run: the result, with the name of the benchmark in front."""
        self.check(options)
        return {"benchmark": self.name, **self.run(options)}

    @property
    def needs(self) -> tuple[str, ...]:
        """What it cannot do without, in words."""
        return (("a server",) if self.needs_server else ()) + (("--data",) if self.needs_data else ())

    def _takes(self) -> str:
        return " and ".join(
            f"one {option}" if option == "--size" and self.one_size else option for option in self.takes
        )


def find(name: str) -> Measurement:
    """Return the measurement of that name; raise `BadInput` where there is none."""
    if name not in MEASUREMENTS:
        raise BadInput(f"there is no benchmark {name!r}, only {', '.join(MEASUREMENTS)}")
    return MEASUREMENTS[name]


def names_with(option: str) -> list[str]:
    """Return the names of the measurements that take an option."""
    return [measurement.name for measurement in MEASUREMENTS.values() if option in measurement.takes]


def names_with_sizes() -> list[str]:
    """Return the names of the measurements that take several sizes."""
    return [name for name in names_with("--size") if not MEASUREMENTS[name].one_size]


def _barrier(options: MeasurementOptions) -> dict[str, Any]:
    from .speed import barrier

    return _on_server(barrier.run, options)


def _derive(options: MeasurementOptions) -> dict[str, Any]:
    from .speed import derive

    return _on_server(derive.run, options)


def _serve(options: MeasurementOptions) -> dict[str, Any]:
    from .speed import serve

    return _on_server(serve.run, options)


def _event(options: MeasurementOptions) -> dict[str, Any]:
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


def _selection(options: MeasurementOptions) -> dict[str, Any]:
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


def _faults(options: MeasurementOptions) -> dict[str, Any]:
    from .quality.faults.table import COUNT, run

    rows = run(count=options.size or COUNT, tell=options.tell)
    return _rows("false passes", rows)


def _residue(options: MeasurementOptions) -> dict[str, Any]:
    from .quality.residue.measure import LEAKS, measure

    options.tell("reading the memory of ToolBench")
    rows = measure(_directory(options) / "toolbench", part=(options.size or LEAKS) / LEAKS)
    return _rows("residue", [{**row._asdict(), "share": round(row.share, 4)} for row in rows])


def _forgetting(options: MeasurementOptions) -> dict[str, Any]:
    from ..operators.embedding.minilm import best_features
    from .quality.forgetting.measure import measure

    options.tell("reading the requests of MetaTool")
    figures = measure(_directory(options) / "metatool", best_features(), classes=options.size or 20)
    ways = figures.pop("ways")
    shared = {name: value for name, value in figures.items() if not isinstance(value, dict | list)}
    return _rows("forgetting", [{**shared, "way": way, **of_way} for way, of_way in ways.items()])


def _repairs(options: MeasurementOptions) -> dict[str, Any]:
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


_ALL = (
    Measurement(
        "barrier",
        "withdraw a cascade, against switching the labels of the same nodes",
        _barrier,
        takes=("--size", "--pairs"),
        smallest=SMALLEST,
        needs_server=True,
    ),
    Measurement(
        "derive",
        "gated derivations with three parents, against a bare CREATE of the same",
        _derive,
        takes=("--pairs",),
        needs_server=True,
    ),
    Measurement(
        "serve",
        "read what is in service, against the same reads without the visibility label",
        _serve,
        takes=("--pairs",),
        needs_server=True,
    ),
    Measurement(
        "event",
        "a whole repair with an operator that returns at once, against the bare statements it needs",
        _event,
        takes=("--size", "--pairs"),
        smallest=SMALLEST,
        needs_server=True,
    ),
    Measurement(
        "selection",
        "the closure, the frontier and the budget, against the best solvers that are installed",
        _selection,
        takes=("--size", "--pairs", "--out", "--fast"),
        smallest=SMALLEST,
    ),
    Measurement(
        "faults",
        "seeded faults of each class, and how many pass the form, the questions, everything",
        _faults,
        # The data is not read: all measurements of quality take it, so that one line of a script runs each.
        takes=("--data", "--size"),
        one_size=True,
    ),
    Measurement(
        "residue",
        "leaks planted in ToolBench's text, and as many clean texts: how many are refused",
        _residue,
        takes=("--data", "--size"),
        one_size=True,
        needs_data=True,
    ),
    Measurement(
        "forgetting",
        "ways to forget rows of a selector, on a shard of MetaTool",
        _forgetting,
        takes=("--data", "--size"),
        one_size=True,
        needs_data=True,
    ),
    Measurement(
        "repairs",
        "deletions, corrections and migrations of the memory of ToolBench, and what became of it",
        _repairs,
        takes=("--data", "--size"),
        one_size=True,
        needs_server=True,
        needs_data=True,
    ),
)
MEASUREMENTS: dict[str, Measurement] = {measurement.name: measurement for measurement in _ALL}
"""name → measurement, in the order of the help"""
