"""Writes the tables of docs/ between their markers: results from docs/results/, outcomes from the package.

    python scripts/write_docs.py            writes them
    python scripts/write_docs.py --check    says which page differs, and ends with 1 where one does

A result is `{"command", "machine", "note", "columns": [text, …], "rows": [[text, …], …]}`. The outcomes are those of
`memorepair_graphdb.model.vocabulary.OUTCOME_MEANINGS`.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

DOCS = Path(__file__).parent.parent / "docs"
_OUTCOMES = re.compile(r"<!-- begin outcomes -->\n.*?<!-- end outcomes -->", re.DOTALL)
_MARKED = re.compile(r"<!-- begin results: (\w+) -->\n.*?<!-- end results: \1 -->", re.DOTALL)


def table(name: str) -> str:
    """The result of that name as a Markdown table between its markers, with what was run on what."""
    result = json.loads((DOCS / "results" / f"{name}.json").read_text(encoding="utf-8"))
    lines = [result["columns"], ["---"] * len(result["columns"]), *result["rows"]]
    drawn = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    said = f"{result['note']}. `{result['command']}` on {result['machine']}."
    return f"<!-- begin results: {name} -->\n{drawn}\n\n*{said}*\n<!-- end results: {name} -->"


def outcomes() -> str:
    """Return what became of an artifact, and whether that stays, as a Markdown table between its markers."""
    from memorepair_graphdb.model.vocabulary import OUTCOME_MEANINGS

    lines = ["| outcome | what became of the artifact | final |", "|---|---|---|"]
    for outcome, meaning in OUTCOME_MEANINGS.items():
        lines.append(f"| `{outcome}` | {meaning.words} | {'yes' if meaning.final else 'no'} |")
    return "\n".join(["<!-- begin outcomes -->", *lines, "<!-- end outcomes -->"])


def written(text: str) -> str:
    """Return a page with its tables as they follow from the results and from the package."""
    return _OUTCOMES.sub(lambda match: outcomes(), _MARKED.sub(lambda match: table(match[1]), text))


def main(check: bool) -> int:
    """Write the pages, or say which differ."""
    differ = []
    for page in sorted(DOCS.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        if (new := written(text)) != text:
            differ.append(page.name)
            if not check:
                page.write_text(new, encoding="utf-8")
    if check and differ:
        print(f"run `python scripts/write_docs.py`: {', '.join(differ)} differ from docs/results/ and the package")
    return int(check and bool(differ))


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
