"""What a contract says in words of a result, or of one value of a parameter, is a part of it."""

from __future__ import annotations

from typing import Any

import pytest

from memorepair_graphdb.operators.builtin.chain.rewriting import rewrite
from memorepair_graphdb.operators.builtin.chain.tool_host import ChainFailed
from memorepair_graphdb.operators.contracts.statements import result_restated, value_restated

SOURCE = "def chain():\n    return read(method='get_review_comments')\n"


def contract(description: str, method: str = "") -> dict[str, Any]:
    schema = {"type": "object", "properties": {"method": {"type": "string", "description": method}}}
    return {"name": "read", "description": description, "inputSchema": schema}


def followed(old: dict[str, Any], new: dict[str, Any]) -> str:
    return rewrite(SOURCE, {"read": old}, {"read": new}, {"read": "read"}, {})


def test_a_tool_that_says_that_it_returns_another_thing_is_refused_where_its_result_is_read() -> None:
    """firecrawl_crawl returned an operation's id, and then what the crawl found."""
    old = contract("Starts a crawl.\n**Returns:** Operation ID for status checking.")
    new = contract("Crawls, polls until it ends.\n**Returns:** Final crawl status and data.")
    with pytest.raises(ChainFailed, match="another thing is returned"):
        followed(old, new)
    unread = "def chain():\n    read(method='x')\n"
    assert rewrite(unread, {"read": old}, {"read": new}, {"read": "read"}, {}) == unread


@pytest.mark.parametrize(
    "now",
    [
        "Crawls. **Returns:** Array of URLs, with their titles.",
        "Crawls. Returns an array of the URLs.",
        "Crawls, and says nothing of what comes.",
    ],
)
def test_a_statement_in_other_small_words_or_with_more_or_none_is_no_other_result(now: str) -> None:
    assert not result_restated(contract("Crawls. **Returns:** Array of URLs."), contract(now))


def test_a_schema_of_both_results_says_more_than_words() -> None:
    old, new = contract("Returns a job."), contract("Returns a report.")
    assert result_restated(old, new)
    assert not result_restated({**old, "outputSchema": {"type": "object"}}, {**new, "outputSchema": {"type": "object"}})


def test_a_value_whose_meaning_is_described_otherwise_is_refused_where_the_chain_gives_it() -> None:
    """pull_request_read of github-mcp-server: `get_review_comments` came to give review threads."""
    old = contract("", "1. get - Get details.\n2. get_review_comments - Get the review comments of it.")
    new = contract("", "1. get - Get the details.\n2. get_review_comments - Get review threads of it.")
    with pytest.raises(ChainFailed, match="'get_review_comments' is described as something else now"):
        followed(old, new)
    other = SOURCE.replace("get_review_comments", "get")
    assert rewrite(other, {"read": old}, {"read": new}, {"read": "read"}, {}) == other


def test_what_else_is_said_and_which_value_is_the_default_says_nothing_of_a_value() -> None:
    old = {"description": "open: issues that wait. The default is open."}
    assert not value_restated(
        "open", old, {"description": "open: all issues that still wait. Without it, all are listed."}
    )
    assert not value_restated("open", old, {"description": "Which of them."})
    assert value_restated("open", old, {"description": "open: issues that are locked."})
