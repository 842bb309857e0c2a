"""The templates of all questions: every form of a scope in three wordings.

A form is what decides which sentence asks an item: task, relation, unit, number. Spark computes it of an item, and a
join with this table finds the sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.relations import list_relations
from everwhen.families.tdbench.scopes import Scope
from everwhen.families.tdbench.texts.sentences import Voice
from everwhen.families.tdbench.texts.times import EVENT, Times, list_comparisons, shorten_events
from everwhen.families.tdbench.texts.voices import build_event, choose_voice
from everwhen.language.wording import mark_slot, split_marked
from everwhen.temporal.allen import Relation
from everwhen.temporal.phrases import write_date

WORDINGS = 3
"""Wordings of each form."""

HALVED = 2
"""The wording that says "half a year" of six months."""


class CompiledTemplate(NamedTuple):
    """A sentence with slots.

    Attributes:
        scope_id: The scope that it asks.
        form: What it is for, as written by `name_form`.
        wording: Its number, from 0.
        pieces: Texts and names of slots in turn, beginning with a text.
        event: The pieces of the phrase that names the event; empty where there is none.
        is_choice: Whether it names the answers to choose from.
    """

    scope_id: str
    form: str
    wording: int
    pieces: tuple[str, ...]
    event: tuple[str, ...]
    is_choice: bool


def compile_templates(scopes: Sequence[Scope], declarations: Sequence[Declaration]) -> list[CompiledTemplate]:
    """Compile the templates of scopes.

    Args:
        scopes: The scopes.
        declarations: Their declarations, and those that they join with.
    """
    by_name = {declaration.name: declaration for declaration in declarations}
    return [template for scope in scopes for template in _compile_scope(scope, by_name)]


def _compile_scope(scope: Scope, declarations: Mapping[str, Declaration]) -> Iterator[CompiledTemplate]:
    declaration = declarations[scope.declaration]
    other = declarations[scope.join.other] if scope.join else None
    voice = choose_voice(declaration, scope, other)
    event = build_event(other, scope.join.event) if scope.join and other else ""
    for form, sentences in _list_forms(voice, declaration, scope, other):
        for wording, sentence in enumerate(sentences):
            named = shorten_events(sentence).replace(EVENT, event)
            if wording == HALVED:
                named = named.replace(mark_slot("offset"), mark_slot("offset_half"))
            yield CompiledTemplate(
                scope.scope_id,
                form,
                wording,
                tuple(split_marked(named)),
                tuple(split_marked(event)) if event else (),
                voice.kind == "choice",
            )


def _list_forms(
    voice: Voice, declaration: Declaration, scope: Scope, other: Declaration | None
) -> Iterator[tuple[str, Sequence[str]]]:
    """List the forms of a scope with their sentences."""
    if scope.kind == "count":
        yield from _list_counts(voice, declaration, scope)
    elif scope.kind == "derived":
        yield "joined", voice.ask_joined()
    elif scope.kind == "join":
        yield from _list_relations(voice, declaration, "event/day", other, is_day=True)
        yield from _list_relations(voice, declaration, "event/unit", other, is_day=False)
    else:
        yield from _list_relations(voice, declaration, "times", None, is_day=True)
        yield "current", voice.ask_current(is_bare=declaration.time.now == "bare")


def _list_relations(
    voice: Voice, declaration: Declaration, form: str, other: Declaration | None, *, is_day: bool
) -> Iterator[tuple[str, Sequence[str]]]:
    is_point = declaration.time.end is None
    for asked in list_relations(is_short=not is_point):
        if is_point and not asked.is_for_points:
            continue
        times = Times(Relation(asked.relation), declaration.time, other.time if other else None, is_day)
        name = f"{form}/{asked.relation}{'/short' if asked.is_short else ''}"
        yield name, voice.ask_times(list_comparisons(asked, is_point=is_point), times)


def _list_counts(voice: Voice, declaration: Declaration, scope: Scope) -> Iterator[tuple[str, Sequence[str]]]:
    until = f" up to {mark_slot('as_of')}" if declaration.time.as_of is not None else ""
    since = write_date(declaration.time.since) if declaration.time.since is not None else ""
    for is_at_least, is_one in product((False, True), repeat=2):
        sentences = voice.ask_count(
            is_at_least=is_at_least, is_one=is_one, of_stints=scope.of == "stints", until=until, since=since
        )
        yield f"counted/{'at_least' if is_at_least else 'exactly'}/{'one' if is_one else 'more'}", sentences
