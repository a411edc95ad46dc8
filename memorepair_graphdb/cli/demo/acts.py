"""The acts of the demo: each does something to the memory, and tells what came of it.

The law of the room: every sentence is about what was just done, and every figure comes from the graph.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from memorepair_graphdb.cli.demo import story
from memorepair_graphdb.cli.portraits import hits_picture, why_picture
from memorepair_graphdb.cli.tables import check_picture, indented, plan_picture, report_picture, words
from memorepair_graphdb.store.demonstration import PLAIN_SPACE, SPACE

if TYPE_CHECKING:
    from memorepair_graphdb.api import MemoRepair
    from memorepair_graphdb.cli.demo.stage import Stage
    from memorepair_graphdb.model.event import RepairEvent
    from memorepair_graphdb.model.report import Hit, Report

Say = Callable[..., None]


def play(stage: Stage, say: Say) -> dict[str, Any]:
    """All acts in order; what came of them, in JSON."""
    artifacts = load(stage, say)
    leak = delete_plainly(stage, say)
    plan, barrier, deletion = delete_with_all(stage, say)
    correction = correct(stage, say)
    migration = migrate(stage, say)
    reports = [report.model_dump(mode="json") for report in (deletion, correction, migration)]
    return {
        "artifacts": artifacts,
        "leak": leak,
        "plan": plan,
        "barrier": barrier,
        "reports": reports,
        "check": check(stage, say),
    }


def load(stage: Stage, say: Say) -> int:
    """Empty the demo's spaces, and load the same memory into both."""
    stage.forget()
    lines = [json.loads(line) for line in story.MEMORY.read_text(encoding="utf-8").splitlines()]
    for space in (PLAIN_SPACE, SPACE):
        with stage.memory("Loading", space) as memory:
            memory.setup()
            memory.load(lines)
    kinds = Counter(line["kind"] for line in lines)
    say(Text(f"A support agent's memory, in a shop for lamps: {len(lines)} artifacts", "bold"))
    say(words(", ".join(f"{n} of kind {kind}" for kind, n in kinds.items())))
    return len(lines)


def delete_plainly(stage: Stage, say: Say) -> dict[str, Any]:
    """Delete one record as a store without provenance does, and look for it."""
    stage.plain_delete(story.MESSAGE)
    with stage.memory("Searching", PLAIN_SPACE) as memory:
        hits, answer = memory.search(story.CUSTOMER, k=4), memory.get(story.HER_ANSWER)
    said = answer.content if answer else None
    _head(say, "1  A plain delete leaks")
    say(Text(f"{story.CUSTOMER} wrote in once, and asks to be forgotten. Her message is deleted."))
    say(Text("A search for her still finds:"))
    say(indented(hits_picture(hits)))
    say(Text("\nand the cached answer on her order still says:"))
    say(words(f"  {said}", "yellow"))
    return {"search": _keys(hits), "answer": said}


def delete_with_all(stage: Stage, say: Say) -> tuple[dict[str, Any], dict[str, Any], Report]:
    """The same delete as an event: preview, barrier, repair."""
    _head(say, "2  The same delete, as a repair event")
    with stage.memory("Planning") as memory:
        plan = memory.preview(story.FORGET_HER)
    say(plan_picture(plan))
    with stage.memory("Withdrawing") as memory:
        before = _text(memory, story.COUNT)
        withdrawn = memory.withdraw(story.FORGET_HER)
        hits, answer = memory.search(story.CUSTOMER), memory.get(story.HER_ANSWER)
    say(Text(f"\nThe barrier: {withdrawn.affected} artifacts left service in one transaction, before any repair."))
    say(_found(hits))
    said = answer.content if answer else None
    say(
        Text.assemble(
            "The cached answer on her order: ", (said or "out of service.", "green" if said is None else "red")
        )
    )
    with stage.memory("Repairing") as memory:
        report = memory.resume(story.FORGET_HER.id)
        hits, after = memory.search(story.CUSTOMER), _text(memory, story.COUNT)
        waiting = memory.why(story.WAITING)
    say(_outcomes(report))
    say(_found(hits))
    _changed(say, f"{story.COUNT}, computed again:", before, after)
    say(Text(f"\n`memorepair why {story.WAITING}` says:"), indented(why_picture(waiting)))
    barrier = {"affected": withdrawn.affected, "search": _keys(hits), "answer": said}
    return plan.model_dump(mode="json"), barrier, report


def correct(stage: Stage, say: Say) -> Report:
    """Correct a policy, and ask what follows from it."""
    _head(say, "3  A correction")
    say(Text("A lamp can be returned within 60 days now, not 30."))
    before, report, after = _repair(stage, story.LONGER_RETURNS, story.RETURNS)
    say(_outcomes(report))
    _changed(say, f"{story.RETURNS}, computed again:", before, after)
    return report


def migrate(stage: Stage, say: Say) -> Report:
    """Put a new contract in force and retire another, and look at a skill that uses it."""
    _head(say, "4  A migration")
    say(Text("The tool orders_get asks for an order_number now, and fax_send is retired."))
    before, report, after = _repair(stage, story.NEW_INTERFACE, story.NOTE)
    say(_outcomes(report))
    _changed(say, f"{story.NOTE}, written again from the contract in force:", _call(before), _call(after))
    return report


def check(stage: Stage, say: Say) -> dict[str, Any]:
    """Check every invariant of the repaired space."""
    with stage.memory("Checking") as memory:
        report = memory.check()
    _head(say, "5  Check")
    say(check_picture(report))
    return report.model_dump(mode="json")


def _repair(stage: Stage, event: RepairEvent, asked: str) -> tuple[str, Report, str]:
    """Repair, and what a key says before and after."""
    with stage.memory("Repairing") as memory:
        before = _text(memory, asked)
        report = memory.repair(event)
        return before, report, _text(memory, asked)


def _head(say: Say, title: str) -> None:
    say(Text(f"\n{title}\n", "bold underline"))


def _outcomes(report: Report) -> RenderableType:
    """The report between blank lines, without its notes, which the demo tells once at its end."""
    return Padding(report_picture(report.model_copy(update={"notes": ()})), (1, 0), expand=False)


def _changed(say: Say, what: str, before: str, after: str) -> None:
    say(words(what))
    say(Text.assemble("  ", words(before, "yellow"), "\n  ", words(after, "green")))


def _found(hits: tuple[Hit, ...]) -> RenderableType:
    """What a search for the customer finds."""
    asked = Text(f"A search for {story.CUSTOMER} finds: ")
    return Group(asked, indented(hits_picture(hits))) if hits else asked.append("nothing.", "green")


def _keys(hits: tuple[Hit, ...]) -> list[str]:
    return [hit.artifact.key for hit in hits]


def _text(memory: MemoRepair, key: str) -> str:
    """What is in service under a key."""
    found = memory.get(key)
    return "(out of service)" if found is None or found.content is None else found.content


def _call(note: str) -> str:
    """The example call in a tool note."""
    return next((line.strip() for line in note.splitlines() if line.startswith("    {")), note)
