"""Bounded execution: tasks on daemon threads, each with a time limit, results as they come.

Whatever one task does, its result arrives within its limit and the others go on.
"""

from __future__ import annotations

import ctypes
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextvars import Context as Variables
from contextvars import copy_context
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, Generic, NamedTuple, TypeVar

T = TypeVar("T")

WAIT = 0.02
"""Seconds between two looks at the running tasks' limits."""
AHEAD = 32
"""Tasks per worker taken from the caller's iterable before their turn."""


class Abandoned(BaseException):
    """Raised inside a task that outlived its limit; only Python code feels it, a call into C is left alone."""


class Stage:
    """What a running task says of itself: where it is, and how long that may take."""

    __slots__ = ("_slot",)

    def __init__(self, slot: _Slot) -> None:
        self._slot = slot

    def enter(self, name: str, limit: float) -> None:
        """From now on the task is in stage `name` and has `limit` seconds for it."""
        self._slot.stage = (name, monotonic() + limit, limit)


class Task(NamedTuple, Generic[T]):
    """Work for a pool, and the seconds it has until it ends or enters another stage."""

    work: Callable[[Stage], T]
    limit: float


class Result(NamedTuple, Generic[T]):
    """What became of a task."""

    number: int
    """its place in the tasks given, from 0"""
    value: T | None = None
    error: BaseException | None = None
    overran: str | None = None
    """the stage in which it ran past its limit ("" before it entered one)"""
    limit: float = 0.0
    """seconds that stage had"""


class Pool:
    """A number of workers; it holds no threads between runs, and none that keeps the interpreter from ending."""

    def __init__(self, workers: int = 4) -> None:
        if workers < 1:
            raise ValueError(f"a pool has at least one worker, not {workers}")
        self.workers = workers

    def run(self, tasks: Iterable[Task[T]]) -> Generator[Result[T], None, None]:
        """Yield results in the order of completion, each once; the caller's context variables are seen by the tasks.

        A task past its limit gives its result at once, and its worker is replaced. Closing the iterator, or an
        interrupt while it waits, leaves what is running behind and starts nothing more.
        """
        return _Run(self.workers, iter(tasks)).results()


class _Job(NamedTuple):
    number: int
    task: Task[Any]
    variables: Variables


class _Slot:
    """One worker's state. `lock` decides who settles a task: the worker that ends it or the run that gives it up."""

    __slots__ = ("abandoned", "lock", "number", "stage", "thread")

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.abandoned = False
        self.number: int | None = None
        self.stage: tuple[str, float, float] = ("", 0.0, 0.0)
        """name, deadline on the monotonic clock, limit in seconds"""
        self.thread: threading.Thread | None = None


class _Run(Generic[T]):
    """One call of `Pool.run`."""

    def __init__(self, workers: int, tasks: Iterator[Task[T]]) -> None:
        self.workers = workers
        self.tasks = tasks
        self.taken = 0
        self.pending = 0
        self.inbox: SimpleQueue[_Job | None] = SimpleQueue()
        self.outbox: SimpleQueue[Result[T]] = SimpleQueue()
        self.slots: list[_Slot] = []

    def results(self) -> Generator[Result[T], None, None]:
        """Feed, wait, deliver, until all is settled."""
        overdue: deque[Result[T]] = deque()
        looked = monotonic()
        try:
            while self._feed():
                try:
                    result = overdue.popleft() if overdue else self.outbox.get(timeout=WAIT)
                except Empty:
                    looked = monotonic()
                    overdue.extend(self._give_up(looked))
                    continue
                self.pending -= 1
                yield result
                now = monotonic()
                if now - looked > WAIT:
                    looked = now
                    overdue.extend(self._give_up(now))
        finally:
            self._stop()

    def _feed(self) -> bool:
        """Take tasks while there is room; whether any task is unsettled."""
        while self.pending < self.workers * AHEAD:
            task = next(self.tasks, None)
            if task is None:
                break
            self.inbox.put(_Job(self.taken, task, copy_context()))
            self.taken += 1
            self.pending += 1
            if len(self.slots) < self.workers:
                self._hire()
        return self.pending > 0

    def _hire(self) -> None:
        slot = _Slot()
        slot.thread = threading.Thread(target=_serve, args=(slot, self.inbox, self.outbox), daemon=True)
        slot.thread.name = f"memorepair-{slot.thread.name}"
        self.slots.append(slot)
        slot.thread.start()

    def _give_up(self, now: float) -> Iterator[Result[T]]:
        """Settle the tasks that are past their limit, and replace their workers."""
        for slot in list(self.slots):
            with slot.lock:
                name, deadline, limit = slot.stage
                if slot.number is None or now < deadline:
                    continue
                slot.abandoned = True
                number = slot.number
                _interrupt(slot)
            self.slots.remove(slot)
            self._hire()
            yield Result(number, overran=name, limit=limit)

    def _stop(self) -> None:
        """Let idle workers end, and leave busy ones behind."""
        while True:
            try:
                self.inbox.get_nowait()
            except Empty:
                break
        for slot in self.slots:
            with slot.lock:
                slot.abandoned = True
                if slot.number is not None:
                    _interrupt(slot)
            self.inbox.put(None)


def _serve(slot: _Slot, inbox: SimpleQueue[_Job | None], outbox: SimpleQueue[Result[Any]]) -> None:
    """A worker's life: one task after the other, until told to stop or given up."""
    stage = Stage(slot)
    try:
        while (job := inbox.get()) is not None:
            with slot.lock:
                if slot.abandoned:
                    return
                slot.stage = ("", monotonic() + job.task.limit, job.task.limit)
                slot.number = job.number
            try:
                result = Result(job.number, value=job.variables.run(job.task.work, stage))
            except BaseException as error:  # a task may even call sys.exit: that is its failure, not ours
                result = Result(job.number, error=error)
            with slot.lock:
                if slot.abandoned:
                    return
                slot.number = None
                outbox.put(result)
            del job, result
    except Abandoned:
        return


def _interrupt(slot: _Slot) -> None:
    """Ask an abandoned thread to end, so that an endless loop does not take the others' time.

    The caller holds the slot's lock, without which the thread cannot end: its number cannot be another's yet.
    """
    if slot.thread is not None and slot.thread.ident is not None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(slot.thread.ident), ctypes.py_object(Abandoned))
