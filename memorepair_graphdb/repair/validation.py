"""Which checks a successor must pass before it may be published: those of its mode, always, then the operator's own.

The law of the room: no mode but `remove` is without a check, and no caller can take one away (paper section 2.5).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..model.outcome import Mode
from ..operators.context import Context
from ..operators.course import Job
from ..operators.payload import Payload
from ..operators.registry import Operator
from ..operators.regression import REGRESSION
from ..operators.rerun import REPLAY
from ..operators.residue import RARE, RESIDUE, residue
from ..operators.schema import SCHEMA
from ..operators.trial import Check, said_by
from ..operators.verdict import Frequency
from ..store import materials

if TYPE_CHECKING:
    from .contexts import Ready
    from .workshop import Workshop

CHECKS: Mapping[Mode, tuple[Check, ...]] = {
    Mode.REMOVE: (),
    Mode.RECOMPUTE: (REPLAY, SCHEMA, REGRESSION, RESIDUE),
    Mode.REGEN: (SCHEMA, REGRESSION, RESIDUE),
    Mode.PARAM: (RESIDUE,),
}
"""Mode → what always runs, the cheapest first but for the replay, without which a result is none."""


def checked_job(operator: Operator, context: Context, retracted: tuple[str, ...], frequency: Frequency) -> Job:
    """An attempt with the checks of its mode; `retracted` are the texts of the artifact's retracted roots."""
    return Job(operator, context, CHECKS[operator.mode], retracted, frequency)


def metadata_of(ready: Ready, payload: Payload, frequency: Frequency) -> Any:
    """That of the old version, unless it holds residue, with the payload's over it, which was checked with it."""
    made, old = payload.metadata, ready.material.metadata
    if old is None or (made is not None and not (isinstance(made, dict) and isinstance(old, dict))):
        return made
    if not residue(Payload("-", metadata=old), ready.retracted, said_by(ready.context), (), frequency).ok:
        return made
    return old if made is None else {**old, **made}


def frequency_in(shop: Workshop) -> Frequency:
    """In how many artifacts in service a word stands, up to where it is rare no more; each word is asked for once."""

    @lru_cache(maxsize=100_000)
    def frequency(word: str) -> int:
        return shop.db.read(materials.frequency, shop.space, word, RARE)

    return frequency
