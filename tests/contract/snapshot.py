"""The headers of all `.cypher` files as one committed value, so that a change of the contract is seen in review.

`python -m tests.contract.snapshot` writes it anew; nothing else does.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from memorepair_graphdb.store.queries import library

PLACE = Path(__file__).with_name("headers.json")


def current() -> dict[str, Any]:
    """Name → purpose, access, params, returns; parameters and columns in the order of the file."""
    return {
        name: {
            "purpose": query.purpose,
            "access": query.access,
            "params": [f"{param} {kind}" for param, kind in query.params.items()],
            "returns": [f"{column} {kind}" for column, kind in query.returns.items()],
        }
        for name, query in sorted(library().items())
    }


def committed() -> dict[str, Any]:
    """The value as it was last written."""
    stored: dict[str, Any] = json.loads(PLACE.read_text(encoding="utf-8"))
    return stored


if __name__ == "__main__":
    PLACE.write_text(json.dumps(current(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
