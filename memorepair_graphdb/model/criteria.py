"""Says which artifacts are meant by what they have in common: the beginning of their keys, values in their metadata.

A condition is judged here, in one place: `metadata` is stored as JSON text, in which Cypher cannot look exactly.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any, Literal, Self, TypeAlias

from ..errors import BadInput
from .arguments import KindLike, require_count, require_text
from .artifact import Kind, State
from .content import as_json, canonical_json
from .frozen import Frozen
from .names import Text

ROOM = "metadata."
"""What the path of a condition begins with."""


class AnyOf(tuple[Any, ...]):
    """Values of which one is enough, as a value of `where`."""

    __slots__ = ()


class Condition(Frozen):
    """A place in the metadata, and the values of which one must stand there, each as canonical JSON."""

    path: str
    values: tuple[str, ...]

    def holds(self, metadata: Any) -> bool:
        """Return whether the value at the path, or a member of a list there, is one of the values."""
        steps = self.path.removeprefix(ROOM).split(".")
        return any(_comparable(value) in self.values for value in _reach(metadata, steps))


class Criteria(Frozen):
    """Artifacts of which all is true that is said here."""

    prefix: Text | None = None
    """what their keys begin with"""
    where: tuple[Condition, ...] = ()

    @classmethod
    def read(cls, prefix: Any = None, where: Any = None) -> Self:
        """Check the arguments of a call; raises `BadInput` that names what is wrong.

        `where`: path → value, such as `{"metadata.user": "17", "metadata.source.name": AnyOf(["a", "b"])}`; all must
        hold. A path with a dot goes into nested metadata, or names a field whose name has the dot.
        """
        if prefix is not None and not require_text(prefix, "prefix"):
            raise BadInput("the prefix is empty, which every key begins with: leave it out")
        if where is not None and not isinstance(where, Mapping):
            raise BadInput(f"where is path → value, not {type(where).__name__}")
        conditions = (_read_condition(path, value) for path, value in (where or {}).items())
        return cls(prefix=prefix, where=tuple(sorted(conditions, key=lambda condition: condition.path)))

    def holds(self, metadata: Any) -> bool:
        """Return whether metadata meet all conditions; the prefix is compared by whoever reads the keys."""
        return all(condition.holds(metadata) for condition in self.where)

    @property
    def empty(self) -> bool:
        """Whether nothing is said, so that every artifact is meant."""
        return self.prefix is None and not self.where

    @property
    def words(self) -> str:
        """The criteria for a person: `prefix "user/17/" and metadata.user = "17"`."""
        parts = [] if self.prefix is None else [f"prefix {json.dumps(self.prefix, ensure_ascii=False)}"]
        parts += [f"{condition.path} = {' or '.join(condition.values)}" for condition in self.where]
        return " and ".join(parts)


StateLike: TypeAlias = Literal["visible", "withdrawn", "retired", "any"]

MOST = 10_000
"""The most keys of one page."""

IN_STATE: Mapping[str, tuple[State, ...]] = {
    "visible": (State.VISIBLE,),
    "withdrawn": (State.WITHDRAWN,),
    "retired": (State.RETIRED,),
    "any": (State.VISIBLE, State.WITHDRAWN, State.RETIRED),
}
"""What keys are asked for by: in service; withdrawn, and may come back; history; whatever there is."""


class KeysRequest(Frozen):
    """A checked question for keys."""

    criteria: Criteria
    states: tuple[State, ...]
    kinds: tuple[Kind, ...]
    limit: int
    after: str | None

    @classmethod
    def read(
        cls, prefix: str | None, where: Any, kind: KindLike | None, state: str, limit: int, after: str | None
    ) -> Self:
        """Check the arguments of a call; raises `BadInput` that names what is wrong."""
        if kind is not None and kind not in tuple(Kind):
            raise BadInput(f"kind is one of {', '.join(Kind)}, not {kind!r:.100}")
        if state not in tuple(IN_STATE):
            raise BadInput(f"state is one of {', '.join(IN_STATE)}, not {state!r:.100}")
        return cls(
            criteria=Criteria.read(prefix, where),
            states=IN_STATE[state],
            kinds=tuple(Kind) if kind is None else (Kind(kind),),
            limit=require_count(limit, "limit", MOST),
            after=None if after is None else require_text(after, "after"),
        )


def conditions_of(words: Iterable[str]) -> dict[str, AnyOf]:
    """Return `where` for words of a command line, `PATH=VALUE` each; raises `BadInput`.

    A value means its text, and what it is as JSON: `17` finds the number and the text, `"17"` the text alone.
    """
    where: dict[str, AnyOf] = {}
    for word in words:
        path, equals, text = word.partition("=")
        if not equals or not path:
            raise BadInput(f"{word!r} is not PATH=VALUE, such as metadata.user=17")
        if path in where:
            raise BadInput(f"{path} is named twice: all conditions must hold, and it has one value")
        try:
            parsed = json.loads(text)
        except (ValueError, RecursionError):
            where[path] = AnyOf([text])
        else:
            where[path] = AnyOf([parsed] if isinstance(parsed, str) else [text, parsed])
    return where


def _read_condition(path: Any, value: Any) -> Condition:
    require_text(path, "a path of where")
    if not path.startswith(ROOM) or not all(path.split(".")):
        raise BadInput(f"where knows metadata alone, by a path such as metadata.user, not {path!r:.100}")
    values = value if isinstance(value, AnyOf) else (value,)
    if not values:
        raise BadInput(f"{path} has no value to compare with")
    for each in values:
        as_json(each, path)
    return Condition(path=path, values=tuple(_comparable(each) for each in values))


def _reach(value: Any, steps: list[str]) -> list[Any]:
    """Return every value that a path leads to; of a list, its members' too."""
    if isinstance(value, list):
        inside = [reached for member in value for reached in _reach(member, steps)]
        return [value, *inside] if not steps else inside
    if not steps:
        return [value]
    if not isinstance(value, dict):
        return []
    heads = ((".".join(steps[:length]), steps[length:]) for length in range(1, len(steps) + 1))
    return [reached for head, rest in heads if head in value for reached in _reach(value[head], rest)]


def _comparable(value: Any) -> str:
    """Return JSON that is equal for equal values: a text in NFC, a whole number without a fraction."""
    return canonical_json(_plain(value))


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {_plain(name): _plain(member) for name, member in value.items()}
    return [_plain(member) for member in value] if isinstance(value, list | tuple) else value
