"""Lists what can be measured: the name of each, a line of help, what it takes and needs.

The command `memorepair bench` takes its help, the checks of its arguments and their messages from here.
The module `runs` runs them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..errors import BadInput
from . import runs
from .runs import MeasurementOptions as MeasurementOptions

SMALLEST = 100
"""artifacts of a synthetic memory: the least that has the depth and the fan-out of a larger one"""

OPTIONS = {"--size": "sizes", "--pairs": "pairs", "--out": "out", "--fast": "fast", "--data": "data"}
"""option of the command → field of `MeasurementOptions`"""


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


_ALL = (
    Measurement(
        "barrier",
        "withdraw a cascade, against switching the labels of the same nodes",
        runs.run_barrier,
        takes=("--size", "--pairs"),
        smallest=SMALLEST,
        needs_server=True,
    ),
    Measurement(
        "derive",
        "gated derivations with three parents, against the bare statement that creates the same",
        runs.run_derive,
        takes=("--pairs",),
        needs_server=True,
    ),
    Measurement(
        "serve",
        "read what is in service, against the same reads without the visibility label",
        runs.run_serve,
        takes=("--pairs",),
        needs_server=True,
    ),
    Measurement(
        "event",
        "a whole repair with an operator that returns at once, against the bare statements it needs",
        runs.run_event,
        takes=("--size", "--pairs"),
        smallest=SMALLEST,
        needs_server=True,
    ),
    Measurement(
        "selection",
        "the closure, the frontier and the budget, against the best solvers that are installed",
        runs.run_selection,
        takes=("--size", "--pairs", "--out", "--fast"),
        smallest=SMALLEST,
    ),
    Measurement(
        "faults",
        "seeded faults of each class, and how many pass the form, the questions, everything",
        runs.run_faults,
        # The data is not read: all measurements of quality take it, so that one line of a script runs each.
        takes=("--data", "--size"),
        one_size=True,
    ),
    Measurement(
        "residue",
        "leaks planted in ToolBench's text, and as many clean texts: how many are refused",
        runs.run_residue,
        takes=("--data", "--size"),
        one_size=True,
        needs_data=True,
    ),
    Measurement(
        "scripts",
        "names and addresses in twelve scripts, planted in other sentences, or those of scripts.json in --data",
        runs.run_scripts,
        takes=("--data",),
    ),
    Measurement(
        "forgetting",
        "ways to forget rows of a selector, on a shard of MetaTool",
        runs.run_forgetting,
        takes=("--data", "--size"),
        one_size=True,
        needs_data=True,
    ),
    Measurement(
        "repairs",
        "deletions, corrections and migrations of the memory of ToolBench, and what became of it",
        runs.run_repairs,
        takes=("--data", "--size"),
        one_size=True,
        needs_server=True,
        needs_data=True,
    ),
)
MEASUREMENTS: dict[str, Measurement] = {measurement.name: measurement for measurement in _ALL}
"""name → measurement, in the order of the help"""
