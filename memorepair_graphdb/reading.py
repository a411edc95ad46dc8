"""Reads a memory and the events of its space; nothing here writes."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from . import loader
from .connection import Connection
from .model.arguments import SearchRequest, require_text
from .model.artifact import Artifact
from .model.criteria import KeysRequest
from .model.report import CheckReport, EventLine, Hit, KeyPage, OpenEvent, Report, Why
from .model.vocabulary import SearchBy
from .repair import reports
from .repair.execution.embedding import embed_one
from .repair.planning import planner
from .store import artifacts, checks, schema, search, why
from .store import events as repair_events
from .store import keys as stored_keys

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .model.arguments import KindLike, SearchByLike
    from .model.criteria import StateLike

_log = logging.getLogger(__name__)


class Reading(Connection):
    """What is in service in one space and what is out of it, why, and what became of its events."""

    def export(self, *, versions: bool = False, embeddings: bool = False) -> Iterator[dict[str, Any]]:
        """Yield what is in service as wire-format lines, in the order of keys, which `load` takes back.

        Loaded into an empty space they make the same memory but for ids and times. What is out of service is left out;
        with `versions` it is there too, as lines with a `state` that `load` leaves out: nothing that was withdrawn
        comes into service by a file. `embeddings`: the vectors too, else they are made anew by who loads. A few
        artifacts are read at once; raises `ChangedMeanwhile` behind the last line where writers came in between.
        """
        self.transactions.read(schema.check_version)
        return loader.export(
            self.transactions, self.space, versions=versions, embeddings=embeddings, progress=self._progress
        )

    def get(self, key: str) -> Artifact | None:
        """Return the version of a key that is in service; None when there is none."""
        return self.transactions.read(artifacts.get, self.space, require_text(key, "key"))

    def keys(
        self,
        *,
        prefix: str | None = None,
        kind: KindLike | None = None,
        state: StateLike = "visible",
        where: Mapping[str, Any] | None = None,
        limit: int = 1_000,
        after: str | None = None,
    ) -> KeyPage:
        """Return a page of keys in their order, each with its live version, or where it has none with its newest.

        `prefix`: what they begin with. `where`: metadata path → value, such as `{"metadata.user": "17"}`; all hold.
        `limit`: at most so many, up to 10,000; `after`: the key to go on after, the `after` of the page before.
        """
        request = KeysRequest.read(prefix, where, kind, state, limit, after)
        return self.transactions.read(stored_keys.list_keys, self.space, request)

    def versions(self, key: str) -> tuple[Artifact, ...]:
        """Return all versions of a key, newest first, history and withdrawn ones too: for people, not for agents."""
        return self.transactions.read(artifacts.versions, self.space, require_text(key, "key"))

    def search(
        self,
        text: str | None = None,
        *,
        embedding: Iterable[float] | None = None,
        k: int = 5,
        by: SearchByLike | None = None,
    ) -> tuple[Hit, ...]:
        """Return the k best in service, by text or by vector; by vector where an embedding or an embedder is given."""
        if embedding is None and text is not None and by != SearchBy.TEXT and self._embedder is not None:
            embedding = embed_one(self._embedder, require_text(text, "text"))
        request = SearchRequest.read(text, embedding, k, by)
        try:
            return self.transactions.read(search.answer, self.space, request)
        except search.IndexFault as fault:
            _log.info("searching without the index: %s", fault)
            return self.transactions.read(search.answer_by_scan, self.space, request)

    def why(self, ref: str) -> Why:
        """Say why an artifact (its key, or an id) is, or is not, in service."""
        return self.transactions.read(why.why, self.space, require_text(ref, "key or id"))

    def check(self) -> CheckReport:
        """Check every invariant of the space."""
        return self.transactions.read(checks.check, self.space)

    def status(self, event_id: str) -> Report:
        """Return what became of an event so far."""
        return reports.read_report(self._env, require_text(event_id, "event id"))

    def events(self) -> tuple[EventLine, ...]:
        """Return all events of the space, newest first."""
        return self.transactions.read(repair_events.events, self.space)

    def open_events(self) -> tuple[OpenEvent, ...]:
        """Return the events that are not closed, oldest first."""
        return self.transactions.read(repair_events.open_events, self.space)

    def unknown_operators(self, event_id: str) -> tuple[str, ...]:
        """Return names of operators that an event needs and that this registry does not know."""
        return self.transactions.read(planner.unknown_operators, self._env, require_text(event_id, "event id"))
