"""Chooses the voice of a scope: the declared phrases where they name what the question must name, else the columns."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.declaration.words import Phrases, list_columns, parse_phrase
from everwhen.families.tdbench.scopes import Scope
from everwhen.families.tdbench.texts.sentences import Verbs, Voice
from everwhen.families.tdbench.texts.times import EVENT
from everwhen.language.wording import mark_slot

COPULAS = ("is", "was", "are", "were")

Fillers = Mapping[str, str]
"""What the slots of phrases are replaced by: marked slots, or words for what the question does not name."""


def choose_voice(declaration: Declaration, scope: Scope, other: Declaration | None = None) -> Voice:
    """Choose how a scope is asked."""
    joined = _list_joined(scope, other)
    subject = next((name for name in scope.asked if name in declaration.words.ask), None)
    if len(scope.asked) == 1 and scope.asked[0] in declaration.words.asking:
        subject = scope.asked[0]
    if subject is not None:
        phrases = declaration.words.asking.get(subject, declaration.words)
        voice = _build_subject(declaration, scope, phrases, subject, joined)
        if voice is not None:
            return voice
    return _build_choice(declaration, scope, joined) or _build_record(declaration, scope, joined)


def label_column(declaration: Declaration, column: str) -> str:
    """Name a column in words.

    >>> from types import SimpleNamespace
    >>> label_column(SimpleNamespace(words=SimpleNamespace(labels={})), "Law_type")
    'law type'
    """
    spaced = column.replace("_", " ").strip()
    lowered = spaced.lower() if spaced[1:] == spaced[1:].lower() else spaced
    return str(declaration.words.labels.get(column, lowered))


def list_all(parts: Sequence[str]) -> str:
    """List parts in a sentence: "country, role and name"."""
    return " and ".join(part for part in (", ".join(parts[:-1]), parts[-1]) if part) if parts else ""


def build_event(other: Declaration, columns: Sequence[str]) -> str:
    """Build the phrase that names an event by columns, their slots marked.

    Of the declared phrases it is the first that names these columns and no others; without one, the columns are named.
    """
    words = other.words
    phrases = [words.event] if words.event is not None else []
    for phrase in [*phrases, *words.event_by.values()]:
        if set(list_columns(phrase)) == set(columns):
            return _fill(phrase, {column: mark_slot(f"given:{column}") for column in columns})
    return f"the event of {other.name} with {_name_values(other, columns)}"


def _list_joined(scope: Scope, other: Declaration | None) -> Fillers:
    """List the columns that the question leaves to be found by the join, with words for them."""
    if scope.kind != "derived" or scope.join is None or other is None:
        return {}
    return {
        ours: other.words.joined.get(theirs, f"the {label_column(other, theirs)} of {EVENT}")
        for ours, theirs in scope.join.by
    }


def _build_subject(
    declaration: Declaration, scope: Scope, phrases: Phrases, subject: str, joined: Fillers
) -> Voice | None:
    """Build the voice of declared phrases; None where they are missing, or do not name what is given."""
    is_point = declaration.time.end is None
    texts = [phrases.happened] if is_point else [phrases.begin, phrases.end, phrases.is_, phrases.was]
    named = _list_complete(texts, phrases.by, scope, subject)
    if not named:
        return None
    fillers = _list_fillers(declaration, scope, joined)
    asking = declaration.words.ask.get(subject, f"which {label_column(declaration, subject)}")
    did, does = (f" {verb} {_fill(phrases.by, fillers)}" if phrases.by else "" for verb in ("did", "does"))
    if is_point:
        return Voice("happening", f"{asking}{did}", _fill(named[0], fillers), None)
    begin, end, is_, was = named  # they are declared together
    # What is asked for once is referred to later: "became king of which country and was still king of that country".
    later = {**fillers, **{column: f"that {label_column(declaration, column)}" for column in scope.asked}}
    again, still = _fill(phrases.again or end, later), _fill(phrases.still or add_still(was), later)
    verbs = Verbs(_fill(begin, fillers), _fill(end, fillers), again, still)
    now = (f"{asking}{does}", _fill(is_, fillers))
    return Voice("subject", f"{asking}{did}", _fill(was, fillers), now, None, *phrases.name_counted(scope.of), verbs)


def _list_complete(texts: Sequence[str | None], by: str | None, scope: Scope, subject: str) -> list[str]:
    """List the declared of some phrases; none where one of them does not name what is given."""
    named = [text for text in texts if text is not None]
    return named if all(_is_complete(f"{by or ''}{text}", scope, subject) for text in named) else []


def _is_complete(phrase: str, scope: Scope, subject: str) -> bool:
    """Whether a phrase names all that is given, and asks for the other asked columns, but does not name its subject."""
    columns = set(list_columns(phrase))
    wanted = {*scope.given, *scope.asked} - {subject} - set(scope.join.event if scope.join else ())
    return wanted <= columns and subject not in columns


def _list_fillers(declaration: Declaration, scope: Scope, joined: Fillers) -> Fillers:
    """List what fills each column of a phrase: a value, "which country", or "some country"."""
    given = {column: mark_slot(f"given:{column}") for column in scope.given}
    asked = {column: f"which {label_column(declaration, column)}" for column in scope.asked}
    return {**{c: f"some {label_column(declaration, c)}" for c in declaration.columns}, **asked, **joined, **given}


def _build_choice(declaration: Declaration, scope: Scope, joined: Fillers) -> Voice | None:
    """Build the voice of an either-or question; None where there are not two values in words for the asked column."""
    words = declaration.words
    options = list(words.values.get(scope.asked[0], {}).values()) if len(scope.asked) == 1 else []
    if words.topic is None or len(set(options)) != 2 or declaration.time.end is None:
        return None
    if not _is_complete(words.topic, scope, scope.asked[0]):
        return None
    topic, either = _fill(words.topic, _list_fillers(declaration, scope, joined)), " or ".join(dict.fromkeys(options))
    return Voice("choice", f"was {topic}", either, (f"is {topic}", either), None, *words.name_counted(scope.of))


def _build_record(declaration: Declaration, scope: Scope, joined: Fillers) -> Voice:
    """Build the voice that names the columns."""
    own = [c for c in scope.given if scope.join is None or c not in scope.join.event or c in declaration.columns]
    given = [part for part in (_name_values(declaration, own), *joined.values()) if part]
    who = f"which {list_all([label_column(declaration, column) for column in scope.asked])}"
    has, named = "has" if len(scope.asked) == 1 else "share", list_all(given)
    now = None if declaration.time.end is None else (who, f"{has} an open record with {named}")
    return Voice("columns", who, has, now, f"{has} a record with {named}", given=named)


def _name_values(declaration: Declaration, columns: Collection[str]) -> str:
    """Name columns with their values: "country Brazil and role President"."""
    return list_all([f"{label_column(declaration, column)} {mark_slot(f'given:{column}')}" for column in columns])


def add_still(was: str) -> str:
    """Say that something was still true.

    >>> add_still("was President of Brazil"), add_still("played for Ajax")
    ('was still President of Brazil', 'still played for Ajax')
    """
    first, _, rest = was.partition(" ")
    return f"{first} still {rest}" if first in COPULAS else f"still {was}"


def _fill(phrase: str, fillers: Fillers) -> str:
    parts = []
    for piece in parse_phrase(phrase):
        if piece.column is None:
            parts.append(piece.literal)
            continue
        filler = fillers.get(piece.column, f"some {piece.column}")
        parts.append(filler.replace("given:", "ordinal:") if piece.format == "ordinal" else filler)
    return "".join(parts)
