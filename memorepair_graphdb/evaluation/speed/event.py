"""Measures `memorepair bench event`: a whole repair with an instant operator, against the bare statements it needs.

The bare side knows the cascade, the successors and their edges already, and checks nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ...environment import Environment, batches
from ...model.event import RepairEvent
from ...operators.protocol.registry import Registry
from ...repair import barrier, pipeline
from ...repair.planning import planner, writer
from ...repair.planning.selection import Terms
from ...store import cascades, events, schema
from ...store.plans import BATCH
from ...store.queries import query
from ...worker import worker_name
from .synthetic_memory import cascade, lay_down, sweep_afterwards
from .timing import compare_pairs, seconds

if TYPE_CHECKING:
    from ...operators.protocol.context import Context
    from ...store.transactions import Transactions, Tx
    from .synthetic_memory import SyntheticMemory

_CASCADE = query("bench/bare_cascade")
_PLAN = query("bench/bare_plan")
_WITHDRAW = query("bench/bare_withdraw")
_SUCCESSORS = query("bench/bare_successors")
_SWAP = query("bench/bare_swap")

SIZES = (10_000, 100_000)

THERE_AND_BACK = ("read", "plan", "select", "write")
"""From Neo4j to the selection and back: the cascade behind its barrier is read, planned, selected among, and the plan
with the selection stands on AFFECTS."""
OURS = ("withdraw", *THERE_AND_BACK, "execute", "close")
BARE = ("withdraw", "create", "swap")
"""what a repair is compared with; reading and planning it are none of its bare statements"""


def run(
    db: Transactions, *, sizes: Sequence[int] = SIZES, pairs: int = 1, tell: Callable[[str], None]
) -> Iterator[dict[str, Any]]:
    """Yield one result for each size: where the time went, and the ratio to the sum of the bare statements."""
    for size in sizes:
        ours, bare = [], []
        for turn in range(pairs):
            tell(f"event over {size} artifacts, pair {turn + 1} of {pairs}")
            ours.append(_repair(db, size, turn))
            bare.append(_bare(db, size, turn))
        yield {
            "artifacts": size,
            **compare_pairs(_sum_steps(ours, OURS), _sum_steps(bare, BARE)),
            "ours_s": {step: round(median(s[step] for s in ours), 3) for step in ours[0]},
            "bare_s": {step: round(median(s[step] for s in bare), 3) for step in bare[0]},
            "selection_and_back": compare_pairs(_sum_steps(ours, THERE_AND_BACK), _sum_steps(bare, ("read", "write"))),
        }


def _sum_steps(runs: Sequence[dict[str, float]], steps: Sequence[str]) -> list[float]:
    return [sum(run[step] for step in steps) for run in runs]


def _repair(db: Transactions, size: int, seed: int) -> dict[str, float]:
    """Repair as `pipeline.repair` does, with its planning timed step by step: seconds by step."""
    space = f"bench_{uuid4().hex[:12]}"
    key = db.write(schema.open_space, space, "0" * 64).encode()
    memory = cascade(size, seed=seed)
    env = Environment(db=db, space=space, tombstone_key=key, registry=_instant(), lease_seconds=600)
    steps: dict[str, float] = {}
    with sweep_afterwards(db, space):
        lay_down(db, space, memory)
        event = RepairEvent.correct({memory.ids[0]: "the root, corrected"})
        with _time_step(steps, "withdraw"):
            barrier.withdraw(env, event, None, "0", None)
        lease = db.write(events.claim, space, event.id, worker_name(), "", env.lease_seconds)
        with _time_step(steps, "read"):
            held = db.read(cascades.of_event, space, event.id)
        with _time_step(steps, "plan"):
            plan = db.read(planner.plan_cascade, env, held, Terms("0"))
        steps["select"] = plan.choice.seconds
        steps["plan"] -= plan.choice.seconds
        with _time_step(steps, "write"):
            writer.write_plan(env, lease, plan, held)
        db.write(events.renew, space, lease, 0)
        report = pipeline.resume(env, event.id, Terms("0"))
        published = report.counts.get("published", 0)
        if published != size - 1:
            raise RuntimeError(f"{published} of {size - 1} were published: {report.counts}")
        return {**steps, **report.seconds}


@contextmanager
def _time_step(steps: dict[str, float], step: str) -> Iterator[None]:
    started = perf_counter()
    yield
    steps[step] = perf_counter() - started


def _instant() -> Registry:
    registry = Registry()
    lock = threading.Lock()
    numbers = iter(range(10**9))

    @registry.operator("instant@1", mode="regen")
    def instant(context: Context) -> str:
        """Return at once."""
        with lock:
            return f"successor {next(numbers)}"

    return registry


def _bare(db: Transactions, size: int, seed: int) -> dict[str, float]:
    space = f"bench_{uuid4().hex[:12]}"
    memory = cascade(size, seed=seed)
    with sweep_afterwards(db, space):
        lay_down(db, space, memory)
        rows = _successors(memory)
        swaps = [[f"{id_}_2", id_] for id_ in memory.ids[1:]]
        return {
            "withdraw": seconds(lambda: db.write(_run, _WITHDRAW.name, {"ids": memory.ids})),
            "read": seconds(lambda: db.read(_columns, space)),
            "write": seconds(lambda: _write_plan(db, space, memory)),
            "create": seconds(lambda: _in_batches(db, _SUCCESSORS.name, rows, space)),
            "swap": seconds(lambda: _in_batches(db, _SWAP.name, swaps, None)),
        }


def _columns(tx: Tx, space: str) -> int:
    return len(_CASCADE.one(tx, space=space)["ids"])


def _write_plan(db: Transactions, space: str, memory: SyntheticMemory) -> None:
    reason = "worth it: value 1 against cost 100 at λ = 0"
    for part in batches(range(1, len(memory.ids)), BATCH):
        db.write(
            _run,
            _PLAN.name,
            {
                "space": space,
                "event_id": "bare",
                "ids": [memory.ids[n] for n in part],
                "reasons": [reason] * len(part),
                "predecessors": [[memory.ids[source] for source in memory.sources[n]] for n in part],
            },
        )


def _successors(memory: SyntheticMemory) -> list[dict[str, Any]]:
    return [
        {**memory.rows[n], "id": f"{id_}_2", "sources": [f"{memory.ids[s]}_2" if s else memory.ids[0] for s in sources]}
        for n, (id_, sources) in enumerate(zip(memory.ids, memory.sources, strict=True))
        if n
    ]


def _in_batches(db: Transactions, name: str, rows: Sequence[Any], space: str | None) -> None:
    for part in batches(rows, BATCH):
        db.write(_run, name, {"rows": list(part)} | ({"space": space} if space else {}))


def _run(tx: Tx, name: str, params: dict[str, Any]) -> int:
    return int(query(name).one(tx, **params)[0])
