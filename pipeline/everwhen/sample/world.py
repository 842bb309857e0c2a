"""What the embedded sample world is made of: items, statements, snaks, and the sentences of its year pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from everwhen.temporal.precision import Precision

TIME = re.compile(
    r"(?P<year>[0-9]{4})(?:-(?P<month>[0-9]{2})(?:-(?P<day>[0-9]{2}))?| (?P<coarse>decade|century))?"
    r"(?P<julian> julian)?(?: before (?P<before>[1-9][0-9]*))?(?: after (?P<after>[1-9][0-9]*))?"
    r"(?: (?P<defect>BCE|day 00|Hebrew))?"
)
"""A time, for example `1343 before 3 after 2`: any year from 1340 to 1345. One with a defect is for the dump alone."""
TOLERANCES = ("before", "after")
OTHER_WIKIS = ("dewiki", "frwiki", "eswiki", "itwiki", "jawiki", "ruwiki", "plwiki", "nlwiki", "ptwiki", "svwiki")
"""Wikis beside the English Wikipedia, those that an item's sitelinks go to first."""
QUANTITY = re.compile(r"([+-]?[0-9]+(?:\.[0-9]+)?)(?: Q([1-9][0-9]*))?")


@dataclass(frozen=True)
class Time:
    """A date of the compact form: its length is its precision (9 year, 10 month, 11 day), or a word is."""

    year: int
    month: int
    day: int
    julian: bool
    coarse: str | None = None
    """decade or century; None where it is a year or finer."""
    before: int = 0
    """How many units of the precision before it the time may have been."""
    after: int = 0
    """How many units of the precision after it the time may have been."""
    defect: str | None = None
    """Why no reader takes it: BCE, day 00 at precision day, Hebrew for another calendar; None where it is sound."""

    @property
    def precision(self) -> int:
        """Wikidata's number for the precision."""
        if self.defect == "day 00":
            return Precision.DAY
        if self.coarse:
            return Precision.DECADE if self.coarse == "decade" else Precision.CENTURY
        return Precision.DAY if self.day else Precision.MONTH if self.month else Precision.YEAR


@dataclass(frozen=True)
class Quantity:
    """An amount as written and its unit as item id without Q, 0 for a bare number."""

    amount: str
    unit: int

    @property
    def signed_amount(self) -> str:
        """The amount with a sign, as Wikidata writes it."""
        return self.amount if self.amount[0] in "+-" else f"+{self.amount}"


@dataclass(frozen=True)
class Snak:
    """A property with a value, or with the word that there is none or that it is unknown.

    Attributes:
        property_id: Property id without P.
        datatype: item, time, quantity, string, monolingualtext (its text is English) or external-id.
        kind: value, somevalue or novalue.
        text: The value as written in the compact form.
    """

    property_id: int
    datatype: str
    kind: str
    text: str

    def __repr__(self) -> str:
        """What dataclasses write, in half the time: ids of statements are made of it."""
        return (
            f"Snak(property_id={self.property_id:d}, datatype={self.datatype!r}, kind={self.kind!r},"
            f" text={self.text!r})"
        )

    @property
    def item(self) -> int:
        """The item id without Q."""
        return int(self.text[1:])

    @property
    def time(self) -> Time:
        """The date."""
        found = TIME.fullmatch(self.text)
        assert found
        year, month, day, before, after = (int(found[name] or 0) for name in ("year", "month", "day", *TOLERANCES))
        return Time(year, month, day, bool(found["julian"]), found["coarse"], before, after, found["defect"])

    @property
    def quantity(self) -> Quantity:
        """The amount and its unit."""
        found = QUANTITY.fullmatch(self.text)
        assert found
        return Quantity(found.group(1), int(found.group(2) or 0))

    def list_items(self) -> Iterator[int]:
        """The items that this snak mentions, as value or as unit."""
        if self.kind == "value" and self.datatype == "item":
            yield self.item
        if self.kind == "value" and self.datatype == "quantity" and self.quantity.unit:
            yield self.quantity.unit


@dataclass(frozen=True)
class Statement:
    """A claim with its rank and qualifiers."""

    snak: Snak
    rank: str
    qualifiers: tuple[Snak, ...]

    def __repr__(self) -> str:
        """What dataclasses write, in half the time: ids of statements are made of it."""
        return f"Statement(snak={self.snak!r}, rank={self.rank!r}, qualifiers={self.qualifiers!r})"


@dataclass(frozen=True)
class Item:
    """An item of the sample.

    Attributes:
        id: Item id without Q.
        label: English label.
        description: English description; None without one.
        title: English Wikipedia article; None without one.
        views: English views in a month; None where they are unknown.
        statements: All statements, in the file's order.
        aliases: English aliases.
        sitelinks: How many wikis beside the English Wikipedia have an article on it.
    """

    id: int
    label: str
    description: str | None
    title: str | None
    views: int | None
    statements: tuple[Statement, ...]
    aliases: tuple[str, ...] = ()
    sitelinks: int = 0

    def select_best(self, property_id: int) -> tuple[Statement, ...]:
        """The best-rank statements of one property."""
        found = [s for s in self.statements if s.snak.property_id == property_id and s.rank != "deprecated"]
        preferred = tuple(s for s in found if s.rank == "preferred")
        return preferred or tuple(found)


@dataclass(frozen=True)
class SampleSentence:
    """A bullet of a year page: its date as written there ("" for none) and its wikitext."""

    year: int
    date: str
    wikitext: str


@dataclass(frozen=True)
class SampleWorld:
    """The sample.

    Attributes:
        items: Items by id.
        datatypes: Datatype (item, time, quantity, string, monolingualtext) by property id.
        sentences: Bullets of the year pages, in their order.
        redirects: Article by title that redirects to it, or to another redirect.
    """

    items: Mapping[int, Item]
    datatypes: Mapping[int, str]
    sentences: tuple[SampleSentence, ...]
    redirects: Mapping[str, str]
