"""Every error the project raises, in one tree; a message names the cause and the way out.

MemoRepairError
├── BadInput            what was given is wrong; nothing was written      (exit 2)
├── Passing             raised by an operator: another try may do
├── Refused             the graph's state forbids it; nothing was written (exit 3)
│   ├── OutOfService    a parent or source is not visible any more
│   ├── KeyTaken        the key has a live version
│   ├── Tombstoned      the content was erased and stays away
│   ├── NotFound        no such artifact, root or event in this space
│   ├── PlanChanged     the graph is not the one that was previewed
│   ├── EventConflict   the event id stands for another request
│   └── ClaimLost       another worker has the event, or a later event took over
├── StoreError          the database cannot serve                         (exit 4)
│   ├── Unreachable     no server answers
│   ├── Unsuited        the server is too old, or not what we need
│   └── Exhausted       the server ran out of memory or disk
└── LocalServerError    the local server could not be installed or run    (exit 4)
"""

from __future__ import annotations

from typing import ClassVar

LONGEST = 500
"""characters of an error that a reason keeps"""


class MemoRepairError(Exception):
    """The root of all errors; `exit_code` is what the command line ends with.

    `spent` is for operators: the tokens that a run had cost when it failed.
    """

    exit_code: ClassVar[int] = 3
    spent: float = 0.0

    def __init__(self, *told: object, spent: float = 0.0) -> None:
        super().__init__(*told)
        self.spent = spent


class BadInput(MemoRepairError, ValueError):
    """What was given is wrong; nothing was written."""

    exit_code: ClassVar[int] = 2


class Passing(MemoRepairError):
    """Raised by an operator: another try may do. Tried again as often as the operator's `retries` say."""


class Refused(MemoRepairError):
    """The state of the graph forbids it; nothing was written."""

    exit_code: ClassVar[int] = 3


class OutOfService(Refused):
    """A parent, source or target is not in service any more."""


class KeyTaken(Refused):
    """The key has a live version already."""


class Tombstoned(Refused):
    """The content was erased from this space and does not come back."""


class NotFound(Refused):
    """No such artifact, root or event in this space."""


class PlanChanged(Refused):
    """The graph, or the plan over it, is not the one that was previewed."""


class EventConflict(Refused):
    """The event id stands for another request, or its status forbids the step."""


class ClaimLost(Refused):
    """Another worker has the event."""


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
    """The connection broke during a commit: what was asked is done, or not; asking again is safe."""


class LocalServerError(MemoRepairError):
    """The local server could not be installed, started or stopped."""

    exit_code: ClassVar[int] = 4


def describe(error: BaseException | None) -> str:
    """An error in a line for a person: our own as it says, others with their type."""
    try:
        text = " ".join(str(error).split())
    except Exception:  # a foreign error may fail even at that
        text = ""
    if not isinstance(error, BadInput):
        text = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
