"""SPARQL queries, made by SPARQLWrapper and sent by this project's client."""

from __future__ import annotations

from typing import Any

from SPARQLWrapper import JSON, POST, SPARQLWrapper

from everwhen.core.answers import TooLargeError
from everwhen.core.http import Client
from everwhen.core.retries import IncompleteError, RetryableError

TIMED_OUT = (b"TimeoutException", b"QueryTimeoutException", b"timed out")
"""What the body of status 500 says when the endpoint has stopped at its time limit."""


class CutOffError(Exception):
    """Not the whole answer, the endpoint having stopped at its time limit: a smaller question may be answered."""


class _Endpoint(SPARQLWrapper):
    """Only makes requests: its own way to send them follows redirects to anywhere and reads answers of any size."""

    def build_request(self, query: str) -> tuple[bytes, dict[str, str]]:
        """Body and headers of the request for the rows of `query` as JSON."""
        self.setMethod(POST)
        self.setReturnFormat(JSON)
        self.setOnlyConneg(True)
        self.setQuery(query)
        made = self._createRequest()
        assert isinstance(made.data, bytes)
        return made.data, dict(made.header_items())


def ask_rows(client: Client, endpoint: str, query: str) -> list[dict[str, Any]]:
    """Ask for the rows of `query` once; each has the bindings of its variables.

    Raises:
        CutOffError: The answer is no whole SPARQL JSON, or too large; or the endpoint says that it has timed out.
        RetryableError: There is no answer.
        RefusedError: The endpoint refuses the query.
    """
    body, headers = _Endpoint(endpoint).build_request(query)
    try:
        answer = client.ask(endpoint, body, headers=headers)
    except (IncompleteError, TooLargeError) as error:
        raise CutOffError(str(error)) from None
    if answer.status == 504 or (answer.status == 500 and any(text in answer.body for text in TIMED_OUT)):
        raise CutOffError(f"status {answer.status}, the query having timed out")
    answer.require_success()
    if not answer.body.lstrip().startswith(b"{"):
        raise RetryableError(f"an answer that is no JSON: {answer.preview}")
    try:
        rows: list[dict[str, Any]] = answer.parse_json()["results"]["bindings"]
    except (ValueError, KeyError, TypeError):
        raise CutOffError("an answer that is cut off or no SPARQL JSON") from None
    return rows
