"""Queries for an entity list, whole or in parts by year; each asks, too, how many rows make its answer whole."""

from __future__ import annotations

from dataclasses import dataclass

from everwhen.catalog.models import EntityList
from everwhen.core.errors import InputError
from everwhen.core.resources import find_templates

SELECT = "SELECT DISTINCT ?item WHERE {"
DIRECT = "http://www.wikidata.org/prop/direct/P"
PIVOT = 1900
"""The year at which all years are cut in two."""
CENTURY = 100
FARTHEST = 3_000
"""No part that has no bound is cut any further from year 0 than this."""


@dataclass(frozen=True)
class Part:
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

    def split(self) -> tuple[Part, ...]:
        """Split the part into parts that together equal it; none where it cannot be divided.

        A member with several dates may be in several parts.
        """
        if self.dated is None:
            return (Part(False), Part(True, None, PIVOT - 1), Part(True, PIVOT, None))
        cut = self._cut()
        return () if cut is None else (Part(True, self.first, cut - 1), Part(True, cut, self.last))

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


ALL_MEMBERS = Part()


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

    def split_part(self, part: Part) -> tuple[Part, ...]:
        """Split `part`; nothing where no property dates the members."""
        return part.split() if self.dated_by else ()

    def build_query(self, part: Part, most: int) -> str:
        """Build the query for all members of `part`, or `most` of them if there are more.

        Beside rows with ?item the answer has one row with ?total, how many of those there are. A row that is not there
        is missed by it, even where the endpoint ends its JSON in good order.
        """
        return self._with_total(part, f"LIMIT {most}", f"LIMIT {most}")

    def build_page_query(self, part: Part, limit: int, offset: int) -> str:
        """Build the query for a page of `part`, in the order of addresses; ?total counts all members."""
        return self._with_total(part, "", f"ORDER BY ?item LIMIT {limit} OFFSET {offset}")

    def _with_total(self, part: Part, counted: str, given: str) -> str:
        prologue, _, pattern = self.text.partition(SELECT)
        members = f"{SELECT}\n{pattern.rstrip().removesuffix('}').strip()}\n{self._build_filter(part)}}}"
        return (
            f"{prologue}SELECT ?total ?item WHERE {{\n"
            f"{{ SELECT (COUNT(*) AS ?total) WHERE {{ {{ {members} {counted} }} }} }}\n"
            "UNION\n"
            f"{{ {members} {given} }}\n"
            "}\n"
        )

    def _build_filter(self, part: Part) -> str:
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
