"""Measures how soon the races catch a statement that was broken on purpose: `python -m tests.races.mutants [TIMES]`.

Each mutant is raced until it is caught, so many times; it is caught by the short suite where that takes no more rounds
than the real statement's race has there.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from tests.harness.places import CHECKOUT
from tests.harness.rounds import SHORT
from tests.races.test_publish_against_withdraw import ROUNDS

TALLY = re.compile(r"mutant (.+): (\d+) rounds, .* (\d) exposed")
OF_ITS_OWN = {"test_the_race_catches_a_publication_that_is": ROUNDS}
"""Mutants' tests whose race has its own number of rounds in the short suite."""


def caught(log: str) -> list[tuple[str, int]]:
    """Return mutant and round, for each that was caught, in the order of the log."""
    return [(name, int(rounds)) for name, rounds, exposed in TALLY.findall(log) if exposed == "1"]


def race(log: Path) -> None:
    """Race every mutant until it is caught."""
    command = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "catches", "tests/races"]
    subprocess.run([sys.executable, *command, "--log-level=INFO", f"--log-file={log}"], cwd=CHECKOUT, check=False)


def main(times: int) -> None:
    """Print a row for each mutant."""
    rounds: dict[str, list[int]] = defaultdict(list)
    for _ in range(times):
        with tempfile.NamedTemporaryFile("r", suffix=".log") as log:
            race(Path(log.name))
            for name, number in caught(log.read()):
                rounds[name].append(number)
    sys.stdout.write("| mutant | rounds until it was caught | caught by the short suite |\n|---|---|---|\n")
    for name, series in rounds.items():
        most = OF_ITS_OWN.get(name.partition("[")[0], SHORT)
        soon = sum(number <= most for number in series)
        sys.stdout.write(f"| {name} | {', '.join(map(str, series))} | {soon} of {times} |\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
