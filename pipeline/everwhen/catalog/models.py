"""Models of what `templates/` declares: entity lists, attributes, hops, descriptions, articles, units, declarations."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Literal

from pydantic import Field, model_validator

from everwhen.core.config import Section
from everwhen.core.models import StrictModel
from everwhen.wikidata.properties import Property


class EntityList(StrictModel):
    """A class of items that questions may be about, `templates/entities/<id>.yaml`.

    Membership, by SPARQL (`<id>.rq`) or over the dump: a best-rank statement `via` whose value is one of the `roots` or
    below it by best-rank subclass-of (P279) statements. With `ranks: all` every statement that is not deprecated
    counts.
    """

    id: str
    kind: Literal["event", "item"]
    noun: str
    """The class noun in a question, singular: "film", "aviation accident"."""
    plural: str
    which: str
    """How a choice among members begins: "Which film", "Who"."""
    plural_happened: str = "took place"
    """What several events did: "were held", "took place"."""
    roots: list[int] = Field(min_length=1)
    """Class roots as item ids without Q."""
    via: int = Property.INSTANCE_OF.value
    """Property id without P that leads from the member to its class."""
    ranks: Literal["best", "all"] = "best"
    too_long: bool = False
    """Whether no public SPARQL endpoint is known to answer it in time; it is pulled only if `pull.lists` names it."""
    linked: bool = False
    """Whether only members that a year page links to are in (the paper, Section 4.1: events)."""
    precedence: int
    """Of the lists an entity belongs to, the one with the least number gives its noun and topic."""
    min_views: int = 0
    """Members with fewer views in the configured period are left out (the paper, Section 4.1); 0 takes every member."""
    topic: str
    """IPTC Media Topic, for example "medtop:20000005"."""
    start: list[int]
    """Properties that date the member's beginning, in order of preference."""
    end: list[int] = []
    """Properties that date its end; without one an event ends when it starts and an item is open."""
    country: list[int] = [Property.COUNTRY.value]
    """Properties that lead to its country."""
    group: str | None = None
    """Lists of events with the same group are compared with each other by time; without one a list is by itself."""
    alike_by: list[int] = []
    """Properties whose values members share that are compared with each other: people of one occupation and country."""
    own_country: bool = False
    """Whether a member is a country itself, and so its own."""
    with_class: str | None = None
    """Its name when the label alone is ambiguous, with {label}: "the film {label}"."""
    says_class: list[str] = []
    """Words that say the class too, beside the noun: a label with one takes no class ("the mountain Mount Fuji")."""
    titles: bool = False
    """Whether labels are titles that other works may have, too: an ambiguous one has its year, and not its class."""
    with_year: str | None = None
    """Its name when that is ambiguous too, with {label} and {year}: "the {year} film {label}"."""
    vehicle: str | None = None
    """Which labels name a vehicle and not what happened to it; a regular expression (Java's) that matches somewhere."""
    with_vehicle: str | None = None
    """The name of what happened to it, with {label}: "the crash of {label}"."""
    happen: str = "take place"
    """What a member does when it happens, after "did": "take place", "happen"."""
    happened: str = "took place"
    """What one did, after its name: "took place", "was first released"."""
    begin: str = "begin"
    """What it does when it begins, after "did"."""
    end_verb: str = "end"
    """What it does when it ends, after "did"."""

    @model_validator(mode="after")
    def _check_names(self) -> EntityList:
        if (self.vehicle is None) != (self.with_vehicle is None):
            raise ValueError("vehicle and with_vehicle: one is no use without the other")
        return self


class Attribute(StrictModel):
    """An attribute that an event or an item has, one entry of `templates/attributes.yaml`."""

    id: str
    property: int
    """Property id without P."""
    value: Literal["quantity", "time", "item"]
    kind: Literal["event", "item"]
    lists: list[str] = []
    """Entity lists whose members are asked for it; empty: all of its kind."""
    pick: Literal["one", "earliest", "year", "all"] = "one"
    """What to do with several values: no question, the earliest time, the one year of all times, or take each (for
    counting alone)."""
    unit: int | None = None
    """The unit it is asked in, as item id without Q; None for a bare number."""
    words: dict[str, str] = {}
    """What templates may say of it: noun, verb, …"""


COMPARING_WORDS = ("which", "subject", "verb", "rest", "high", "low", "than_high", "than_low")
"""The words that compare two heads by what their property paths lead to."""

MAX_PATH_LENGTH = 4
"""The greatest number of properties that a path reads, one after the other."""


class PropertyPath(StrictModel):
    """A property path: properties with one value each, one entry of `templates/hops.yaml`."""

    id: str
    kind: Literal["event", "item"]
    lists: list[str] = []
    """Entity lists whose members are heads; empty: all of its kind."""
    hops: list[int] = Field(min_length=2)
    """Property ids without P in order of use: all but the last lead to an item, the last is what is asked of."""
    reads: int | None = None
    """The quantity asked for of the item that the last hop leads to; None: the last hop's own value is asked for."""
    value: Literal["quantity", "time", "item"]
    """What is asked for."""
    unit: int | None = None
    """The unit it is asked in, as item id without Q; None for a bare number."""
    compare: dict[str, str] = {}
    """Words for comparing two heads by it: which chooses, subject, verb and rest state it; the others are degrees."""
    words: dict[str, str] = {}
    """What templates may say of it: the questions ask and ask_too, with {head}; without them it is only compared."""

    @property
    def properties(self) -> list[int]:
        """All properties that are read, in order."""
        return [*self.hops, *([] if self.reads is None else [self.reads])]

    @model_validator(mode="after")
    def _check_path(self) -> PropertyPath:
        if len(self.properties) > MAX_PATH_LENGTH:
            raise ValueError(f"hops and reads: no more than {MAX_PATH_LENGTH} properties in all")
        if self.value != "quantity" and (self.reads is not None or self.unit is not None):
            raise ValueError("reads and unit: for quantities alone")
        if self.value == "item" and self.compare:
            raise ValueError("compare: items are not compared")
        if self.compare and set(self.compare) != set(COMPARING_WORDS):
            raise ValueError(f"compare: {', '.join(COMPARING_WORDS)} are expected")
        return self


