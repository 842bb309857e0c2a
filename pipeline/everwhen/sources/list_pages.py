"""Reading one entity list from a SPARQL endpoint, in parts small enough to be answered in time."""

from __future__ import annotations

import hashlib
import re
import time
from dataclasses import dataclass, replace
from typing import Any

from SPARQLWrapper import JSON, POST, SPARQLWrapper

from everwhen.catalog.models import EntityList
from everwhen.core.answers import TooLargeError
from everwhen.core.config import Pull
from everwhen.core.errors import InputError
from everwhen.core.http import Client
from everwhen.core.resources import find_templates
from everwhen.core.retries import Attempts, IncompleteError, RetryableError, retry
from everwhen.sources.pull_manifest import Log

TIMED_OUT = (b"TimeoutException", b"QueryTimeoutException", b"timed out")
"""What the body of status 500 says when the endpoint has stopped at its time limit."""


class CutOffError(Exception):
    """Not the whole answer, the endpoint having stopped at its time limit: a smaller question may be answered."""


class _RequestMaker(SPARQLWrapper):
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
    body, headers = _RequestMaker(endpoint).build_request(query)
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


SELECT = "SELECT DISTINCT ?item WHERE {"
DIRECT = "http://www.wikidata.org/prop/direct/P"
PIVOT = 1900
"""The year at which all years are cut in two."""
CENTURY = 100
"""Years that are cut off a part without a bound; what remains is cut again where that is too much."""
FARTHEST = 3_000
"""No part that has no bound is cut any further from year 0 than this."""


@dataclass(frozen=True)
class MemberPart:
    """Some members of a list: those of some years, both ends included; or those of no year; or all.

    Attributes:
        dated: Whether they have a date; None: all members.
        first: The first year; None: no limit.
        last: The last year; None: no limit.
    """

    dated: bool | None = None
    first: int | None = None
    last: int | None = None

    @property
    def name(self) -> str:
        """How the part is called in logs and messages."""
        if not self.dated:
            return "all" if self.dated is None else "undated"
        return f"{'' if self.first is None else self.first}..{'' if self.last is None else self.last}"

    def split(self) -> tuple[MemberPart, ...]:
        """Split the part into parts that together equal it; none where it cannot be divided.

        A member with several dates may be in several parts.
        """
        if self.dated is None:
            return (MemberPart(False), MemberPart(True, None, PIVOT - 1), MemberPart(True, PIVOT, None))
        cut = self._cut()
        return () if cut is None else (MemberPart(True, self.first, cut - 1), MemberPart(True, cut, self.last))

    def _cut(self) -> int | None:
        """The year with which the later half begins."""
        match (self.first, self.last):
            case (None, int(last)):
                return last - CENTURY + 1 if last > -FARTHEST else None
            case (int(first), None):
                return first + CENTURY if first < FARTHEST else None
            case (int(first), int(last)) if first < last:
                return (first + last + 1) // 2
        return None


ALL_MEMBERS = MemberPart()


