"""Holds one candidate on its way through execution."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from ...operators.checks.residue import ClearedRecipe
from ...operators.execution.stage import Attempt

if TYPE_CHECKING:
    from ...model.plan import Candidate
    from ...model.vocabulary import Outcome
    from ...operators.execution.stage import Job
    from ...operators.protocol.payload import Payload
    from ...store.operator_inputs import Supply

_NO_RECIPE = ClearedRecipe(None)


@dataclass(frozen=True, slots=True)
class Rebuild:
    """A candidate; with its supplies and job once its sources are read, with its attempt once that has ended.

    It can be published while its attempt has a payload; when it fails, at whichever step, the attempt says why.
    """

    candidate: Candidate
    supplies: tuple[Supply, ...] = ()
    """the versions in service that the successor will rest on"""
    embedded: bool = False
    """whether the version that it succeeds has an embedding"""
    old_metadata: Any = None
    """the metadata of the version that it succeeds"""
    cleared: ClearedRecipe = _NO_RECIPE
    """the recipe that the successor gets, and what was dropped of the old one"""
    job: Job | None = None
    attempt: Attempt | None = None
    embedding: tuple[float, ...] | None = None
    metadata: Any = None
    """what goes with the successor: the payload's own, or what it takes over from the version that it succeeds"""

    @property
    def id(self) -> str:
        """The id of the version that is to be succeeded."""
        return self.candidate.id

    @property
    def ready(self) -> Job:
        """The job of a candidate whose sources are read."""
        assert self.job is not None  # noqa: S101 - a caller's mistake
        return self.job

    @property
    def ended(self) -> Attempt:
        """The attempt of a candidate that was tried, or that failed before it could be."""
        assert self.attempt is not None  # noqa: S101 - a caller's mistake
        return self.attempt

    @property
    def payload(self) -> Payload:
        """The payload of a successor that passed its checks."""
        payload = self.ended.payload
        assert payload is not None  # noqa: S101 - a caller's mistake
        return payload

    @property
    def outcome(self) -> Outcome:
        """What became of a candidate that failed."""
        outcome = self.ended.outcome
        assert outcome is not None  # noqa: S101 - a caller's mistake
        return outcome

    def fail(self, outcome: Outcome, reason: str, *, spent: float | None = None) -> Self:
        """Return the rebuild as failed; checks and tokens of an attempt stay, unless `spent` says other tokens."""
        checks = () if self.attempt is None else self.attempt.checks
        tokens = 0.0 if self.attempt is None else self.attempt.spent
        return replace(self, attempt=Attempt(None, outcome, reason, checks, tokens if spent is None else spent))