ITEM_SLOTS = ("first", "second", "third")
"""The slots of the item values that a description mentions, in the order of the values."""


class Description(StrictModel):
    """A pattern of referring expressions, one entry of `templates/descriptions.yaml`."""

    id: str
    kind: Literal["event", "item"]
    lists: list[str] = []
    """Entity lists whose members are described; empty: all of its kind that are not linked."""
    attribute: str
    """Id of the attribute that it mentions: a quantity, or an item-valued one that takes all values."""
    values: Literal[1, 2, 3] = 1
    """How many item values it mentions."""
    implies: list[int] = []
    """Properties that follow from the mentioned value, as the country from a town: no question asks for them."""
    in_order: bool = False
    """Whether it mentions the values with series ordinals (P1545) from 1 on, in order; else any, by hash."""
    least: int = Field(default=1, ge=1)
    """The least amount that is mentioned: "that killed two people" fits too many."""
    decimals: int = Field(default=0, ge=0)
    """How many digits after the point a quantity may have; with more it is not mentioned."""
    country: bool = False
    """Whether it also mentions the one country."""
    year: bool = False
    """Whether it also mentions the year: an event's, from start to end, or the one in which an item begins."""
    fallback: bool = False
    """Whether it is used only where no other pattern describes the subject."""
    complete: Literal["films_by", "books_by"] | None = None
    """What must be declared complete for that year: "the 1994 film directed by …" says that there was no other."""
    says: str
    """The words, with {class} where they are for more than one list, and {year}, {country}, {amount} (with a year) or
    {first}, {second} and {third}."""
    check: str
    """SQL that derives for each row of a view `d` what fills the slots of `says`, and how many others fit."""

    @model_validator(mode="after")
    def _check_pattern(self) -> Description:
        shared = {"class"} | ({"year"} if self.year else set()) | ({"country"} if self.country else set())
        used = find_slots(self.says) | ({"class"} if len(self.lists) == 1 else set())
        if used not in (shared | {"amount"}, shared | set(ITEM_SLOTS[: self.values])):
            raise ValueError(f"says: slots {', '.join(sorted(used))} do not fit values, year and country")
        if "amount" in used and not self.year:
            raise ValueError("says: {amount} needs {year} beside it")
        return self

    @property
    def mentions_quantity(self) -> bool:
        """Whether it mentions a quantity, and not items."""
        return "amount" in find_slots(self.says)


SLOT = re.compile(r"\{(\w+)\}")


def find_slots(text: str) -> set[str]:
    """Find the names in braces in a text."""
    return set(SLOT.findall(text))


class UnitDeclaration(StrictModel):
    """A unit of measurement and its exact factor to the unit of its dimension."""

    id: int
    """Item id without Q."""
    name: str
    """Singular."""
    plural: str
    base: int
    """The unit of its dimension (SI) as item id without Q."""
    factor: Decimal
    """One of this unit is `factor` of the base unit, exactly."""


class Articles(StrictModel):
    """Which labels take "the" (`templates/articles.yaml`)."""

    events: list[str]
    """Regular expressions (Java's) that an event's label matches somewhere."""
    items: list[str]
    """Regular expressions (Java's) that an item's label matches somewhere, titles of works left out."""
    places: list[str]
    """Whole labels."""
    awards: list[str]
    """Regular expressions (Java's) that an award's label matches somewhere."""


class CompleteDeclaration(Section):
    """What the facts hold completely from one year to another, an entry of `templates/complete.yaml`.

    A configuration may have such entries, too. One of list, position, award, films_by, films_with and books_by is set.
    """

    list: str | None = None
    """Id of an entity list of events, or all: every event of the class that is in the years."""
    position: int | Literal["all"] | None = None
    """Item id without Q, or all: everybody who held it on a day of the years."""
    award: int | Literal["all"] | None = None
    """Item id without Q, or all: every award of it in the years."""
    films_by: int | Literal["all"] | None = None
    """Item id of a director without Q, or all: every film of the years."""
    films_with: Literal["all"] | None = None
    """The casts of all films of the years."""
    books_by: int | Literal["all"] | None = None
    """Item id of an author without Q, or all: every book of the years."""
    start: int = Field(ge=1, le=9999)
    """The first year."""
    end: int = Field(ge=1, le=9999)
    """The last year."""
    members: int | None = Field(default=None, ge=1)
    """How many events, people, awards, films or books there are; where the facts hold another number, nothing is
    counted. Needed unless all is declared."""
    source: str = Field(min_length=1)
    """Where this is known from."""

    @property
    def what(self) -> str:
        """The key that says what is complete."""
        return next(key for key in DECLARED if getattr(self, key) is not None)

    @model_validator(mode="after")
    def _check_counts(self) -> CompleteDeclaration:
        if sum(getattr(self, key) is not None for key in DECLARED) != 1:
            raise ValueError(f"one of {', '.join(DECLARED)} is expected")
        if self.start > self.end:
            raise ValueError("start: is after end")
        if (getattr(self, self.what) == "all") != (self.members is None):
            raise ValueError("members: expected of one item, and not of all")
        return self


DECLARED = ("list", "position", "award", "films_by", "films_with", "books_by")
"""The keys of a declaration that say what is complete."""
