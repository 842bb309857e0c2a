"""What a question asks by: a price, a day with or without an hour, or a country."""

from __future__ import annotations

import re
from typing import NamedTuple

from everwhen.families.impliret.config import Category
from everwhen.temporal.phrases import MONTHS, read_date

PRICE = re.compile(r"\$ ?(\d{1,3}(?:,\d{3})+|\d+)")
DAY = re.compile(rf"(?:at (?P<hour>\d{{1,2}}):00 )?on (?P<day>(?:{'|'.join(MONTHS)}) \d{{1,2}}, \d{{4}})")
COUNTRY = re.compile(r".*\b(?:in|visiting) (?P<country>[^?]+)\?")
ASKED = re.compile(
    r"^(?:Which brand and model of|What did|What was|Who was|Who) "
    r"|(?: cost| buy for| scheduled to do| in|'s reason for visiting)? *[?]?$"
)
"""What a question says beside the topic, or the speaker, and the value."""

Key = tuple[str, ...]
"""What a fact must have in common with a question: the category, and the price, the day (and hour), or the country."""


class Asked(NamedTuple):
    """What a question asks.

    Attributes:
        key: What it asks by; of a country whose name is not found, the category alone.
        about: The topic of the thread, or the speaker of the chat, as the question has it.
    """

    key: Key
    about: str

    @property
    def category(self) -> Category:
        """What has to be inferred."""
        return self.key[0]  # type: ignore[return-value]

    @property
    def day(self) -> str | None:
        """The day that is asked for in ISO 8601, if one is."""
        return self.key[1] if self.category == "temporal" else None


def read_question(text: str) -> Asked:
    """Read what a question asks by; one without price and day asks by a country.

    >>> read_question("Which brand and model of kettles cost $1,250?")
    Asked(key=('arithmetic', '1250'), about='kettles')
    >>> read_question("What was Ann scheduled to do at 9:00 on May 6, 2024?")
    Asked(key=('temporal', '2024-05-06', '9'), about='Ann')
    >>> read_question("Who baked bread in the Netherlands?")
    Asked(key=('wknow', 'netherlands'), about='baked bread')
    """
    key, value = _find_value(text)
    return Asked(key, ASKED.sub("", text.replace(value, "")))


def _find_value(text: str) -> tuple[Key, str]:
    """Find by what a question asks, and how it says so."""
    if price := PRICE.search(text):
        return ("arithmetic", price[1].replace(",", "")), price[0]
    if (found := DAY.search(text)) and (time := read_date(found["day"])):
        hour = () if found["hour"] is None else (str(int(found["hour"])),)
        return ("temporal", str(time.first), *hour), found[0]
    if country := COUNTRY.match(text):
        return ("wknow", fold_country(country["country"])), country["country"]
    return ("wknow",), ""


def fold_country(name: str) -> str:
    """Fold the name of a country: without its article, in one case."""
    return name.strip().casefold().removeprefix("the ")
