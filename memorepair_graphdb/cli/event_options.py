"""Reads the event that a command line describes: by keys, by what its roots have in common, or by a file.

The words of the user are checked before the command connects to anything.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import BadInput

if TYPE_CHECKING:
    from ..model.event import RepairEvent

ONE_OF = (
    "name one kind of event: --delete, --where and --prefix together, --correct, --migrate and --retire together, "
    "or --event FILE.json"
)


def event_from_options(
    delete: list[str] | None,
    where: list[str] | None,
    prefix: str | None,
    correct: list[str] | None,
    migrate: list[str] | None,
    retire: list[str] | None,
    file: Path | None,
    metadata: list[str] | None = None,
    **fields: str | None,
) -> RepairEvent:
    """Return the event; `fields` (reason, actor, id) add to what an event file says, or overrule it.

    Raises `BadInput` where not exactly one kind of event is named, or a file cannot be read.
    """
    from ..model.criteria import conditions_of
    from ..model.event import RepairEvent

    details = {name: value for name, value in fields.items() if value}
    selected = bool(where) or prefix is not None
    kinds = [bool(delete), selected, bool(correct), bool(migrate or retire), file is not None]
    if sum(kinds) != 1:
        raise BadInput(ONE_OF)
    if metadata and not correct:
        raise BadInput("--metadata goes with --correct; to change metadata alone use set-metadata")
    if file is not None:
        event = RepairEvent.from_file(file)
        return RepairEvent.checked({**event.model_dump(), **details}, "event") if details else event
    if selected:
        return RepairEvent.delete(where=conditions_of(where) if where else None, prefix=prefix, **details)
    if delete:
        return RepairEvent.delete(delete, **details)
    if correct:
        return RepairEvent.correct(_by_key(correct, _content), metadata=_by_key(metadata or [], read_json), **details)
    contracts = _by_key(migrate or [], read_json)
    if both := sorted(contracts.keys() & set(retire or ())):
        raise BadInput(f"{both[0]} is both migrated and retired")
    return RepairEvent.migrate({**contracts, **dict.fromkeys(retire or ())}, **details)


def _by_key(pairs: list[str], read: Any) -> dict[str, Any]:
    contents: dict[str, Any] = {}
    for pair in pairs:
        key, equals, file = pair.rpartition("=")
        if not equals or not key or not file:
            raise BadInput(f"{pair!r} is not KEY=FILE")
        if key in contents:
            raise BadInput(f"{key} is named twice")
        contents[key] = read(Path(file))
    return contents


def _content(path: Path) -> Any:
    """Read a .json file as JSON; any other as text, without the line end that editors add."""
    if path.suffix == ".json":
        return read_json(path)
    return _text(path).removesuffix("\n").removesuffix("\r")


def read_json(path: Path) -> Any:
    """Read a file as JSON; raises `BadInput` that names it."""
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
