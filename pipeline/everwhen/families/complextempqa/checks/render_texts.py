"""The checks of texts: SQL that renders the questions of each template again, and the words that templates declare."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from everwhen.catalog.load import load_articles, load_attributes, load_entity_lists, load_property_paths
from everwhen.catalog.models import Attribute, EntityList, PropertyPath
from everwhen.core.errors import InputError
from everwhen.core.sql import render_literal, render_table
from everwhen.families.complextempqa.template import Template
from everwhen.language.wording import split_wording

RENDERED = """-- The questions of {id}, rendered from the facts: actual and expected, one row a question.
WITH plain AS (
    SELECT q.question_id, q.question AS actual, {wordings} AS expected
    FROM (FROM q WHERE len(descriptions) = 0) q
{names}{joins}){described}
"""

DESCRIBED = """,
-- An entity may have several descriptions of one pattern: the one that the question has is taken.
choices AS (
    SELECT q.question_id, q.question AS actual, {wordings} AS expected
    FROM (FROM q WHERE len(descriptions) > 0) q
{names}{descriptions}{joins}),
described AS (
    SELECT question_id, any_value(actual) AS actual,
        coalesce(any_value(expected) FILTER (expected = actual), min(expected)) AS expected
    FROM choices GROUP BY question_id)
FROM plain UNION ALL FROM described"""

SLOTS = """-- The slots of the questions of {id}: the text of each, and its meaning.
WITH filled AS (
    SELECT q.question_id, CASE q.wording {order} END AS used, unnest([
{slots}]) AS part
    FROM q
{names}{joins})
SELECT question_id, part.slot AS slot, part.text AS text, part.meaning AS meaning
FROM filled WHERE list_contains(used, part.slot) ORDER BY list_position(used, part.slot)
"""

DESCRIPTION_HERE = (
    "(SELECT min(d.text) FROM description_texts d WHERE d.entity = q.question_entity[{position}]"
    " AND d.pattern = pattern_of(q.descriptions, q.question_entity[{position}]) AND reads_as(d.text, q.question))"
)

CASE_DESCRIBED = (
    "CASE WHEN pattern_of(q.descriptions, q.question_entity[{position}]) IS NULL THEN {own} ELSE d{position}.text END"
)

MEANINGS = (
    (r"\bq\.timeframe\b", "say_days(q.timeframe)"),
    (r"\bq\.threshold\b", "'the threshold ' || amount_text(q.threshold)"),
    (r"\bq\.polarity\b", "'the polarity ' || q.polarity"),
    (r"\ba\.words\b", "say_words(q.property, q.hops)"),
    (r"\bw\.", "'a word of the entity list ' || w.list"),
    (r"precision\b", "'how exactly the time is known'"),
    (r"\be\.entity\b", "'whether it has ended'"),
)
"""By what the text of a slot is read from, its meaning, as SQL."""

NAMES = "    LEFT JOIN names n{position} ON n{position}.item = q.question_entity[{position}]\n"

DESCRIPTION_JOIN = (
    "    LEFT JOIN description_texts d{position} ON d{position}.entity = q.question_entity[{position}]"
    " AND d{position}.pattern = pattern_of(q.descriptions, q.question_entity[{position}])\n"
)


def render_words() -> str:
    """Render the tables of words that `templates/` declares, by list, and the macro for names that take "the"."""
    of_attribute, of_path = _render_value_words()
    return (
        "-- Words that templates/ declares: of entity lists, attributes and paths, and names that take an article.\n"
        f"{_render_list_words()}\n{of_attribute}\n{of_path}\n{_render_articles()}"
    )


def _render_list_words() -> str:
    """Render the table `list_words`."""
    return render_table(
        "list_words",
        {"list": "VARCHAR", "kind": "VARCHAR", "class": "BIGINT", "noun": "VARCHAR", "plural": "VARCHAR"}
        | {"which": "VARCHAR", "titles": "BOOLEAN", "with_class": "VARCHAR", "with_year": "VARCHAR"}
        | {"says_class": "VARCHAR", "vehicle": "VARCHAR", "with_vehicle": "VARCHAR", "all_happened": "VARCHAR"}
        | {"happen": "VARCHAR", "happened": "VARCHAR", "begins": "VARCHAR", "ends": "VARCHAR", "topic": "VARCHAR"},
        [
            (
                *(e.id, e.kind, e.roots[0], e.noun, e.plural, e.which, e.titles, e.with_class, e.with_year),
                *(rf"(?i)\b({'|'.join([e.noun, *e.says_class])})\b", e.vehicle, e.with_vehicle, e.plural_happened),
                *(e.happen, e.happened, e.begin, e.end_verb, e.topic),
            )
            for e in load_entity_lists()
        ],
    )


def _render_value_words() -> tuple[str, str]:
    """Render the tables `attribute_words` and `path_words`."""
    lists = load_entity_lists()
    attributes = [
        (e.id, a.property, a.words) for a in load_attributes() for e in lists if a.words and _is_asked_of(a, e)
    ]
    paths = [
        (e.id, h.hops, h.hops[-1] if h.reads is None else h.reads, {**h.words, **h.compare})
        for h in load_property_paths()
        for e in lists
        if _is_asked_of(h, e)
    ]
    words = "MAP(VARCHAR, VARCHAR)"
    of_attribute = render_table("attribute_words", {"list": "VARCHAR", "property": "INT", "words": words}, attributes)
    of_path = render_table("path_words", {"list": "VARCHAR", "hops": "INT[]", "property": "INT", "words": words}, paths)
    return of_attribute, of_path


def _is_asked_of(asked: Attribute | PropertyPath, entities: EntityList) -> bool:
    """Whether the subjects of an entity list are asked for an attribute or a path."""
    return asked.kind == entities.kind and (not asked.lists or entities.id in asked.lists)


def _render_articles() -> str:
    """Render the macro `takes_the`."""
    takes_the = load_articles()
    events, items = (
        render_literal("|".join(f"(?:{pattern})" for pattern in patterns))
        for patterns in (takes_the.events, takes_the.items)
    )
    return (
        "CREATE MACRO takes_the(label, is_event, is_title) AS NOT regexp_matches(label, '^[Tt]he ') AND (\n"
        f"    CASE WHEN is_event THEN regexp_matches(label, {events})\n"
        f"    ELSE NOT is_title AND regexp_matches(label, {items}) END\n"
        f"    OR label IN ({', '.join(map(render_literal, takes_the.places))}));\n"
    )


def render_text(template: Template) -> str:
    """Render the SQL that renders the questions of a template again, over `q`.

    Raises:
        InputError: The template does not say how a text is read.
    """
    for name, slot in template.slots.items():
        if slot.text is not None and name not in template.reading.texts:
            raise InputError(f"template {template.id}: reading: texts: slot {name} is missing")
    named = _number_named(template)
    may_be_described = {name: position for name, position in named.items() if template.slots[name].form != "label"}
    texts = _read_texts(template)
    described_texts = texts | {
        name: CASE_DESCRIBED.format(position=position, own=texts[name]) for name, position in may_be_described.items()
    }
    common = {"names": _repeat(NAMES, named.values()), "joins": _render_joins(template)}
    described = DESCRIBED.format(
        wordings=_choose_wording(template, described_texts),
        descriptions=_repeat(DESCRIPTION_JOIN, may_be_described.values()),
        **common,
    )
    return RENDERED.format(
        id=template.id,
        wordings=_choose_wording(template, texts),
        described=described if may_be_described else "\nFROM plain",
        **common,
    )


def render_slots(template: Template) -> str:
    """Render the SQL that gives the meaning of the slots of a template's questions, over `q`."""
    order = " ".join(
        f"WHEN {number} THEN {render_literal(split_wording(wording)[1::2])}"
        for number, wording in sorted(template.questions.items())
    )
    slots = [
        f"        {{'slot': {render_literal(name)}, 'text': {text}, 'meaning': {meaning}}}"
        for name in template.slots
        for text, meaning in [_explain_slot(template, name)]
    ]
    return SLOTS.format(
        id=template.id,
        order=order,
        slots=",\n".join(slots),
        names=_repeat(NAMES, _number_named(template).values()),
        joins=_render_joins(template),
    )


