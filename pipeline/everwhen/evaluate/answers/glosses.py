"""What may be beside a complete name and names nothing else: the country of a place, a party, a middle initial."""

from __future__ import annotations

import re
from collections.abc import Sequence

from everwhen.evaluate.answers.countries import ADJECTIVES
from everwhen.evaluate.answers.names import ASIDE, Tokens, fold
from everwhen.evaluate.answers.words import DENYING
from everwhen.evaluate.gold import GoldItem

WORDS = r"[^\W\d_a-z][\w'-]*(?: [^\W\d_a-z][\w'-]*){0,2}"
"""One to three words with a capital."""

COUNTRY = rf"(?:the )?(?:{'|'.join(ADJECTIVES)})(?!\w)"
BEHIND_PLACE = re.compile(rf"(?:, (?P<region>{WORDS}))?, (?P<country>{COUNTRY})")
IN_COUNTRY = re.compile(rf"\b(?P<in>in|at) (?P<place>{WORDS}), (?P<rest>.+)")
RENAMED = re.compile(rf"(?P<old>{WORDS}) \((?:now|today|present-day|now called|now known as|renamed) (?P<new>[^()]+)\)")
OF_PARTY = re.compile(r",? of the (?:[A-Z][\w'-]* ){1,3}Party\b")
INITIAL = re.compile(r"(?P<first>[^\W\d_][\w'-]+) [^\W\d_a-z]\.? (?P<last>[^\W\d_][\w'-]+)")
WITH = re.compile(r", with an? ")
SECOND = frozenset(("second", "another", "other", "also", "dual", "additional", "secondary"))
"""Words of a gloss that names a second answer."""

ASKS_PLACE = re.compile(r"\bwhere\b", re.IGNORECASE)
ASKS_COUNTRY = re.compile(r"\b(?:what|which) country\b", re.IGNORECASE)
ASKS_PERSON = re.compile(r"\bwhom?\b", re.IGNORECASE)

TEAM = re.compile(rf"(?P<country>{'|'.join(ADJECTIVES)}) (?P<rest>(?:\w+ )*national (?:\w+ )*team)")


def list_forms(texts: Sequence[str], item: GoldItem, others: Sequence[str]) -> list[str]:
    """List further texts that are right: teams by the adjective, and persons with a middle name as an initial.

    Args:
        texts: The texts that are right of a part.
        item: What is asked.
        others: Texts that are other answers; one with the same first and last word allows no other form.
    """
    forms = [
        f"{ADJECTIVES[found['country']]} {found['rest']}" for found in map(TEAM.fullmatch, texts) if found is not None
    ]
    if ASKS_PERSON.search(item.question):
        for name in map(fold, texts):
            if len(name) != 3 or _has_namesake(name, others):
                continue
            first, middle, last = name
            if len(middle) == 1:
                forms.append(f"{first} {last}")
            elif middle[0] != "a":  # which is an article
                forms.append(f"{first} {middle[0]} {last}")
    return forms


def drop_glosses(text: str, item: GoldItem, accepted: Sequence[Sequence[str]], others: Sequence[str]) -> str:
    """Drop glosses from a sentence that has a complete accepted name beside them.

    Args:
        text: The sentence.
        item: What is asked.
        accepted: For each part the texts that are right.
        others: Texts that are other answers.
    """
    right = [fold(name) for names in accepted for name in names]
    rivals = {fold(name) for name in others}
    if ASKS_PLACE.search(item.question):
        text = _drop_places(text, item, [name for names in accepted for name in names], rivals)
    if ASKS_COUNTRY.search(item.question):
        text = _drop_place_of_country(text, right, rivals)
    if ASKS_PERSON.search(item.question):
        if (party := OF_PARTY.search(text)) and _ends_with(text[: party.start()], right):
            text = text[: party.start()] + text[party.end() :]
        text = INITIAL.sub(lambda found: _drop_initial(found, right, others), text)
    return text


def _drop_places(text: str, item: GoldItem, names: Sequence[str], rivals: set[Tokens]) -> str:
    """Drop the country behind a place, its former name, and what else is there."""
    right = [fold(name) for name in names]
    renamed = RENAMED.search(text)
    if renamed and fold(renamed["new"]) in right and not _names_other(renamed["old"], rivals):
        text = text[: renamed.start()] + renamed["new"] + text[renamed.end() :]
    if not any(DENYING.intersection(fold(aside)) for aside in ASIDE.findall(text)):
        text = ASIDE.sub("", text)
    # Where the gold has a region or country of the place, another one is another place.
    found = None if any("," in name for name in names) else BEHIND_PLACE.search(text)
    if found and _ends_with(text[: found.start()], right):
        glosses = (found["country"], found["region"] or "")
        if not rivals.intersection(map(fold, glosses)) and glosses[1] not in ADJECTIVES:
            text = text[: found.start()] + text[found.end() :]
    return _drop_other_use(text, item, right)


def _drop_other_use(text: str, item: GoldItem, right: Sequence[Tokens]) -> str:
    """Drop what else a place has: Beijing, with an operational center in Morrisville."""
    found = WITH.search(text)
    if found is None or not _ends_with(text[: found.start()], right):
        return text
    asked = {token for token in fold(item.question) if len(token) > 3}
    return text if (SECOND | DENYING | asked).intersection(fold(text[found.start() :])) else text[: found.start()]


def _drop_place_of_country(text: str, right: Sequence[Tokens], rivals: set[Tokens]) -> str:
    """Drop the place in front of its country: in Hangzhou, China."""
    found = IN_COUNTRY.search(text)
    if found is None or _names_other(found["place"], rivals):
        return text
    rest = fold(found["rest"])
    if not any(rest[: len(name)] == name for name in right):
        return text
    return f"{text[: found.start()]}{found['in']} {found['rest']}"


def _names_other(place: str, rivals: set[Tokens]) -> bool:
    """Tell whether a place is a country or another answer."""
    return fold(place) in rivals or place in ADJECTIVES


def _drop_initial(found: re.Match[str], right: Sequence[Tokens], others: Sequence[str]) -> str:
    name = fold(f"{found['first']} {found['last']}")
    return " ".join(found.group("first", "last")) if name in right and not _has_namesake(name, others) else found[0]


def _has_namesake(name: Tokens, others: Sequence[str]) -> bool:
    """Tell whether another answer has the same first and last word."""
    return any(other[:1] + other[-1:] == name[:1] + name[-1:] for other in map(fold, others) if other != name)


def _ends_with(text: str, names: Sequence[Tokens]) -> bool:
    """Tell whether a text ends with one of the names."""
    tokens = fold(text)
    return any(name and tokens[-len(name) :] == name for name in names)
