"""The model of a request: which values are given, which are asked for, and what is required of start and end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Annotated, NamedTuple, Self

from pydantic import BeforeValidator, Field, model_validator

from everwhen.core.models import StrictModel
from everwhen.families.tdbench.declaration.time import Granularity
from everwhen.families.tdbench.relations import ENDPOINTS, AskedRelation, list_relations
from everwhen.temporal.allen import Relation
from everwhen.temporal.phrases import read_date
from everwhen.temporal.precision import Precision

_UNITS: Mapping[int, Granularity] = {Precision.DAY: "day", Precision.MONTH: "month", Precision.YEAR: "year"}


class StatedDate(NamedTuple):
    """A date as a request states it: its text, its first day, that of the unit after it, and its unit."""

    text: str
    day: date
    following: date
    unit: Granularity


def _read_stated_date(value: object) -> StatedDate:
    """Read an ISO date of any unit."""
    found = read_date(value) if isinstance(value, str) and value[:4].isdecimal() and " " not in value else None
    if found is None:
        kind = "" if isinstance(value, str) else ", as a text"
        raise ValueError(f"a date such as 1990-05-31, 1990-05 or 1990 is expected{kind}, found {value}")
    if found.first.year == date.max.year:  # the unit after it has no date
        raise ValueError(f"a year before {date.max.year} is expected, found {value}")
    return StatedDate(str(value), found.first, found.last + timedelta(days=1), _UNITS[found.precision])


Stated = Annotated[StatedDate, BeforeValidator(_read_stated_date)]


class RequestInterval(StrictModel):
    """An interval b: it starts before it ends, and its end is the unit in which it passes on."""

    start: Stated
    end: Stated

    @model_validator(mode="after")
    def _starts_before_it_ends(self) -> Self:
        if self.start.unit != self.end.unit:
            raise ValueError(f"all dates of a request have one unit, found {self.start.text} and {self.end.text}")
        if self.start.day >= self.end.day:
            raise ValueError(
                f"a start in an earlier unit than the end is expected, found {self.start.text} and {self.end.text}"
            )
        return self


class EndpointConditions(StrictModel):
    """What is required of a start or an end; a date is meant as the table states it."""

    before: Stated | None = None
    after: Stated | None = None
    on: Stated | None = None
    within: tuple[Stated, Stated] | None = None

    def list_comparisons(self) -> Iterator[tuple[str, StatedDate]]:
        """List signs with the dates that they compare with."""
        for sign, stated in (("<", self.before), (">", self.after), ("=", self.on)):
            if stated is not None:
                yield sign, stated
        if self.within is not None:
            yield from zip((">=", "<="), self.within, strict=True)


class RequestConditions(StrictModel):
    """Conditions on start and end."""

    start: EndpointConditions = EndpointConditions()
    end: EndpointConditions = EndpointConditions()


class Request(StrictModel):
    """A request.

    Attributes:
        id: What the line of the answer is found by.
        given: Columns with the values that rows must have.
        asked: The columns that are asked for.
        relation: How a row relates to b; its conditions are those of a build's questions.
        short: Whether started_by and finished_by require the shared endpoint alone.
        b: The interval of the relation.
        conditions: What is required of start and end, in place of relation and b.
        granularity: The unit in which times are compared; by default that of the dates.
    """

    id: str | int | None = None
    given: Annotated[dict[str, str], Field(min_length=1)]
    asked: Annotated[tuple[str, ...], Field(min_length=1)]
    relation: Relation | None = None
    short: bool = False
    b: RequestInterval | None = None
    conditions: RequestConditions | None = None
    granularity: Granularity | None = None

    @property
    def unit(self) -> Granularity:
        """The unit in which times are compared."""
        return self.granularity or self._dates[0].unit

    @property
    def _dates(self) -> list[StatedDate]:
        return [stated for _, _, stated in self.list_comparisons()]

    @property
    def asked_relation(self) -> AskedRelation | None:
        """The relation with its conditions; None where the request states conditions of its own."""
        wanted = (self.relation, self.short)
        relations = list_relations(is_short=True)
        return next((each for each in relations if (each.relation, each.is_short) == wanted), None)

    def list_comparisons(self) -> Iterator[tuple[str, str, StatedDate]]:
        """List what is required: endpoint, sign, date."""
        if self.conditions is not None:
            for endpoint, required in (("start", self.conditions.start), ("end", self.conditions.end)):
                yield from ((endpoint, sign, stated) for sign, stated in required.list_comparisons())
        elif self.b is not None and self.asked_relation is not None:
            dates = {"b_start": self.b.start, "b_end": self.b.end}
            for (endpoint, other), sign in zip(ENDPOINTS, self.asked_relation.conditions, strict=True):
                if sign != ".":
                    yield endpoint, sign, dates[other]

    @model_validator(mode="after")
    def _is_one_question(self) -> Self:
        if (self.relation is None) != (self.b is None) or (self.relation is None) == (self.conditions is None):
            raise ValueError("either relation with b, or conditions are expected")
        if self.short and self.relation not in (Relation.STARTED_BY, Relation.FINISHED_BY):
            raise ValueError("short: only started_by and finished_by have a shared endpoint")
        if not self._dates:
            raise ValueError("conditions: nothing is required of start or end")
        for each in self._dates:
            if each.unit != self.unit:
                raise ValueError(f"{each.text} is no {self.unit}; all dates of a request have one unit")
        if both := set(self.given) & set(self.asked):
            raise ValueError(f"asked: {min(both)} is given")
        return self
