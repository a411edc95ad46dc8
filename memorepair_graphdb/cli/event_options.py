"""The event that a command line asks for: `--delete KEY`, `--correct KEY=FILE`, `--migrate KEY=FILE`, `--retire KEY`.

The law of the room: the words of the user are checked before anything is connected to.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import BadInput

if TYPE_CHECKING:
    from ..model.event import RepairEvent

ONE_OF = "name one kind of event: --delete, --correct, --migrate and --retire together, or --event FILE.json"


def requested(
    delete: list[str] | None,
    correct: list[str] | None,
    migrate: list[str] | None,
    retire: list[str] | None,
    file: Path | None,
    **about: str | None,
) -> RepairEvent:
    """The event; raises `BadInput`. `about` (reason, actor, id) adds to what an event file says, or overrules it."""
    from ..model.event import RepairEvent

    said = {name: value for name, value in about.items() if value}
    kinds = [bool(delete), bool(correct), bool(migrate or retire), file is not None]
    if sum(kinds) != 1:
        raise BadInput(ONE_OF)
    if file is not None:
        event = RepairEvent.from_file(file)
        return RepairEvent.checked({**event.model_dump(), **said}, "event") if said else event
    if delete:
        return RepairEvent.delete(delete, **said)
    if correct:
        return RepairEvent.correct(_by_key(correct, _content), **said)
    contracts = _by_key(migrate or [], _json)
    if both := sorted(contracts.keys() & set(retire or ())):
        raise BadInput(f"{both[0]} is both migrated and retired")
    return RepairEvent.migrate({**contracts, **dict.fromkeys(retire or ())}, **said)


def _by_key(pairs: list[str], read: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for pair in pairs:
        key, equals, file = pair.rpartition("=")
        if not equals or not key or not file:
            raise BadInput(f"{pair!r} is not KEY=FILE")
        if key in found:
            raise BadInput(f"{key} is named twice")
        found[key] = read(Path(file))
    return found


def _content(path: Path) -> Any:
    """A .json file as JSON; any other as text, without the line end that editors add."""
    if path.suffix == ".json":
        return _json(path)
    return _text(path).removesuffix("\n").removesuffix("\r")


def _json(path: Path) -> Any:
    try:
        return json.loads(_text(path))
    except ValueError as error:
        raise BadInput(f"{path} is no JSON: {error}") from error


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is no UTF-8 text: {error.reason} at byte {error.start}") from error
