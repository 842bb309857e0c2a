"""Reading one entity list from a SPARQL endpoint, in parts small enough to be answered in time."""

from __future__ import annotations

import hashlib
import re
import time
from dataclasses import dataclass
from typing import Any

from everwhen.core.config import Pull
from everwhen.core.http import Client
from everwhen.core.retries import Attempts, retry
from everwhen.sources.list_query import ALL_MEMBERS, ListQuery, Part
from everwhen.sources.pull_manifest import Log
from everwhen.sources.sparql import CutOffError, ask_rows

ITEM = re.compile(r"https?://www\.wikidata\.org/entity/Q([1-9][0-9]*)")
LEAST_PAGE = 100


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

    def _read(self, part: Part) -> None:
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

    def _fetch_complete_part(self, part: Part) -> Rows | None:
        """Fetch all members of a part; None where they are more than a page or not answered in time."""
        most = self._pull.sparql_page + 1
        try:
            rows = self._persist(self._query.build_query(part, most), most, 0)
        except CutOffError:
            time.sleep(self._pull.backoff)
            return None
        return rows if rows.total < most else None

    def _read_pages(self, part: Part) -> None:
        limit = self._pull.sparql_page
        cuts, changes = (
            Attempts(self._describe_part(part), self._client.policy),
            Attempts(self._describe_part(part), self._client.policy),
        )
        while not self._is_complete(part):
            pages = self._pages.get(part.name, [])
            # Each page begins with the last row of the one before it: by that is seen whether rows have moved.
            last = pages[-1].collect_values() if pages else set()
            overlap = min(1, len(last))
            most, offset = limit + overlap, sum(map(len, pages)) - overlap
            try:
                page = self._persist(self._query.build_page_query(part, most, offset), most, offset)
            except CutOffError as error:
                if limit > LEAST_PAGE:
                    limit = max(LEAST_PAGE, limit // 2)
                    time.sleep(self._pull.backoff)
                else:
                    cuts.wait(f"{error}; pull.lists can leave out a list that is too long")
                continue
            again = last & page.collect_values()
            if len(again) == overlap and all(page.total == before.total for before in pages):
                items, others = ([v for v in values if v not in again] for values in (page.items, page.others))
                self._write(part, items=items, others=others, total=page.total)
                cuts = Attempts(self._describe_part(part), self._client.policy)
            else:
                self._write(part, changed=True)
                changes.wait("the list changes while it is read")

    def _persist(self, query: str, limit: int, offset: int) -> Rows:
        return retry(self._pull.sparql_endpoint, self._client.policy, lambda: self._ask(query, limit, offset))

    def _is_complete(self, part: Part) -> bool:
        """Whether all rows of a part are there."""
        pages = self._pages.get(part.name, [])
        return bool(pages) and sum(map(len, pages)) >= pages[-1].total

    def _ask(self, query: str, limit: int, offset: int) -> Rows:
        """A whole answer to one query.

        Raises:
            CutOffError: It is not whole.
        """
        rows = read_rows(ask_rows(self._client, self._pull.sparql_endpoint, query))
        expected = max(0, min(limit, rows.total - offset))
        if len(rows.collect_values()) != expected:
            raise CutOffError(f"{len(rows.collect_values())} rows in place of {expected}")
        return rows

    def _write(self, part: Part, **what: Any) -> None:
        line = {"part": part.name, **what}
        self._log.append(line)
        self._enter(line)

    def _enter(self, line: dict[str, Any]) -> None:
        """Take note of a line of the log."""
        name = line["part"]
        if "divided" in line:
            self._divided.add(name)
        elif "changed" in line:
            self._pages[name] = []
        else:
            self._pages.setdefault(name, []).append(Rows(line["total"], line["items"], line["others"]))

    def _describe_part(self, part: Part) -> str:
        return f"{self._pull.sparql_endpoint}: {self._query.list_id}, {part.name}"


def read_rows(bindings: list[dict[str, Any]]) -> Rows:
    """The rows of an answer.

    Raises:
        CutOffError: The row that counts them is missing, or there are no others.
    """
    try:
        totals = [int(row["total"]["value"]) for row in bindings if "total" in row]
        values = [str(row["item"]["value"]) for row in bindings if "total" not in row]
    except (KeyError, TypeError, ValueError, AttributeError):
        raise CutOffError("an answer with rows that were not asked for") from None
    if len(totals) != 1:
        raise CutOffError("an answer without the row that counts its rows")
    found = [ITEM.fullmatch(value) for value in values]
    items = [int(match.group(1)) for match in found if match]
    return Rows(totals[0], items, [value for value, match in zip(values, found, strict=True) if not match])
