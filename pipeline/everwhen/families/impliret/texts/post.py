"""Posts of a thread: five sentences, of which the statement is one or two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from everwhen.core.keyed_random import KeyedRandom
from everwhen.families.impliret.texts.grammar import Draft, place_in_set
from everwhen.families.impliret.words import KINDS, load_posts
from everwhen.language.wording import capitalize

STATEMENT = "statement"

PLANS: Mapping[int, Sequence[tuple[str, ...]]] = {
    1: (
        ("persona_before", STATEMENT, "after"),
        ("persona_before", STATEMENT, "reflection"),
        ("before", STATEMENT, "persona_after"),
        ("persona_before", "before", STATEMENT),
        (STATEMENT, "persona_after", "after"),
        (STATEMENT, "after", "persona_after"),
        (STATEMENT, "persona_after", "reflection"),
    ),
    2: (("persona_before", STATEMENT), (STATEMENT, "persona_after")),
}
"""What stands between opener and closer, by the number of sentences of the statement: five sentences in all."""


def compose_post(
    row: Mapping[str, Any], statement: Sequence[str], details: Sequence[str], rng_set: KeyedRandom, rng: KeyedRandom
) -> str:
    """Compose the post of a tuple: a header, and five sentences around its statement.

    Args:
        row: The tuple: category, place, speaker, message_date and message_hour.
        statement: Its sentences, one or two.
        details: Noun phrases that people remark on about the topic, two or more.
        rng_set: The random numbers of the set: frames, openers and closers of its posts differ.
        rng: The random numbers of the post.
    """
    posts, draft, place = load_posts(), Draft(rng), row["place"]
    grammar, kind = posts.grammar, KINDS[row["category"]]
    writer = posts.personas[place_in_set(rng_set, "persona", place, len(posts.personas))]
    remarks = (details[number] for number in rng.sample_several(2, len(details), "details"))

    def write(part: str, detail: str = "") -> str:
        symbol = f"{kind}_{part}"
        nth = place_in_set(rng_set, part, place, grammar.count(symbol))
        slots = {"who": writer.who, "doing": writer.doing, "detail": detail}
        return capitalize(draft.write(grammar, symbol, slots, nth))

    plan = rng.pick(PLANS[len(statement)], "plan")
    parts = (" ".join(statement) if part == STATEMENT else write(part, next(remarks)) for part in plan)
    text = " ".join((write("opener"), *parts, write("closer")))
    minute = rng.sample_below(60, "minute")
    return f"{row['message_date']} {row['message_hour']:02d}:{minute:02d}, {row['speaker']}: {text}"
