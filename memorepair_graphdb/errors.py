"""Holds the errors that the project raises, as one tree; a few rooms add an error of their own below one of these.

MemoRepairError
├── BadInput            an argument, a file or a recipe is wrong; nothing was written (exit 2)
├── OperatorError       an operator cannot do its work on what it was given
│   └── Passing         another try may do
├── Refused             the graph's state forbids it; nothing was written (exit 3)
│   ├── OutOfService    a parent or source is not visible any more
│   ├── KeyTaken        the key has a live version
│   ├── Tombstoned      the content was erased and stays away
│   ├── NotFound        no such artifact, root or event in this space
│   ├── PlanChanged     the graph is not the one that was previewed
│   ├── ChangedMeanwhile  what was read is of no single state
│   ├── EventConflict   the event id stands for another request
│   └── ClaimLost       another worker has the event, or a later event took over
├── StoreError          the database cannot serve                         (exit 4)
│   ├── Unreachable     no server answers
│   ├── Unsuited        the server is too old, or not what we need
│   ├── Exhausted       the server ran out of memory or disk
│   └── OutcomeUnknown  the connection broke during a commit
└── LocalServerError    the local server could not be installed or run    (exit 4)
"""

from __future__ import annotations

from typing import ClassVar

LONGEST = 500
"""The most characters of an error that `describe` keeps."""


class MemoRepairError(Exception):
    """The root of all errors; `exit_code` is what the command line ends with."""

    exit_code: ClassVar[int] = 3


class BadInput(MemoRepairError, ValueError):
    """An argument, a file or a recipe is wrong; nothing was written."""

    exit_code: ClassVar[int] = 2


class OperatorError(MemoRepairError):
    """An operator cannot do its work: a source is missing, a tool or a model answers wrongly, a blob does not fit.

    `spent`: the tokens that the run had cost when it failed.
    """

    spent: float = 0.0

    def __init__(self, *message: object, spent: float = 0.0) -> None:
        super().__init__(*message)
        self.spent = spent


class Passing(OperatorError):
    """Another try of the operator may do; it is tried again as often as the operator's `retries` say."""


class Refused(MemoRepairError):
    """The state of the graph forbids it; nothing was written."""

    exit_code: ClassVar[int] = 3


class OutOfService(Refused):
    """A parent, source or target is not in service any more."""


class KeyTaken(Refused):
    """The key has a live version already."""


class Tombstoned(Refused):
    """The content was erased from this space, and may not come back."""


class NotFound(Refused):
    """No such artifact, root or event in this space."""


class PlanChanged(Refused):
    """The graph, or the plan over it, is not the one that was previewed."""


class ChangedMeanwhile(Refused):
    """What was read is of no single state of the memory, since writers came in between; another call may do."""


class EventConflict(Refused):
    """The event id stands for another request, or its status forbids the step."""


class ClaimLost(Refused):
    """Another worker has the event, or a later event took over."""


class StoreError(MemoRepairError):
    """The database cannot serve."""

    exit_code: ClassVar[int] = 4


class Unreachable(StoreError):
    """No server answers at the address, or it does not let us in."""


class Unsuited(StoreError):
    """The server is not one that the project can run on."""


class Exhausted(StoreError):
    """The server ran out of memory or disk; the message names the setting to raise."""


class OutcomeUnknown(StoreError):
    """The connection broke during a commit, which was carried out or not; the same call again is safe."""


class LocalServerError(MemoRepairError):
    """The local server could not be installed, started or stopped."""

    exit_code: ClassVar[int] = 4


def describe(error: BaseException | None) -> str:
    """Return an error as one line for a person.

    A `BadInput` and an `OperatorError` show their text, a `Passing` and all others the name of their type before it.
    """
    try:
        text = " ".join(str(error).split())
    except Exception:  # a foreign error may fail even at that
        text = ""
    if not isinstance(error, BadInput | OperatorError) or isinstance(error, Passing):
        text = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
