"""Writes the tables of docs/ from the results in docs/results/, between their markers.

    python scripts/write_docs.py            writes them
    python scripts/write_docs.py --check    says which page differs, and ends with 1 where one does

A result is `{"command", "machine", "note", "columns": [text, …], "rows": [[text, …], …]}`.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

DOCS = Path(__file__).parent.parent / "docs"
_MARKED = re.compile(r"<!-- begin results: (\w+) -->\n.*?<!-- end results: \1 -->", re.DOTALL)


def table(name: str) -> str:
    """The result of that name as a Markdown table between its markers, with what was run on what."""
    result = json.loads((DOCS / "results" / f"{name}.json").read_text(encoding="utf-8"))
    lines = [result["columns"], ["---"] * len(result["columns"]), *result["rows"]]
    drawn = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    said = f"{result['note']}. `{result['command']}` on {result['machine']}."
    return f"<!-- begin results: {name} -->\n{drawn}\n\n*{said}*\n<!-- end results: {name} -->"


def written(text: str) -> str:
    """A page with its tables as they follow from the results."""
    return _MARKED.sub(lambda match: table(match[1]), text)


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
        print(f"run `python scripts/write_docs.py`: {', '.join(differ)} differ from docs/results/")
    return int(check and bool(differ))


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
