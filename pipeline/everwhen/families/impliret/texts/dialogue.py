"""Chats of two friends: ten utterances, of which the statement is one of the main speaker's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, cycle
from typing import Any

from everwhen.core.keyed_random import KeyedRandom
from everwhen.families.impliret.texts.grammar import Draft, Grammar, capitalize_sentences, place_in_set
from everwhen.families.impliret.words import load_chats

STATEMENT, FOLLOWUP = "statement", "followup"
OF_CATEGORY = ("bridge", "reaction")
"""Parts that each category has its own rules for."""
EXCHANGE = ("ask", "answer")
"""Turns whose alternatives belong together: the answer number n answers the question number n."""

PLANS: Sequence[Sequence[str]] = [
    [part.strip() for part in plan.split("|")]
    for plan in (
        "hello a.tell | hello_back a.comment bridge | statement | reaction | followup | reply own_news b.tell"
        " | b.ask | b.answer | b.comment bye | bye_back",
        "hello a.tell | hello_back a.ask | a.answer bridge | statement | reaction | followup | reply own_news b.tell"
        " | b.ask | b.answer bye | bye_back",
        "hello a.tell | hello_back a.ask | a.answer | a.comment bridge | statement | reaction | followup"
        " | reply own_news b.tell | b.comment bye | bye_back",
        "hello a.tell | hello_back a.ask | a.answer | a.comment | thanks bridge | statement | reaction | followup"
        " | reply bye | bye_back",
        "hello a.tell | hello_back a.ask | a.answer | a.comment own_news b.tell | b.ask | b.answer bridge | statement"
        " | reaction | followup | reply bye",
        "hello a.tell | hello_back a.ask | a.answer | a.comment own_news b.tell | b.ask | b.answer | b.comment bridge"
        " | statement | reaction | followup bye",
        "hello a.tell | hello_back a.comment bridge | statement | reaction | followup | reply_more | followup"
        " | reply own_news b.tell | b.comment bye | bye_back",
        "hello a.tell | hello_back a.ask | a.answer bridge | statement | reaction | followup | reply_more | followup"
        " | reply bye | bye_back",
    )
]
"""The parts of each utterance; a and b are themes. The statement is the second to fourth utterance of its speaker."""


def compose_dialogue(
    row: Mapping[str, Any], statement: str, followups: Sequence[str], rng_set: KeyedRandom, rng: KeyedRandom
) -> str:
    """Compose the chat of a tuple: ten lines, each with a header.

    Args:
        row: The tuple: category, place, speaker, other_speaker, message_date and message_hour.
        statement: The utterance that implies it.
        followups: What the main speaker may say later, in this order: one utterance or more; two at most are used.
        rng_set: The random numbers of the set: the themes of its chats differ.
        rng: The random numbers of the chat.
    """
    chats, draft, later = load_chats(), Draft(rng), iter(followups)

    def cast(nth: int) -> tuple[Grammar, Mapping[str, str], int]:
        scene = chats.scenes[place_in_set(rng_set, "theme", 2 * row["place"] + nth, len(chats.scenes))]
        slots = {name: draft.write(scene.grammar, name, {}) for name in scene.cast}
        return scene.grammar, slots, rng.sample_below(scene.grammar.count("ask"), f"exchange {nth}")

    themes = {"a": cast(0), "b": cast(1)}

    def write(part: str) -> str:
        if part in (STATEMENT, FOLLOWUP):
            return statement if part == STATEMENT else next(later)
        theme, _, symbol = part.rpartition(".")
        grammar, slots, exchange = themes[theme] if theme else (chats.grammar, {}, 0)
        nth = exchange if symbol in EXCHANGE else None
        symbol = f"{row['category']}_{symbol}" if symbol in OF_CATEGORY else symbol
        return capitalize_sentences(draft.write(grammar, symbol, slots, nth))

    plan = rng.pick([plan for plan in PLANS if " ".join(plan).count(FOLLOWUP) <= len(followups)], "plan")
    is_main_first = plan.index(STATEMENT) % 2 == 0
    speakers = (row["speaker"], row["other_speaker"]) if is_main_first else (row["other_speaker"], row["speaker"])
    hour = f"{row['message_date']} {row['message_hour']:02d}"
    lines = zip(_draw_minutes(rng, len(plan)), cycle(speakers), plan, strict=False)
    return "\n".join(
        f"{hour}:{minute:02d}, {speaker}: {' '.join(map(write, parts.split()))}" for minute, speaker, parts in lines
    )


def _draw_minutes(rng: KeyedRandom, count: int) -> Sequence[int]:
    """Draw minutes of an hour that never fall, at most three between two."""
    start = rng.sample_below(60 - 3 * (count - 1), "minute")
    return list(accumulate((rng.sample_below(4, f"pause {nth}") for nth in range(count - 1)), initial=start))
