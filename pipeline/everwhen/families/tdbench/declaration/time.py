"""The model of a declaration's times: which columns have them, and what an end, no end or a short date means."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import BeforeValidator, Field, field_validator, model_validator

from everwhen.core.config_errors import describe, suggest_name
from everwhen.core.models import StrictModel
from everwhen.families.tdbench.declaration.formats import compile_format, normalize_word

Granularity = Literal["day", "month", "year"]
NamedPrecision = Literal["by_form", "day", "month", "year"]


def _read_day(value: Any) -> date:
    """Read a day from text; a bare number would become a second of 1970."""
    try:
        if isinstance(value, str) and len(value) == len("2025-01-02"):
            return date.fromisoformat(value)
    except ValueError:
        pass
    raise ValueError(f"a day is expected, such as 2025-01-02, found {value}")


def _read_word(value: Any) -> Any:
    """Take a number for the text that it is: 9999."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Words = tuple[Annotated[str, BeforeValidator(_read_word), Field(min_length=1)], ...]

Day = Annotated[date, BeforeValidator(_read_day)]


class PrecisionColumns(StrictModel):
    """Columns that say how precise the times are: day, month or year, or Wikibase's 11, 10 or 9.

    Attributes:
        column: The column of both times.
        start: The column of the start, where each time has its own.
        end: The column of the end.
    """

    column: str | None = None
    start: str | None = None
    end: str | None = None

    @model_validator(mode="after")
    def _names_a_column(self) -> Self:
        if (self.column is None) == (self.start is None):
            raise ValueError("either column, or start and end, names the columns of the precision")
        if self.column is not None and self.end is not None:
            raise ValueError("column is of both times: leave out end")
        return self


def _read_precision(value: Any) -> Any:
    """Read a precision by its one model, so that an error is of the key that has it."""
    if isinstance(value, PrecisionColumns) or value in get_args(NamedPrecision):
        return value
    if isinstance(value, dict):
        return PrecisionColumns.model_validate(value)
    known = "by_form, day, month or year is expected, or columns such as {column: P}"
    hint = suggest_name(value, get_args(NamedPrecision)) if isinstance(value, str) else ""
    raise ValueError(f"{known}, found {describe(value)}{hint}")


class TableTime(StrictModel):
    """When rows hold.

    Attributes:
        start: The column of the start; of points, of the date.
        end: The column of the end; without one, rows are points.
        ends: handover: the end is the day on which it passes on; inclusive: the last day (month, year) on which it
            holds, so that conditions use the unit after it.
        empty_end: What a row without an end means: ongoing, it holds still; unknown, the row is not used; next, it
            holds until the next start of its key.
        precision: by_form: 2010 is a year, 2010-05 a month; day, month or year: all times have it; or columns.
        padded: The precision that a date with a padded end has: of year, 2010-01-01 means the year 2010; of month,
            2010-05-01 means May 2010.
        as_of: The last day of which the table knows; required where ends are open.
        since: The first of January from which the table is complete. No question reaches before it, and none asks what
            ended before a date: who came earlier is not known. Questions that count take what began after it.
        formats: Formats of dates beside those that leave no doubt, with the directives of strptime: "%d/%m/%Y". A text
            that two of them read differently is rejected.
        open_words: Words of an open end, beside infinity, present, now, ongoing and current; also a date, such as
            2999-12-31, that means one. Case does not count.
        empty_words: Words that mean what an empty time does, beside -, NA, N/A, null, None and the like.
        ask: The units in which questions compare times.
        now: How questions name the last day of which the table knows: as_of, by its date; bare, as "at present".
    """

    start: str
    end: str | None = None
    ends: Literal["handover", "inclusive"] = "handover"
    empty_end: Literal["ongoing", "unknown", "next"] = "ongoing"
    precision: Annotated[NamedPrecision | PrecisionColumns, BeforeValidator(_read_precision)] = "by_form"
    padded: Literal["month", "year"] | None = None
    as_of: Day | None = None
    since: Day | None = None
    formats: tuple[str, ...] | None = None
    open_words: Words | None = None
    empty_words: Words | None = None
    ask: Annotated[tuple[Granularity, ...], Field(min_length=1)] = ("day", "month", "year")
    now: Literal["as_of", "bare"] = "as_of"

    @property
    def is_inclusive(self) -> bool:
        """Whether the table states last days (months, years), and not those on which rows pass on."""
        return self.end is not None and self.ends == "inclusive"

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that say when, and how precisely; they are no values."""
        precise = self.precision
        of_precision = (precise.column, precise.start, precise.end) if isinstance(precise, PrecisionColumns) else ()
        return tuple(dict.fromkeys(name for name in (self.start, self.end, *of_precision) if name is not None))

    @field_validator("formats")
    @classmethod
    def _check_formats(cls, formats: tuple[str, ...] | None) -> tuple[str, ...] | None:
        for form in formats or ():
            compile_format(form)
        return formats

    @model_validator(mode="after")
    def _has_a_meaning_for_each_word(self) -> Self:
        open_words, empty_words = (
            set(map(normalize_word, words or ())) for words in (self.open_words, self.empty_words)
        )
        if both := open_words & empty_words:
            raise ValueError(f"empty_words: {min(both)} is in open_words, too")
        return self

    @model_validator(mode="after")
    def _begins_with_a_year(self) -> Self:
        if self.since is not None and (self.since.month, self.since.day) != (1, 1):
            raise ValueError(f"since: the first of January of a year is expected, found {self.since}")
        if self.since is not None and self.as_of is not None and self.since > self.as_of:
            raise ValueError(f"since: {self.since} is after as_of, {self.as_of}")
        return self

    @model_validator(mode="after")
    def _has_two_columns(self) -> Self:
        if self.start == self.end:
            raise ValueError("start and end are the same column; leave out end where rows are points")
        return self
