"""The check of a mode: no payload may say what stands in a retracted text and nowhere among its grounds.

A rejection names the field and the kind of trace, and shows it.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...protocol.check import Check, CheckInput
from ...protocol.payload import Payload
from ...protocol.verdict import Frequency, Verdict
from .answers import Mentions
from .fields import ReadableFields
from .judge import Counts, ResidueJudge, every_trace

NAME = "residue"


def no_residue(check_input: CheckInput) -> Verdict:
    """The check of a mode: `residue` of what a run returned."""
    review, context, operator = check_input.review, check_input.review.context, check_input.operator

    def judge_of(retracted: Sequence[str], live: Sequence[str] = (), counts: Counts = every_trace) -> ResidueJudge:
        return ResidueJudge.of(
            context,
            retracted,
            review.frequency,
            live=(*check_input.live, *live),
            templates=operator.templates,
            named=context.recipe,
            counts=counts,
        )

    judge = judge_of(review.retracted)
    if operator.answered is None or not operator.answered(context):
        return judge_payload(review.payload, judge)
    deleted = tuple(text for text in review.retracted if text not in review.corrected)
    corrected = tuple(text for text in review.retracted if text in review.corrected)
    said, was = Mentions(deleted), Mentions(corrected)
    return judge_payload(
        review.payload,
        judge,
        judge_of(deleted, counts=lambda trace, passage: said.counts(trace, passage, places=False)),
        judge_of(
            corrected,
            [review.corrected[text] for text in corrected],
            lambda trace, passage: was.counts(trace, passage, places=True),
        ),
    )


def residue(
    payload: Payload, retracted: Sequence[str], live: Sequence[str], templates: Sequence[str], frequency: Frequency
) -> Verdict:
    """Return the verdict on a payload where no contract and no recipe is known, and no source is named."""
    return judge_payload(payload, ResidueJudge(retracted, live, templates, frequency))


def judge_payload(payload: Payload, judge: ResidueJudge, *of_content: ResidueJudge) -> Verdict:
    """Return the verdict on every field of a payload that a reader can see.

    `of_content` are the judges of the content, where that is a tool's fresh answer; `judge` has the other fields then.
    """
    if not judge.applies:
        return Verdict.not_applicable(NAME, "no retracted text stands behind it")
    fields = ReadableFields(content=payload.content, blob=payload.blob, metadata=payload.metadata)
    for field, text in fields.texts():
        judges = of_content if field == "content" and of_content else (judge,)
        if fault := next(filter(None, (one.fault(text) for one in judges)), ""):
            return Verdict(False, NAME, fault if field == "content" else f"in its {field}, {fault}")
    return Verdict(True, NAME)


RESIDUE = Check(NAME, no_residue)
