"""Says which checks a successor must pass before it may be published: those of its mode, then the operator's own.

No mode but `remove` is without a check (paper section 2.5).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ...model.content import canonical_json
from ...model.vocabulary import Mode
from ...operators.checks.json_schema import SCHEMA
from ...operators.checks.regression import REGRESSION
from ...operators.checks.repeatability import REPLAY
from ...operators.checks.residue import RARE, RESIDUE, ResidueJudge
from ...operators.execution.stage import Job
from ...operators.protocol.check import Check, live_texts
from ...operators.protocol.context import Context
from ...operators.protocol.payload import Payload
from ...operators.protocol.registry import Operator
from ...operators.protocol.verdict import Frequency
from ...operators.text import is_phonetic
from ...store import operator_inputs

if TYPE_CHECKING:
    from ...environment import Environment
    from .rebuild import Rebuild

CHECKS: Mapping[Mode, tuple[Check, ...]] = {
    Mode.REMOVE: (),
    Mode.RECOMPUTE: (REPLAY, SCHEMA, REGRESSION, RESIDUE),
    Mode.REGEN: (SCHEMA, REGRESSION, RESIDUE),
    Mode.PARAM: (RESIDUE,),
}
"""Mode → what always runs, the cheapest first but for the replay, without which a result is none."""


def checked_job(
    operator: Operator,
    context: Context,
    retracted: tuple[str, ...],
    frequency: Frequency,
    corrected: Mapping[str, str] | None = None,
) -> Job:
    """Return an attempt with the checks of its mode.

    `retracted` are the texts of the artifact's retracted roots; `corrected` has, of those, each that was corrected, and
    what is in service in its place.
    """
    return Job(operator, context, CHECKS[operator.mode], retracted, frequency, corrected or {})


def metadata_of(rebuild: Rebuild, payload: Payload) -> Any:
    """That of the old version, unless it holds residue, with the payload's over it, which was checked with it."""
    job = rebuild.ready
    new, old = payload.metadata, rebuild.old_metadata
    if old is None or (new is not None and not (isinstance(new, dict) and isinstance(old, dict))):
        return new
    context = job.context
    judge = ResidueJudge.of(context, job.retracted, job.frequency, live=live_texts(context), named=context.recipe)
    if judge.fault(canonical_json(old)):
        return new
    return old if new is None else {**old, **new}


def frequency_in(env: Environment) -> Frequency:
    """In how many artifacts in service a word stands, up to where it is rare no more; each word is asked for once."""

    @lru_cache(maxsize=100_000)
    def frequency(word: str) -> int:
        count = operator_inputs.frequency_within if is_phonetic(word) else operator_inputs.frequency
        return env.db.read(count, env.space, word, RARE)

    return frequency
