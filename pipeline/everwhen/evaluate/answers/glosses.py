"""What may be beside a complete name and names nothing else: a country, a party, an initial, a film of a director."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

from everwhen.evaluate.answers.claims import ASIDE
from everwhen.evaluate.answers.names import RUN, Tokens, fold, has_in_front, is_form_of
from everwhen.evaluate.answers.words import DENYING
from everwhen.evaluate.items import GoldItem
from everwhen.language.demonyms import ADJECTIVES

WORDS = r"[^\W\d_a-z][\w'-]*(?: [^\W\d_a-z][\w'-]*){0,2}"
"""One to three words with a capital."""

COUNTRY = rf"(?:the )?(?:{'|'.join(ADJECTIVES)})(?!\w)"
BEHIND_PLACE = re.compile(rf"(?:, (?P<region>{WORDS}))?, (?P<country>{COUNTRY})")
WITHIN = re.compile(
    rf"(?P<in>\b(?:in|at) )(?:the )?(?P<place>{WORDS}(?: (?:am|an der|de|la|le|sur|upon|on) {WORDS})?)"
    r"(?:, | in | (?:borough|district|ward|neighbou?rhood|suburb|quarter|section|area|part) of )(?=(?P<rest>\S.*))"
)
"""A place in front of the one that it is in: in Hangzhou, China."""
EVENT = re.compile(
    r"\b(?P<verb>died|born|buried|raised|grew up|moved|lived|studied)\b"
    r"(?: (?:an? few |[\w-]+ )(?:days?|weeks?|months?|years?) later)?"
)
"""What happens to a person at a place."""
BIRTH_NAME = re.compile(rf"^ (?:as )?{WORDS}(?= (?:in|at) )")
"""The name somebody was born with: born Angela Dorothea Kasner in Hamburg."""
RENAMED = re.compile(rf"(?P<old>{WORDS}) \((?:now|today|present-day|now called|now known as|renamed) (?P<new>[^()]+)\)")
OF_PARTY = re.compile(r",? of the (?:[A-Z][\w'-]* ){1,3}Party\b")
WITH = re.compile(r", with an? ")
SECOND = frozenset(("second", "another", "other", "also", "dual", "additional", "secondary"))
"""Words of a gloss that names a second answer."""

ASKS_PLACE = re.compile(r"\bwhere\b", re.IGNORECASE)
ASKS_COUNTRY = re.compile(r"\b(?:what|which) country\b", re.IGNORECASE)
ASKS_PERSON = re.compile(r"\bwhom?\b", re.IGNORECASE)

TEAM = re.compile(rf"(?P<country>{'|'.join(ADJECTIVES)}) (?P<rest>(?:\w+ )*national (?:\w+ )*team)")

TITLE = r"[^\W_a-z][\w'-]*(?: (?:(?:of|the|with|and|in|to|a|for) ){0,2}[^\W_a-z][\w'-]*){0,4}"
"""A title or a name: up to five words with a capital, with small words between them."""

KINDS = r"(?:author|writer|novelist|poet|playwright|director|filmmaker|actor|novel|film|movie|book|play|story)"
GENRES = "dystopian|historical|classic|epic|satirical|fantasy|crime|horror|comedy|romantic|famous|renowned|acclaimed"
CLASS = re.compile(
    rf"\b(?P<article>the|an?|his|her) (?:(?:{'|'.join(sorted(set(ADJECTIVES.values())))}|{GENRES}) )+{KINDS}\b"
    r"(?! (?:of|and|or)\b)(?!'s)"
)
"""An adjective of a country or a genre in front of a kind of person or work: the English author."""
FILM_IS = re.compile(
    rf"\b(?P<kind>film|movie|book|novel)(?: is)? (?P<title>{TITLE})"
    r"(?=,? (?:starring|directed|written|was directed|was written)\b)"
)
IS_AND = re.compile(rf",? (?:is|was) (?P<title>{TITLE}),? (?:which|and it) (?=(?:was|is)\b|[^\W\d_a-z])")


def list_forms(texts: Sequence[str]) -> list[str]:
    """List further texts that are right: teams by the adjective of their country."""
    return [f"{ADJECTIVES[found['country']]} {found['rest']}" for found in map(TEAM.fullmatch, texts) if found]


def drop_glosses(text: str, item: GoldItem, accepted: Sequence[Sequence[str]], others: Sequence[str]) -> str:
    """Drop descriptions and glosses from a sentence that has a complete accepted name beside them.

    Args:
        text: The sentence.
        item: What is asked.
        accepted: For each part the texts that are right.
        others: Texts that are other answers.
    """
    names = [*chain.from_iterable(accepted)]
    right, rivals = [*map(fold, names)], {*map(fold, others)}
    text = _drop_descriptions(text, item, [*right, *rivals])
    if ASKS_PLACE.search(item.question):
        text = _drop_places(text, right, rivals)
        # Where the gold has a region or country of the place, another one is another place.
        text = text if any("," in name for name in names) else _drop_country(text, right, rivals)
        text = _drop_other_use(text, item, right)
    if ASKS_PLACE.search(item.question) or ASKS_COUNTRY.search(item.question):
        text = _drop_part(_drop_other_events(text, item.question, [*right, *rivals]), right, rivals)
    if ASKS_PERSON.search(item.question):
        if (party := OF_PARTY.search(text)) and _ends_with(text[: party.start()], right):
            text = text[: party.start()] + text[party.end() :]
        text = write_in_full(text, names, others)
    return text


def _drop_places(text: str, right: Sequence[Tokens], rivals: set[Tokens]) -> str:
    """Drop the former name of a place, and what is in parentheses."""
    renamed = RENAMED.search(text)
    if renamed and fold(renamed["new"]) in right and not _names_other(renamed["old"], rivals):
        text = text[: renamed.start()] + renamed["new"] + text[renamed.end() :]
    is_denied = any(DENYING.intersection(fold(aside)) for aside in ASIDE.findall(text))
    return text if is_denied else ASIDE.sub("", text)


def _drop_country(text: str, right: Sequence[Tokens], rivals: set[Tokens]) -> str:
    """Drop the country, and a region of it, behind a place."""
    found = BEHIND_PLACE.search(text)
    if found is None or not _ends_with(text[: found.start()], right):
        return text
    is_other = fold(found["country"]) in rivals or _names_other(found["region"] or "", rivals)
    return text if is_other else text[: found.start()] + text[found.end() :]


def _drop_other_use(text: str, item: GoldItem, right: Sequence[Tokens]) -> str:
    """Drop what else a place has: Beijing, with an operational center in Morrisville."""
    found = WITH.search(text)
    if found is None or not _ends_with(text[: found.start()], right):
        return text
    asked = {token for token in fold(item.question) if len(token) > 3}
    return text if (SECOND | DENYING | asked).intersection(fold(text[found.start() :])) else text[: found.start()]


def _drop_other_events(text: str, question: str, names: Sequence[Tokens]) -> str:
    """Drop what is in front of the event that a question asks about, and other events: born in Reus, and died in."""
    events = [*EVENT.finditer(text)]
    asked = [place for place, event in enumerate(events) if event["verb"][:3] in question]
    if len(asked) != 1:
        return text
    before, event = text[: events[asked[0]].start()], events[asked[0]]
    if DENYING.intersection(fold(before)) or any(
        f" {' '.join(name)} " in f" {' '.join(fold(before))} " for name in names
    ):
        return text
    others = [
        re.search(r",? (?:and|but|before)\b[^.]*$", text[event.end() : each.start()]) for each in events[asked[0] + 1 :]
    ]
    end = event.end() + others[0].start() if others and others[0] else len(text)
    return f"he {event['verb']}{BIRTH_NAME.sub('', text[event.end() : end])}"


def _drop_part(text: str, right: Sequence[Tokens], rivals: set[Tokens]) -> str:
    """Drop the place in front of the one that it is in, if that is right."""
    for found in WITHIN.finditer(text):
        if has_in_front(fold(found["rest"]), right) and not _names_other(found["place"], rivals):
            return f"{text[: found.start()]}{found['in']}{found['rest']}"
    return text


def _names_other(place: str, rivals: set[Tokens]) -> bool:
    """Tell whether a place is a country or another answer."""
    return fold(place) in rivals or place in ADJECTIVES


def write_in_full(text: str, names: Sequence[str], others: Sequence[str]) -> str:
    """Write people with initials or a further middle name as the answer has them."""
    single = {name: _split_words(name) for name in names if not _has_namesake(fold(name), others)}

    def write(run: re.Match[str]) -> str:
        given = _split_words(run[0])
        return next((name for name, tokens in single.items() if _is_whole_form(given, tokens)), run[0])

    return RUN.sub(write, text)


def _split_words(name: str) -> Tokens:
    """Split a name into folded words, initials apart."""
    return tuple(token for word in re.findall(r"\w+", name) for token in fold(word))


def _is_whole_form(given: Tokens, name: Tokens) -> bool:
    """Tell whether words are a form of a name with all that it has; initials may stand for forenames."""
    if not (len(given) >= len(name) or (len(name) == 3 and len(name[1]) == 1)):
        return False
    if name[0] in given[1:]:  # two people of one first name, side by side
        return False
    has_initials = len(given) == len(name) and given[0] == name[0][:1]
    return (has_initials or given[0] == name[0]) and is_form_of(given, name)


def _has_namesake(name: Tokens, others: Sequence[str]) -> bool:
    """Tell whether another answer has the same first and last word."""
    return any(other[:1] + other[-1:] == name[:1] + name[-1:] for other in map(fold, others) if other != name)


def _ends_with(text: str, names: Sequence[Tokens]) -> bool:
    """Tell whether a text ends with one of the names."""
    tokens = fold(text)
    return any(name and tokens[-len(name) :] == name for name in names)


def _drop_descriptions(text: str, item: GoldItem, names: Sequence[Tokens]) -> str:
    """Drop descriptions of persons and works, unless they have an accepted text or another answer."""

    def keep(found: re.Match[str], kept: str) -> str:
        title = f" {' '.join(fold(found['title']))} "
        return found[0] if any(f" {' '.join(name)} " in title for name in names) else kept

    question = item.question.lower()
    if re.search(r"\bwho\b", question):
        text = CLASS.sub(r"\g<article>", text)
        if re.search(r"\b(?:film|movie|book|novel)\b", question):
            text = IS_AND.sub(lambda found: keep(found, " "), text)
            text = FILM_IS.sub(lambda found: keep(found, found["kind"]), text)
    return text
