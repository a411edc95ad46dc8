"""The fixtures that every test may ask for: the session's server, its driver, a space of the test's own.

make test               all tests but those marked `torture`, in as many processes as there are cores
make test-fast          the tests that need no server and no process of their own
make torture            the long forms of races, sweeps and measurements
pytest -n 0 PATH        some tests, in this process

MEMOREPAIR_TEST_DB      name of the session's server, `tests` by default; sessions side by side need one each
MEMOREPAIR_KEEP_DB      when set, the server is left running and the next session uses it again (saves the start)
NEO4J_URI               use this server instead, with NEO4J_USERNAME (`neo4j`) and NEO4J_PASSWORD
MEMOREPAIR_DATA         the directory of the real workloads, `shared/data` beside the checkout by default
MEMOREPAIR_RACE_ROUNDS  rounds of each race
"""

pytest_plugins = (
    "tests.harness.threads",
    "tests.harness.interrupts",
    "tests.harness.server",
    "tests.harness.spreading",
    "tests.harness.rounds",
)
"""`threads` comes before all that may import numpy."""
