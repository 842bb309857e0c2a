"""What sentences say of persons and works beside the answer: the English author, the film Babel, for Babel."""

from __future__ import annotations

import re
from collections.abc import Sequence

from everwhen.evaluate.answers.countries import ADJECTIVES
from everwhen.evaluate.answers.names import fold
from everwhen.evaluate.gold import GoldItem

TITLE = r"[^\W_a-z][\w'-]*(?: (?:(?:of|the|with|and|in|to|a|for) ){0,2}[^\W_a-z][\w'-]*){0,4}"
"""A title or a name: up to five words with a capital, with small words between them."""

GENRES = "dystopian historical classic epic satirical fantasy crime horror comedy romantic famous renowned acclaimed"
KINDS = "author writer novelist poet playwright director filmmaker actor novel film movie book play story"
KIND = rf"(?:{KINDS.replace(' ', '|')})"
CLASS = re.compile(
    rf"\b(?P<article>the|an?|his|her) (?:(?:{'|'.join(sorted(set(ADJECTIVES.values())))}|{GENRES.replace(' ', '|')}) )+"
    rf"{KIND}\b(?! (?:of|and|or)\b)(?!'s)"
)
"""An adjective of a country or a genre in front of a kind of person or work."""

FILM_IS = re.compile(
    rf"\b(?P<kind>film|movie|book|novel)(?: is)? (?P<title>{TITLE})"
    r"(?=,? (?:starring|directed|written|was directed|was written)\b)"
)
IS_AND = re.compile(rf",? (?:is|was) (?P<title>{TITLE}),? (?:which|and it) (?=(?:was|is)\b|[^\W\d_a-z])")
MADE = re.compile(rf"\b(?P<made>directed|wrote) (?P<title>{TITLE})(?= \(\d{{4}}\)|[.]?$)")
WON_FOR = re.compile(rf"(?P<won>\bwon\b.*?),? for (?P<title>{TITLE})[.]?$")
ORDINAL = re.compile(r"\b\d+(?:st|nd|rd|th) (?=(?P<next>[^\W_a-z]\w+))")
MAKER = re.compile(rf"^{TITLE}, (?=the (?:author|director|writer) of [^,]+, (?:was|is|died)\b)")
MADE_BY = re.compile(rf"^The (?:film|movie|book|novel) was (?:directed|written) by {TITLE}, who (?=was born|died)\b")


def drop_descriptions(text: str, item: GoldItem, accepted: Sequence[Sequence[str]], others: Sequence[str]) -> str:
    """Drop descriptions of persons and works from a sentence, unless they have an accepted text or another answer.

    Args:
        text: The sentence.
        item: What is asked.
        accepted: For each part the texts that are right.
        others: Texts that are other answers.
    """
    names = [" ".join(fold(name)) for texts in (*accepted, others) for name in texts]

    def keep(found: re.Match[str], kept: str) -> str:
        title = f" {' '.join(fold(found['title']))} "
        return found[0] if any(f" {name} " in title for name in names) else kept

    question = item.question.lower()
    if re.search(r"\bwho\b", question):
        text = CLASS.sub(r"\g<article>", text)
        text = WON_FOR.sub(lambda found: keep(found, found["won"]), text)
        asked = {form for token in fold(item.question) for form in (token, f"{token}s")}
        text = ORDINAL.sub(lambda found: "" if {*fold(found["next"])} <= asked else found[0], text)
        if re.search(r"\b(?:film|movie|book|novel)\b", question):
            text = IS_AND.sub(lambda found: keep(found, " "), text)
            text = FILM_IS.sub(lambda found: keep(found, found["kind"]), text)
            text = MADE.sub(lambda found: keep(found, found["made"]), text)
    if re.search(r"\bwhere was the (?:director|author|writer)\b", question):
        text = MADE_BY.sub("He ", MAKER.sub("", text))
    return text