@dataclass(frozen=True)
class ListQuery:
    """The query of a list.

    Attributes:
        list_id: Id of the list.
        text: The query as its file has it.
        dated_by: Properties that date a member's beginning.
    """

    list_id: str
    text: str
    dated_by: tuple[int, ...]

    def split_part(self, part: MemberPart) -> tuple[MemberPart, ...]:
        """Split `part`; nothing where no property dates the members."""
        return part.split() if self.dated_by else ()

    def build_query(self, part: MemberPart, most: int) -> str:
        """Build the query for all members of `part`, or `most` of them if there are more.

        Beside rows with ?item the answer has one row with ?total, how many of those there are. A row that is not there
        is missed by it, even where the endpoint ends its JSON in good order.
        """
        return self._with_total(part, f"LIMIT {most}", f"LIMIT {most}")

    def build_page_query(self, part: MemberPart, limit: int, offset: int) -> str:
        """Build the query for a page of `part`, in the order of addresses; ?total counts all members."""
        return self._with_total(part, "", f"ORDER BY ?item LIMIT {limit} OFFSET {offset}")

    def _with_total(self, part: MemberPart, counted: str, given: str) -> str:
        prologue, _, pattern = self.text.partition(SELECT)
        members = f"{SELECT}\n{pattern.rstrip().removesuffix('}').strip()}\n{self._build_filter(part)}}}"
        return (
            f"{prologue}SELECT ?total ?item WHERE {{\n"
            f"{{ SELECT (COUNT(*) AS ?total) WHERE {{ {{ {members} {counted} }} }} }}\n"
            "UNION\n"
            f"{{ {members} {given} }}\n"
            "}\n"
        )

    def _build_filter(self, part: MemberPart) -> str:
        """Build the conditions that the members of `part` alone meet."""
        if part.dated is None:
            return ""
        dated = f"?item {'|'.join(f'<{DIRECT}{p}>' for p in self.dated_by)} ?when ."
        if not part.dated:
            # An unknown date is in the data, but of no year: comparing it is an error, and so no match.
            return f"FILTER NOT EXISTS {{ {dated} FILTER(YEAR(?when) < {PIVOT} || YEAR(?when) >= {PIVOT}) }}\n"
        bounds = [f"YEAR(?when) >= {part.first}"] if part.first is not None else []
        bounds += [f"YEAR(?when) <= {part.last}"] if part.last is not None else []
        return f"{dated}\nFILTER({' && '.join(bounds)})\n"


def list_query(entry: EntityList) -> ListQuery:
    """The query of a list, without order and limit.

    Raises:
        InputError: There is none, or it has another shape than `SELECT DISTINCT ?item WHERE { … }`.
    """
    path = find_templates() / "entities" / f"{entry.id}.rq"
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; the list {entry.id} needs a query") from None
    if text.count(SELECT) != 1 or not text.rstrip().endswith("}"):
        raise InputError(f"{path}: a query of the form {SELECT} … }} is expected")
    return ListQuery(entry.id, text, tuple(entry.start))


ITEM = re.compile(r"https?://www\.wikidata\.org/entity/Q([1-9][0-9]*)")
MIN_PAGE_ROWS = 100
"""Rows of the smallest page: an endpoint that cannot answer these in time answers no page."""


@dataclass(frozen=True)
class Rows:
    """A whole answer.

    Attributes:
        total: How many rows there are, as the endpoint has counted them.
        items: The items among the rows.
        others: The values of the other rows, such as a property or an unknown value.
    """

    total: int
    items: list[int]
    others: list[str]

    def __len__(self) -> int:
        """How many rows these are."""
        return len(self.items) + len(self.others)

    def collect_values(self) -> set[int | str]:
        """Collect the values of the rows."""
        return {*self.items, *self.others}


