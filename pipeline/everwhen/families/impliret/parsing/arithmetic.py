"""Reads from a post or a chat what was bought, and at which price: from another price, and by how much they differ.

It knows how English speaks of prices, not the words of our grammar or our brands: it reads texts of models, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cached_property
from typing import Literal, NamedTuple

from everwhen.families.impliret.parsing.messages import HEADER
from everwhen.families.impliret.parsing.numbers import mark_quantities

Direction = Literal["lower", "higher"]


class Purchase(NamedTuple):
    """What a text says that somebody bought.

    Attributes:
        brand: Its brand.
        item: What it is, as named; None in a post, whose thread tells.
        model: The year of its model; None in a chat.
        other_model: The year of the model whose price is told; None in a chat.
        other_brand: The brand whose price is told; None in a post.
        base_price: The price that is told, in dollars.
        percent: By how many percent of it the price differs; None where there is a factor.
        factor: How many times the cheaper price the dearer is.
        direction: Whether the price is lower or higher than the one told.
        price: The price, in dollars.
    """

    brand: str
    item: str | None
    model: int | None
    other_model: int | None
    other_brand: str | None
    base_price: int
    percent: int | None
    factor: Decimal | None
    direction: Direction
    price: int


class Mention(NamedTuple):
    """Where a text names a model or a brand: by its year or name, or a model as the newer or older one."""

    start: int
    end: int
    name: str


QUANTITY = re.compile(r"\$(?P<price>\d+)\b|(?<![\d.])(?P<percent>\d+)%|(?<![\d.$])(?P<factor>\d+(?:\.\d+)?)x(?!\w)")
YEAR = re.compile(r"(?<![\d$.,-])20\d\d(?![\d%x-])")
SENTENCE_END = re.compile(r"[.!?](?=\s|$)")
PAUSE = re.compile(r"[,;:?!]|\.(?=\s|$)")
CLAUSE_END = re.compile(
    r"[.!?](?=\s|$)|[,;:()–—]|\b(?:and|but|so|yet|because|since|although|though|while|whereas)\b", re.IGNORECASE
)
AGE = re.compile(
    r"\b(?:(?P<late>newer|newest|later|latest|more recent)|older|oldest|earlier|previous)"
    r"(?= (?:models?|versions?|editions?|releases?|variants?|generation|sibling|one)\b|[.,;!?]|'s)",
    re.IGNORECASE,
)

NO_NAME = "|".join(
    (
        "I|It|Its|That|This|These|Those|They|He|She|We|You|Who|What|Which|Mine|Theirs|Yours|Ours|The|A|An|My|Our|Your|Their|His|Her",
        "There|Here|Everything|Nothing|Something|(?:Every|No|Some|Any)(?:body|one)|People|Neither|Most|Some|Many|Others|At|In|On|By",
        "To|From|For|With|Of|But|So|And|Or|As|If|While|When|Where|After|Before|Since|Because|Though|Although|Even|Still|Yet|Also",
        "Then|Now|Not|No|Yes|Both|Each|All|Another|US|USD|OK|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April",
        r"May|June|July|August|September|October|November|December|\w+ing",
    )
)
"""Words with a capital that are no brands."""

_WORD = rf"(?!(?:{NO_NAME})\b)[A-Z][\w&]*"
NAME = re.compile(rf"\b{_WORD}(?:[-'][A-Z]\w+)*(?: {_WORD})*")
NAMED_FIRST = re.compile(
    r"'s?\s| 20\d\d"
    r"| (?:[a-z]+ed|is|was|has|had|asks|wants|charges|expects|lost|makes?|made|sells?|sold|offers|lists|costs?)\b"
)
"""What follows the word that begins a sentence where it is a brand."""

VERB = (
    r"(?:bought|ordered|chose|chosen|picked|purchased|buying|ordering|choosing|picking|purchasing|got|getting|accepted|own"
    r"|took(?! (?:the plunge|my time|a while))|taken|taking|(?:went|go|going|gone) (?:home )?(?:with|for)(?! \$| \d)"
    r"|settl(?:ed?|ing) (?:on|for)|opt(?:ed|ing)? for|decid(?:ed?|ing) (?:on|for)|ended up with|left with"
    r"|paid (?:for|at|to)|comes? from|came from|have an?)"
)
BOUGHT = re.compile(
    rf"\b(?:{VERB}|(?P<seller>sold me|charged me|won me over)"
    r"|(?P<refused>(?:not|never|\w+n't) (?:buy|order|choose|pick|take|purchase)))\b",
    re.IGNORECASE,
)
"""A purchase, or none; what was bought follows, but with some verbs it stands before."""
IT = re.compile(r" (?:it|that|this|theirs)\b")
NEARLY = re.compile(
    r"\b(?:not|never|nearly|almost|could have|might have|would have|instead of|rather than|without)(?: \w+)? $",
    re.IGNORECASE,
)
"""What stands before the verb of a purchase that was not made."""

CHANGE = re.compile(
    r"\b(?:(?P<less>less|cheaper|lower|below|under|off|discount|sav(?:ed|ing)|more (?:affordable|economical))"
    r"|more|higher|dearer|pricier|costlier|above|extra|premium|add(?:ed|ing)|increase|over|on top)\b",
    re.IGNORECASE,
)
COMPARED = re.compile(
    r"\s*(?:[\w-]+ ){0,3}?(?:than|as \w+ as|what|below|above|under|over"
    r"|(?:the|its) (?:\w+ )?(?:price|cost|sum|amount|tag) (?:of|at|for|from)|that of)\b"
)
"""What stands between a difference and what is compared with."""
PAID_FOR = re.compile(r"\s*(?:as much |more |less |that \w+ )?for\b")
MY_OWN = re.compile(r"\b(?:paid|paying|spent|spending|saved|saving|added|adding|mine|me|my)\b", re.IGNORECASE)
FRONTED = re.compile(r"\s*(?:Even (?:at|with|for)|At|With|For|Despite)\b")
"""What begins a clause that tells of the price of what follows it."""

STOP = (
    r"(?:from|by|for|at|and|but|which|that|with|because|since|so|to|in|of|on|is|was|were|are|has|have|had|it|before|after|when|while"
    r"|where|who|instead|over|rather|not|than|or|as|models?|version|edition|line|range|ones?|could|would|costs?|sold|made|recently"
    r"|this|today|online|last|bit|lot|price|deal|bargain|discount|customer|rival|moment|change|now|yet|finally|priced|named|called)\b"
)
NOUN = rf"(?P<item>(?!{STOP})[a-z][a-z'-]*(?: (?!{STOP})[a-z][a-z'-]*){{0,2}})"
ITEMS = (
    re.compile(
        rf"\b(?:{VERB}|buy|sold me|need(?:s|ed)?|want(?:s|ed)?|search(?:ed|ing)?|for|into|eye on|have)(?: myself)?"
        rf" (?:an?|my|our)(?: brand-new| new)? {NOUN}"
    ),
    re.compile(rf"\b(?:[Aa]n?|[Tt]he|[Mm]y)(?: new)? {NAME.pattern} {NOUN}"),
    re.compile(rf"\b(?:[Mm]y new|[Mm]y|[Tt]he) {NOUN} (?:is|was|has|arrived|finally)\b"),
)
"""Where a thing is named that was bought."""

POST, CHAT = (1, 1, 2, 1), (1, 1, 0, 2)
"""How many different prices, relations, years and brands there are."""


class _Reading:
    """A text whose quantities are marked, and what it names."""

    def __init__(self, text: str) -> None:
        self.speakers = {name for header in HEADER.finditer(text) for name in header["speaker"].split()}
        lines = [mark_quantities(line) for line in HEADER.sub("", text).replace("’", "'").splitlines()]
        # Of a chat, the utterances that speak of prices.
        self.text = "\n".join(line for line in lines if QUANTITY.search(line))

    def list_quantities(self, *groups: str) -> list[re.Match[str]]:
        """List the quantities of some groups of `QUANTITY`."""
        return [each for each in QUANTITY.finditer(self.text) if each.lastgroup in groups]

    @cached_property
    def years(self) -> list[str]:
        """The years of models."""
        return YEAR.findall(self.text)

    @cached_property
    def brands(self) -> list[str]:
        """The brands, as often as they are named."""
        return [name[0] for name in NAME.finditer(self.text) if self._is_brand(name)]

    def _is_brand(self, name: re.Match[str]) -> bool:
        before = self.text[: name.start()].rstrip()
        is_first = not before or before[-1] in ".!?" or self.text[name.start() - 1] == "\n"
        is_named = not is_first or NAMED_FIRST.match(self.text, name.end()) is not None
        return is_named and self.speakers.isdisjoint(name[0].split())

    @cached_property
    def mentions(self) -> list[Mention]:
        """Where the models are named, or else the brands, in order."""
        if not self.years:
            return [Mention(*name.span(), name[0]) for name in NAME.finditer(self.text) if self._is_brand(name)]
        earlier, later = min(self.years), max(self.years)
        found = [Mention(*year.span(), year[0]) for year in YEAR.finditer(self.text)]
        found += [Mention(*age.span(), later if age["late"] else earlier) for age in AGE.finditer(self.text)]
        return sorted(found)

    def find_bounds(self, part: re.Match[str], end: re.Pattern[str]) -> tuple[int, int]:
        """Find the bounds of the clause, or the sentence, around a part of the text."""
        ends = [each.span() for each in end.finditer(self.text)]
        start = max((after for _, after in ends if after <= part.start()), default=0)
        return start, min((before for before, _ in ends if before >= part.end()), default=len(self.text))

    def list_between(self, start: int, end: int) -> list[Mention]:
        """List what is named between two positions."""
        return [each for each in self.mentions if start <= each.start and each.end <= end]

    def find_last(self, start: int, end: int) -> str | None:
        """Find what is named last between two positions."""
        return next((each.name for each in reversed(self.list_between(start, end))), None)

    def find_first(self, start: int, end: int) -> str | None:
        """Find what is named first between two positions."""
        return next((each.name for each in self.list_between(start, end)), None)

    def find_priced(self, price: re.Match[str]) -> str | None:
        """Find what a price belongs to: the nearest in its clause, else the last before, else the first after."""
        near = self.list_between(*self.find_bounds(price, CLAUSE_END))
        if near:
            return min(near, key=lambda each: max(each.start - price.end(), price.start() - each.end)).name
        return self.find_last(0, price.start()) or self.find_first(price.end(), len(self.text))

    def find_subject(self, relation: re.Match[str], others: dict[str, str], bought: str) -> str | None:
        """Find whose price a relation tells: not what is compared with; else it is the subject of the clause."""
        start, end = self.find_bounds(relation, CLAUSE_END)
        for pattern in (COMPARED, PAID_FOR):
            link = pattern.match(self.text, relation.end())
            if link and (named := self.find_first(link.end(), self.find_bounds(link, PAUSE)[1])):
                return others[named] if pattern is COMPARED else named
        if named := self.find_last(start, relation.start()):
            return named
        if MY_OWN.search(self.text, start, relation.start()):
            return bought
        is_fronted = FRONTED.match(self.text, start)
        return self.find_first(end, len(self.text)) if is_fronted else self.find_last(0, relation.start())

    def find_direction(self, relation: re.Match[str], *, is_subject: bool) -> Direction | None:
        """Find the direction of the price of what was bought, which is the subject of the relation or not.

        A percentage is of the price that is told: one of the price of what was bought is not read.
        """
        if relation["factor"]:
            return "higher" if is_subject == (Decimal(relation["factor"]) > 1) else "lower"
        start, end = self.find_bounds(relation, CLAUSE_END)
        before = list(CHANGE.finditer(self.text, start, relation.start()))
        found = CHANGE.search(self.text, relation.end(), end) or (before[-1] if before else None)
        if not is_subject or not found:
            return None
        return "lower" if found["less"] else "higher"

    def list_purchases(self) -> Iterator[tuple[str, bool]]:
        """List what was bought, and what was not."""
        for verb in BOUGHT.finditer(self.text):
            if named := self._find_bought(verb):
                start, _ = self.find_bounds(verb, CLAUSE_END)
                yield named, not (verb["refused"] or NEARLY.search(self.text[start : verb.start()]))

    def _find_bought(self, verb: re.Match[str]) -> str | None:
        """Find what a verb says was bought: in its clause, else what was named last."""
        start, end = self.find_bounds(verb, CLAUSE_END)
        before, after = self.find_last(start, verb.start()), self.find_first(verb.end(), end)
        named = (before or after) if verb["seller"] else (after or before)
        # A verb in a sentence that names nothing may be about anything.
        is_sure = self.list_between(*self.find_bounds(verb, SENTENCE_END)) or (
            not verb["refused"] and IT.match(self.text, verb.end())
        )
        return named or (self.find_last(0, verb.start()) if is_sure else None)

    def find_item(self) -> str | None:
        """Find what was bought."""
        return next((found["item"] for pattern in ITEMS if (found := pattern.search(self.text))), None)


def read_purchase(text: str, *, is_strict: bool = True) -> Purchase | None:
    """Read the purchase of a post or a chat; None where a field is missing or ambiguous.

    Args:
        text: The document, with or without headers.
        is_strict: Whether no field may stand there twice, and "2.5 times cheaper" is ambiguous.
    """
    reading = _Reading(text)
    prices, relations = reading.list_quantities("price"), reading.list_quantities("percent", "factor")
    fields = [[each[0] for each in prices], [each[0] for each in relations], reading.years, reading.brands]
    if tuple(len(set(field)) for field in fields) not in (POST, CHAT):
        return None
    is_repeated = any(len(set(field)) < len(field) for field in fields)
    if is_strict and (is_repeated or _is_ambiguous(reading, relations[0])):
        return None
    return _resolve(reading, prices[0], relations[0])


def _is_ambiguous(reading: _Reading, relation: re.Match[str]) -> bool:
    """Whether a factor is no part of a price: "2.5 times more" may be 2.5 times the price, or 3.5 times."""
    return bool(relation["factor"] and CHANGE.match(reading.text, relation.end() + 1))


def _resolve(reading: _Reading, price: re.Match[str], relation: re.Match[str]) -> Purchase | None:
    """Find which of two models or brands was bought; None where the text does not tell, or contradicts itself."""
    priced = reading.find_priced(price) or ""
    bought = next(each.name for each in reading.mentions if each.name != priced)
    purchases = set(reading.list_purchases())
    if (bought, True) not in purchases or {(bought, False), (priced, True)} & purchases:
        return None
    subject = reading.find_subject(relation, {priced: bought, bought: priced}, bought)
    direction = reading.find_direction(relation, is_subject=subject == bought)
    if subject is None or direction is None:
        return None
    return _compose(reading, (bought, priced), (price, relation), direction)


def _compose(
    reading: _Reading, names: tuple[str, str], quantities: tuple[re.Match[str], re.Match[str]], direction: Direction
) -> Purchase | None:
    """Put the fields together; None where the older model is dearer, no item is named, or the price is not whole."""
    bought, priced = names
    base = int(quantities[0]["price"])
    percent = int(quantities[1]["percent"]) if quantities[1]["percent"] else None
    factor = Decimal(quantities[1]["factor"]) if quantities[1]["factor"] else None
    if factor and factor < 1:
        factor = 1 / factor
    price = _compute(base, percent, factor, direction)
    if price is None:
        return None
    if reading.years:
        if (direction == "higher") != (bought > priced):
            return None
        brand = reading.brands[0]
        return Purchase(brand, None, int(bought), int(priced), None, base, percent, factor, direction, price)
    if not (item := reading.find_item()):
        return None
    return Purchase(bought, item, None, None, priced, base, percent, factor, direction, price)


def _compute(base: int, percent: int | None, factor: Decimal | None, direction: Direction) -> int | None:
    """Compute a price; None where it is no whole number."""
    change = factor or Decimal(100 + (percent or 0) if direction == "higher" else 100 - (percent or 0)) / 100
    price = base / change if factor and direction == "lower" else base * change
    return int(price) if price == int(price) else None
