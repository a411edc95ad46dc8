"""Renders plans, reports, events and checks for people.

Each function takes a value and returns what the console prints; every text of the memory goes through `text.words`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from .text import ORDER, bullets, indent, list_counts, open_table, shorten, style_outcome, words

if TYPE_CHECKING:
    from ...model.plan import Candidate, Plan
    from ...model.report import CheckReport, ErasureReceipt, EventLine, Forgiveness, LoadReport, Report


def render_plan(plan: Plan) -> Group:
    """Render a plan: what it is about, what would be rebuilt, and what would go."""
    event = plan.event
    head = Text.assemble(
        ("Plan", "bold"),
        f" for {event.get('type')} of ",
        words(", ".join(event.get("roots", ())), "bold"),
        "; nothing is written.",
    )
    within = f" within a budget of {plan.budget}" if plan.budget else ""
    facts = Text.assemble(
        f"{len(plan.cascade)} leave service at once; of {len(plan.candidates)} that could come back, "
        f"{len(plan.selected)} are worth it at λ = {plan.tradeoff}{within}: value {plan.value:g}, cost {plan.cost:g}. "
    )
    parts: list[RenderableType] = [head, facts]
    if same := event.get("unchanged"):
        parts.append(words(f"Already as asked, and left as they are: {', '.join(same)}."))
    if plan.choice.gap:
        parts.append(words(f"The best within the budget is at most {plan.choice.gap:.2%} better.", "yellow"))
    if plan.candidates:
        parts.append(indent(_candidates(plan)))
        parts += shorten(plan.candidates)[1]
    if plan.removed:
        removals = open_table("removed", last="why")
        shown, more = shorten(plan.removed)
        for removed in shown:
            removals.add_row(words(removed.key), words(removed.reason))
        parts += [indent(removals), *more]
    return Group(*parts)


def _candidates(plan: Plan) -> Table:
    table = open_table("", "candidate", "operator", "value", "cost", right=("value", "cost"), last="why")
    for candidate in shorten(plan.candidates)[0]:
        mark = Text("✓", "green") if candidate.selected else Text("–", "dim")
        operator = words(candidate.operator or "")
        figures = f"{candidate.value:g}", f"{candidate.cost:.0f}"
        table.add_row(mark, words(candidate.key), operator, *figures, words(_without_figures(candidate, plan.tradeoff)))
    return table


def _without_figures(candidate: Candidate, tradeoff: str) -> str:
    """Return the reason without the value, cost and λ that stand beside it."""
    figures = f"value {candidate.value:.6g} against cost {candidate.cost:.6g} at λ = {tradeoff}"
    return candidate.reason.replace(figures, "").strip(": ").replace(":  ", ": ")


def render_report(report: Report) -> Group:
    """Render what became of an event: a head, a row for each artifact, and what a person should know."""
    description = f"{report.type}{f': {report.reason}' if report.reason else ''}"
    parts: list[RenderableType] = [
        Text.assemble(
            "Event ",
            words(report.event_id, "bold"),
            " (",
            words(description),
            ") is ",
            (str(report.status), "bold"),
            ".",
        ),
        list_counts(report.counts) if report.counts else Text("It affects nothing.", "dim"),
    ]
    if report.seconds or report.spent:
        times = " · ".join(f"{step} {seconds:.2f} s" for step, seconds in report.seconds.items())
        parts.append(Text(" · ".join(filter(None, [times, f"{report.spent:.0f} tokens spent"])), "dim"))
    keys = sorted(report.outcomes, key=lambda key: (ORDER.index(report.outcomes[key]), key))
    if keys:
        table = open_table("artifact", "outcome", last="why")
        shown, more = shorten(keys)
        for key in shown:
            table.add_row(words(key), style_outcome(report.outcomes[key]), words(report.reasons.get(key, "")))
        parts += [indent(table), *more]
    if report.notes:
        parts.append(Text())
        parts += [words(f"Note: {line}.", "dim") for line in report.notes]
    return Group(*parts)


def render_events(events: Sequence[EventLine]) -> RenderableType:
    """Render events, newest first."""
    if not events:
        return Text("No event in this space.")
    table = open_table("event", "type", "status", "when", last="what became of it")
    shown, more = shorten(events)
    for line in shown:
        when = line.created_at.strftime("%Y-%m-%d %H:%M")
        status = Text(str(line.status), "" if line.status == "closed" else "bold yellow")
        outcomes = list_counts(line.counts) if line.counts else Text(f"{line.affected} withdrawn")
        what = Text.assemble(outcomes, words(f" – {line.reason}" if line.reason else ""))
        table.add_row(words(line.event_id), words(line.type), status, when, what)
    return Group(table, *more)


def render_load(report: LoadReport, space: str) -> Group:
    """Render what was loaded, and whether its space is new."""
    message = f"Loaded {report.created}; {report.skipped} were here already; {report.linked} semantic edges."
    if report.history:
        message += f" {report.history} lines were of what is out of service, and stay out."
    fresh = [words(f"Space {space} was not there yet: it is set up now.")] if report.set_up else []
    return Group(*fresh, Text(message), *(words(f"Warning: {line}.", "yellow") for line in report.warnings))


def render_check(report: CheckReport) -> Group:
    """Render violations and warnings, or that all is well."""
    parts: list[RenderableType] = []
    for name, style, violations in (
        ("violation", "red", report.violations),
        ("warning", "yellow", report.warnings),
    ):
        if violations:
            table = open_table(name, "artifact", last="detail")
            for violation in violations:
                table.add_row(words(violation.check, style), words(violation.key), words(violation.detail))
            parts += [table, Text()]
    n = len(report.violations)
    parts.append(Text(f"{n} violation{'s'[: n != 1]}.", "bold red") if n else Text("Every invariant holds.", "green"))
    return Group(*parts)


def render_receipt(receipt: ErasureReceipt) -> Group:
    """Render what was erased, and what is out of reach."""
    table = open_table("erased", "version", right=("version",), last="keyed hash that stays")
    shown, more = shorten(receipt.erased)
    for version in shown:
        table.add_row(words(version["key"]), str(version["version"]), words(version["tombstone"], "dim"))
    parts: list[RenderableType] = [
        Text(f"Event {receipt.event_id}: {len(receipt.erased)} emptied, {receipt.already_erased} were empty already.")
    ]
    if receipt.erased:
        parts.append(indent(table))
    parts += more
    if receipt.quoting_keys:
        parts += [Text(), *bullets("Keys that hold words of what was erased, and stay:", receipt.quoting_keys)]
    return Group(*parts, Text(), *bullets("Out of reach:", receipt.cannot_reach))


def render_forgiveness(forgiveness: Forgiveness) -> Group:
    """Render which contents may be written again."""
    lifted = [f"{version['key']} (version {version['version']})" for version in forgiveness.forgiven]
    if not lifted:
        return Group(words(f"Nothing of {forgiveness.ref} is refused any more."))
    return Group(*bullets("What these held may be written again:", lifted))
