"""The check of a mode: no payload may say what stands in a retracted text and nowhere among its grounds.

A rejection names the field and the kind of trace, and shows it.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...protocol.check import Check, CheckInput
from ...protocol.payload import Payload
from ...protocol.verdict import Frequency, Verdict
from .fields import ReadableFields
from .judge import ResidueJudge
from .vocabulary import vocabulary_of

NAME = "residue"


def no_residue(check_input: CheckInput) -> Verdict:
    """The check of a mode: `residue` of what a run returned."""
    review, context = check_input.review, check_input.review.context
    judge = ResidueJudge(
        review.retracted,
        check_input.live,
        check_input.operator.templates,
        review.frequency,
        keys=[source.key for source in context.supports],
        vocabulary=lambda: vocabulary_of(context.interfaces, context.recipe),
    )
    return judge_payload(review.payload, judge)


def residue(
    payload: Payload, retracted: Sequence[str], live: Sequence[str], templates: Sequence[str], frequency: Frequency
) -> Verdict:
    """Return the verdict on a payload where no contract and no recipe is known, and no source is named."""
    return judge_payload(payload, ResidueJudge(retracted, live, templates, frequency))


def judge_payload(payload: Payload, judge: ResidueJudge) -> Verdict:
    """Return the verdict on every field of a payload that a reader can see."""
    if not judge.applies:
        return Verdict.not_applicable(NAME, "no retracted text stands behind it")
    fields = ReadableFields(content=payload.content, blob=payload.blob, metadata=payload.metadata)
    for field, text in fields.texts():
        if fault := judge.fault(text):
            return Verdict(False, NAME, fault if field == "content" else f"in its {field}, {fault}")
    return Verdict(True, NAME)


RESIDUE = Check(NAME, no_residue)
