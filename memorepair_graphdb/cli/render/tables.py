"""Pictures of plans and reports for people.

The law of the room: values in, something to print out; every text of the memory goes through `words`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ..output import plain

if TYPE_CHECKING:
    from ...model.plan import Candidate, Plan
    from ...model.report import CheckReport, ErasureReceipt, EventLine, LoadReport, Report

ROWS = 60
"""Rows of a table that a person gets; `--json` has them all."""

STYLES = {
    "published": "green",
    "replaced": "green",
    "removed": "yellow",
    "pending": "blue",
    "not_selected": "magenta",
    "not_executable": "magenta",
    "rejected": "red",
    "operator_failed": "red",
    "predecessor_missing": "red",
    "conflict": "red",
}
ORDER = tuple(STYLES)


def words(text: object, style: str = "") -> Text:
    """A text as it is, in a style."""
    return Text(plain(str(text)), style=style)


def outcome(name: object) -> Text:
    """An outcome in its colour."""
    return words(name, STYLES.get(str(name), ""))


def table(*columns: str, right: Sequence[str] = (), last: str = "") -> Table:
    """An open table: columns that keep their width, and a `last` one that takes what is left and wraps."""
    made = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False, header_style="bold")
    for name in columns:
        made.add_column(name, justify="right" if name in right else "left", overflow="fold")
    if last:
        made.add_column(last, overflow="fold", ratio=1)
    return made


def indented(content: RenderableType) -> Padding:
    """Two columns to the right, with a blank line above."""
    return Padding(content, (1, 0, 0, 2), expand=False)


def counted(counts: Mapping[str, int], *, styled: bool = True) -> Text:
    """`published 3 · removed 1`, in the order of the outcomes."""
    known = sorted(counts.items(), key=lambda pair: (ORDER.index(pair[0]) if pair[0] in ORDER else 99, pair[0]))
    parts = [Text(f"{name} {n}", STYLES.get(name, "") if styled else "") for name, n in known]
    return Text(" · ").join(parts)


def shortened(rows: Sequence[Any], kept: int = ROWS) -> tuple[Sequence[Any], list[Text]]:
    """At most `kept` rows, and a line that says how many more there are."""
    more = len(rows) - kept
    return rows[:kept], [Text(f"… and {more} more; --json has them all", "dim")] if more > 0 else []


def render_plan(plan: Plan) -> Group:
    """A plan: what it is about, what would be rebuilt, and what would go."""
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
    if plan.choice.gap:
        parts.append(words(f"The best within the budget is at most {plan.choice.gap:.2%} better.", "yellow"))
    if plan.candidates:
        parts.append(indented(_candidates(plan)))
        parts += shortened(plan.candidates)[1]
    if plan.removed:
        gone = table("removed", last="why")
        shown, more = shortened(plan.removed)
        for removed in shown:
            gone.add_row(words(removed.key), words(removed.reason))
        parts += [indented(gone), *more]
    return Group(*parts)


def _candidates(plan: Plan) -> Table:
    made = table("", "candidate", "operator", "value", "cost", right=("value", "cost"), last="why")
    for candidate in shortened(plan.candidates)[0]:
        mark = Text("✓", "green") if candidate.selected else Text("–", "dim")
        operator = words(candidate.operator or "")
        figures = f"{candidate.value:g}", f"{candidate.cost:.0f}"
        made.add_row(mark, words(candidate.key), operator, *figures, words(_without_figures(candidate, plan.tradeoff)))
    return made


def _without_figures(candidate: Candidate, tradeoff: str) -> str:
    """The reason without the value, cost and λ that stand beside it."""
    figures = f"value {candidate.value:.6g} against cost {candidate.cost:.6g} at λ = {tradeoff}"
    return candidate.reason.replace(figures, "").strip(": ").replace(":  ", ": ")


def render_report(report: Report) -> Group:
    """What became of an event: a head, a row for each artifact, and what a person should know."""
    said = f"{report.type}{f': {report.reason}' if report.reason else ''}"
    parts: list[RenderableType] = [
        Text.assemble(
            "Event ", words(report.event_id, "bold"), " (", words(said), ") is ", (str(report.status), "bold"), "."
        ),
        counted(report.counts) if report.counts else Text("It affects nothing.", "dim"),
    ]
    if report.seconds or report.spent:
        timed = " · ".join(f"{step} {seconds:.2f} s" for step, seconds in report.seconds.items())
        parts.append(Text(" · ".join(filter(None, [timed, f"{report.spent:.0f} tokens spent"])), "dim"))
    keys = sorted(report.outcomes, key=lambda key: (ORDER.index(report.outcomes[key]), key))
    if keys:
        made = table("artifact", "outcome", last="why")
        shown, more = shortened(keys)
        for key in shown:
            made.add_row(words(key), outcome(report.outcomes[key].value), words(report.reasons.get(key, "")))
        parts += [indented(made), *more]
    if report.notes:
        parts.append(Text())
        parts += [words(f"Note: {line}.", "dim") for line in report.notes]
    return Group(*parts)


def render_events(events: Sequence[EventLine]) -> RenderableType:
    """Events, newest first."""
    if not events:
        return Text("No event in this space.")
    made = table("event", "type", "status", "when", last="what became of it")
    shown, more = shortened(events)
    for line in shown:
        when = line.created_at.strftime("%Y-%m-%d %H:%M")
        status = Text(str(line.status), "" if line.status == "closed" else "bold yellow")
        ended = counted(line.counts) if line.counts else Text(f"{line.affected} withdrawn")
        what = Text.assemble(ended, words(f" – {line.reason}" if line.reason else ""))
        made.add_row(words(line.event_id), words(line.type), status, when, what)
    return Group(made, *more)


def render_load(report: LoadReport) -> Group:
    """What was loaded."""
    said = f"Loaded {report.created}; {report.skipped} were here already; {report.linked} semantic edges."
    return Group(Text(said), *(words(f"Warning: {line}.", "yellow") for line in report.warnings))


def render_check(report: CheckReport) -> Group:
    """Violations and warnings, or that all is well."""
    parts: list[RenderableType] = []
    for name, style, found in (
        ("violation", "red", report.violations),
        ("warning", "yellow", report.warnings),
    ):
        if found:
            made = table(name, "artifact", last="detail")
            for one in found:
                made.add_row(words(one.check, style), words(one.key), words(one.detail))
            parts += [made, Text()]
    n = len(report.violations)
    parts.append(Text(f"{n} violation{'s'[: n != 1]}.", "bold red") if n else Text("Every invariant holds.", "green"))
    return Group(*parts)


def render_receipt(receipt: ErasureReceipt) -> Group:
    """What was erased, and what is out of reach."""
    made = table("erased", "version", right=("version",), last="keyed hash that stays")
    shown, more = shortened(receipt.erased)
    for one in shown:
        made.add_row(words(one["key"]), str(one["version"]), words(one["tombstone"], "dim"))
    parts: list[RenderableType] = [
        Text(f"Event {receipt.event_id}: {len(receipt.erased)} emptied, {receipt.already_erased} were empty already.")
    ]
    if receipt.erased:
        parts.append(indented(made))
    return Group(*parts, *more, Text(), *bullets("Out of reach:", receipt.cannot_reach))


def bullets(head: str, lines: Iterable[str]) -> list[Text]:
    """A head, and a line each below it."""
    return [Text(head), *(words(f"  · {line}") for line in lines)]