class ListReader:
    """Reads a list, and logs what has arrived so that it is not asked for again.

    No query asks for more than a page of rows. A part of the list that has more, or is not answered in time, is divided
    by the years of its members; what cannot be divided any further, one year or those without a date, is asked for in
    pages.
    """

    def __init__(self, client: Client, pull: Pull, query: ListQuery, log: Log) -> None:
        """Prepare to read the list; what `log` has of another query or endpoint is forgotten."""
        self._client = client
        self._pull = pull
        self._query = query
        self._log = log
        marked = f"{pull.sparql_endpoint}\n{query.dated_by}\n{query.text}"
        mark = {"query": hashlib.sha256(marked.encode()).hexdigest()}
        if log.lines[:1] != [mark]:
            log.clear()
            log.append(mark)
        self._pages: dict[str, list[Rows]] = {}
        self._divided: set[str] = set()
        for line in log.lines[1:]:
            self._enter(line)

    def read(self) -> tuple[list[int], list[str]]:
        """The items of the list, ascending, and what else it has; each once.

        Raises:
            RefusedError: The endpoint refuses the query.
            InputError: It does not answer.
        """
        self._read(ALL_MEMBERS)
        pages = [page for pages in self._pages.values() for page in pages]
        return sorted({i for page in pages for i in page.items}), sorted({o for page in pages for o in page.others})

    def _read(self, part: MemberPart) -> None:
        smaller = self._query.split_part(part)
        if not smaller:
            self._read_pages(part)
        elif part.name not in self._divided and part.name not in self._pages:
            rows = self._fetch_complete_part(part)
            if rows is not None:
                self._write(part, items=rows.items, others=rows.others, total=rows.total)
            else:
                self._write(part, divided=True)
        if part.name in self._divided:
            for one in smaller:
                self._read(one)

    def _fetch_complete_part(self, part: MemberPart) -> Rows | None:
        """Fetch all members of a part; None where they are more than a page or not answered in time."""
        most = self._pull.sparql_page + 1
        try:
            rows = self._persist(self._query.build_query(part, most), most, 0)
        except CutOffError:
            time.sleep(self._pull.backoff)
            return None
        return rows if rows.total < most else None

    def _read_pages(self, part: MemberPart) -> None:
        limit = self._pull.sparql_page
        cuts, changes = self._count_attempts(part), self._count_attempts(part)
        while not self._is_complete(part):
            pages = self._pages.get(part.name, [])
            # Each page begins with the last row of the one before it: by that is seen whether rows have moved.
            last = pages[-1].collect_values() if pages else set()
            overlap = min(1, len(last))
            most, offset = limit + overlap, sum(map(len, pages)) - overlap
            try:
                page = self._persist(self._query.build_page_query(part, most, offset), most, offset)
            except CutOffError as error:
                if limit > MIN_PAGE_ROWS:
                    limit = max(MIN_PAGE_ROWS, limit // 2)
                    time.sleep(self._pull.backoff)
                else:
                    cuts.wait(f"{error}; pull.lists can leave out a list that is too long")
                continue
            if self._continue_part(part, last, page):
                cuts = self._count_attempts(part)
            else:
                changes.wait("the list changes while it is read")

    def _continue_part(self, part: MemberPart, last: set[int | str], page: Rows) -> bool:
        """Write a page behind the last one of its part; one that does not follow it begins the part anew."""
        again = last & page.collect_values()
        pages = self._pages.get(part.name, [])
        if len(again) != min(1, len(last)) or any(page.total != before.total for before in pages):
            self._write(part, changed=True)
            return False
        items, others = ([v for v in values if v not in again] for values in (page.items, page.others))
        self._write(part, items=items, others=others, total=page.total)
        return True

    def _count_attempts(self, part: MemberPart) -> Attempts:
        what = f"{self._pull.sparql_endpoint}: {self._query.list_id}, {part.name}"
        return Attempts(what, self._client.policy)

    def _persist(self, query: str, limit: int, offset: int) -> Rows:
        return retry(self._pull.sparql_endpoint, self._client.policy, lambda: self._ask(query, limit, offset))

    def _is_complete(self, part: MemberPart) -> bool:
        pages = self._pages.get(part.name, [])
        return bool(pages) and sum(map(len, pages)) >= pages[-1].total

    def _ask(self, query: str, limit: int, offset: int) -> Rows:
        """A whole answer to one query."""
        rows = read_rows(ask_rows(self._client, self._pull.sparql_endpoint, query))
        expected = max(0, min(limit, rows.total - offset))
        if len(rows.collect_values()) != expected:
            raise CutOffError(f"{len(rows.collect_values())} rows in place of {expected}")
        return rows

    def _write(self, part: MemberPart, **what: Any) -> None:
        line = {"part": part.name, **what}
        self._log.append(line)
        self._enter(line)

    def _enter(self, line: dict[str, Any]) -> None:
        name = line["part"]
        if "divided" in line:
            self._divided.add(name)
        elif "changed" in line:
            self._pages[name] = []
        else:
            self._pages.setdefault(name, []).append(Rows(line["total"], line["items"], line["others"]))


def read_rows(bindings: list[dict[str, Any]]) -> Rows:
    """The rows of an answer.

    Raises:
        CutOffError: The row that counts them is missing, or there are no others.
    """
    totals: list[int] = []
    rows = Rows(0, [], [])
    try:
        for row in bindings:
            if "total" in row:
                totals.append(int(row["total"]["value"]))
            elif found := ITEM.fullmatch(value := str(row["item"]["value"])):
                rows.items.append(int(found[1]))
            else:
                rows.others.append(value)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise CutOffError("an answer with rows that were not asked for") from None
    if len(totals) != 1:
        raise CutOffError("an answer without the row that counts its rows")
    return replace(rows, total=totals[0])
