"""Does a successor still answer what its stored checks ask?

A stored check that cannot be read is a failed one, never a passed one.
"""

from __future__ import annotations

from typing import Any

from ..protocol.check import Check, CheckInput
from ..protocol.verdict import Verdict
from ..text import passages, phrase, stream

NAME = "regression"


def passes_regression(check_input: CheckInput) -> Verdict:
    """Each of `checks` in the recipe, or in the payload's metadata: `{"question", "must": […], "must_not": […]}`.

    A phrase stands in the content whatever its case, spacing or punctuation; the question is for the person who reads.
    """
    review = check_input.review
    content = review.payload.content
    haystack = stream(content)
    stored = (*_stored(review.context.recipe), *_stored(review.payload.metadata))
    if not stored:
        return Verdict.not_applicable(NAME, "no check is stored")
    for check in stored:
        fault = _fault(check, haystack, content)
        if fault:
            return Verdict(False, NAME, fault)
    return Verdict(True, NAME)


def _stored(place: Any) -> tuple[Any, ...]:
    if not isinstance(place, dict) or place.get("checks") is None:
        return ()
    checks = place["checks"]
    return tuple(checks) if isinstance(checks, list) else (checks,)


def _fault(check: Any, haystack: str, content: str) -> str:
    if not isinstance(check, dict) or not ("must" in check or "must_not" in check):
        return f"a stored check is an object with must or must_not, not {str(check)[:60]!r}"
    question = f" ({check['question']})" if check.get("question") else ""
    for rule, wanted in (("must", True), ("must_not", False)):
        phrases = check.get(rule, [])
        if not isinstance(phrases, list) or not all(isinstance(text, str) and text for text in phrases):
            return f"{rule} of a stored check is a list of phrases, not {str(phrases)[:60]!r}"
        for text in phrases:
            if _stands(text, haystack, content) is not wanted:
                return f"{'lacks' if wanted else 'says'} {text!r}{question}"
    return ""


def _stands(text: str, haystack: str, content: str) -> bool:
    needle = phrase(text)
    if needle.strip():
        return needle in haystack
    return any(text in passage for passage in passages(content))  # punctuation alone


REGRESSION = Check(NAME, passes_regression)
