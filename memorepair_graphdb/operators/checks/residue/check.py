"""The check of a mode: no payload may say what stands in a retracted text and nowhere among its grounds.

A rejection names the kind of trace and shows it.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....model.content import canonical_json
from ...protocol.check import Check, CheckInput
from ...protocol.payload import Payload
from ...protocol.verdict import Frequency, Verdict, excerpt
from ...text import passages
from ..grounds import Grounds
from .index import RetractedIndex
from .traces import traces

NAME = "residue"
RARE = 5
"""A word that fewer visible artifacts hold is told apart like a name."""
SHOWN = 60
"""characters of a trace that a reason quotes"""


def no_residue(check_input: CheckInput) -> Verdict:
    """The check of a mode: `residue` of what a run returned."""
    review = check_input.review
    return residue(review.payload, review.retracted, check_input.live, check_input.operator.templates, review.frequency)


def residue(
    payload: Payload, retracted: Sequence[str], live: Sequence[str], templates: Sequence[str], frequency: Frequency
) -> Verdict:
    """The verdict on a payload's content and metadata; a rejection says what kind of trace it saw, and which.

    `live` are the contents of the sources and of the contracts read, `templates` the operator's own phrases.
    """
    if not retracted:
        return Verdict.not_applicable(NAME, "no retracted text stands behind it")
    index = RetractedIndex.of(retracted)
    grounds = Grounds(live, templates)
    metadata = () if payload.metadata is None else (canonical_json(payload.metadata),)
    for text in (payload.content, *metadata):
        for passage in passages(text):
            for trace in traces(passage, index, grounds):
                if trace.has_grounds(grounds) or (trace.common_as and frequency(trace.common_as) >= RARE):
                    continue
                return Verdict(False, NAME, f"{trace.kind} {excerpt(trace.shown, SHOWN)!r} is from a retracted text")
    return Verdict(True, NAME)


RESIDUE = Check(NAME, no_residue)