def _number_entities(template: Template) -> dict[str, int]:
    """Number the slots that are filled with an entity, from 1: its place in the column `question_entity`."""
    asked = [name for name, slot in template.slots.items() if slot.entity is not None]
    return {name: position for position, name in enumerate(asked, 1)}


def _number_named(template: Template) -> dict[str, int]:
    """Number the slots in which an entity is named, and not a text that stands for it, as `_number_entities` does."""
    return {name: place for name, place in _number_entities(template).items() if template.slots[name].text is None}


def _read_texts(template: Template) -> dict[str, str]:
    """Read the text of each slot, as SQL: an entity has its name."""
    named = {name: f"n{place}.{template.slots[name].form}" for name, place in _number_named(template).items()}
    return named | {name: f"({text})" for name, text in template.reading.texts.items()}


def _render_joins(template: Template) -> str:
    return "".join(f"    {line}\n" for line in template.reading.joins)


def _repeat(sql: str, positions: Iterable[int]) -> str:
    return "".join(sql.format(position=position) for position in positions)


def _explain_slot(template: Template, name: str) -> tuple[str, str]:
    """Explain a slot, as SQL: its text, and the meaning of that."""
    slot, text = template.slots[name], _read_texts(template)[name]
    position = _number_entities(template).get(name)
    entity = f"say_entity(q.question_entity[{position}])"
    if slot.text is not None:
        meanings = [entity] if position else []
        meanings += [meaning for pattern, meaning in MEANINGS if re.search(pattern, template.reading.texts[name])]
        return text, " || '; ' || ".join(meanings)
    if slot.form == "label":
        return text, f"{entity} || ', its label'"
    pattern = f"pattern_of(q.descriptions, q.question_entity[{position}])"
    how_named = f"coalesce('described by ' || {pattern}, say_name(n{position}.method))"
    return f"coalesce({DESCRIPTION_HERE.format(position=position)}, {text})", f"{entity} || ', ' || {how_named}"


def _choose_wording(template: Template, texts: Mapping[str, str]) -> str:
    """Choose the text of a question by the number of its wording, from the texts of its slots."""
    cases = (
        f"WHEN {number} THEN {_join_pieces(wording, texts)}" for number, wording in sorted(template.questions.items())
    )
    return f"CASE q.wording {' '.join(cases)} END"


def _join_pieces(wording: str, texts: Mapping[str, str]) -> str:
    """Join the pieces of a wording with the texts of its slots, as SQL; it begins with a capital."""
    pieces = enumerate(split_wording(wording))
    joined = " || ".join(texts[piece] if n % 2 else render_literal(piece) for n, piece in pieces if n % 2 or piece)
    return joined if wording[0].isupper() else f"capitalized({joined})"
