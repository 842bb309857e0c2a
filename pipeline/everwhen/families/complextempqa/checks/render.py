"""The checks that ship with the questions: their SQL, one file for each template, and the plan that names them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from everwhen.catalog.load import load_attributes, load_descriptions, load_entity_lists
from everwhen.catalog.models import Description
from everwhen.core.resources import find_templates
from everwhen.core.sql import render_literal, render_table
from everwhen.families.complextempqa.checks.render_texts import render_slots, render_text, render_words
from everwhen.families.complextempqa.template import BLOCK_RELATIONS, Template, load_templates
from everwhen.wikidata.properties import Property

FOLDER = Path(__file__).resolve().parent
"""The SQL that is the same for every template."""

NAMES: Mapping[str, str] = {
    "answer": "the answer equals that which the facts give",
    "text": "the question is, character by character, what the row and the facts give",
    "answer_entities": "the answer's texts are the labels of its entities",
    "rating": "the rating follows from type, paths, descriptions and views",
    "question_countries": "the countries are those of the asked entities",
    "answer_countries": "the countries are those of the answer's entities",
    "timeframe": "the days are those of the asked entities, of the term, or of a window that people name",
    "hops": "each property of the path leads to one value, and the template has paths",
    "threshold": "the threshold is the mean of the class, rounded, and splits it",
    "counted_over": "a count is over what is complete where a declaration covers it and the facts hold its number",
    "days": "the days of each statement are those of its text, precision and calendar",
    "calendar": "the calendar is that in which a statement has the date of the answer",
    "polarity": "the direction is one in which the template compares",
    "unnamed": "each description fits its entity alone, and does not name it",
    "accepted": "what is accepted is an own alias, or a description that was offered",
    "years": "names and descriptions do not show the years that are compared",
    "balance": "no answer and no path has more than its share",
    "split": "the split is the hash of the subject, and no fact is asked in two",
    "type": "the type is the template's",
    "version": "the version is the template's",
    "topic": "the topic is that of the subject's list",
    "head": "the head is the first asked entity",
    "year": "the year is that of the first day",
    "wording": "the wording is that of the least hash",
    "id": "the id is the hash of what is asked, and is in one row",
    "facts": "the tables of facts have the same labels and aliases, and each item that another names",
    "item_sets": "the item sets have the questions that their quotas give, as they are",
}
"""What is checked of every row: what each check says."""

DERIVED_BY: Mapping[str, tuple[str, ...]] = {
    "question_id": ("id",),
    "question": ("text",),
    "answer": ("answer", "answer_entities"),
    "type": ("type",),
    "question_entity": ("text", "id"),
    "answer_entity": ("answer_entities",),
    "question_country_entity": ("question_countries",),
    "answer_country_entity": ("answer_countries",),
    "hops": ("id", "hops"),
    "descriptions": ("unnamed", "text", "id"),
    "rating": ("rating",),
    "is_unnamed": ("unnamed",),
    "timeframe": ("timeframe", "text"),
    "template_id": ("id", "type", "text"),
    "template_version": ("version",),
    "wording": ("wording", "text"),
    "polarity": ("polarity", "text", "id"),
    "property": ("id", "text"),
    "threshold": ("threshold", "id"),
    "counted_over": ("counted_over",),
    "calendar": ("calendar",),
    "topic": ("topic",),
    "split": ("split",),
    "year": ("year",),
    "head_entity": ("head",),
}
"""By column of the questions, the checks of which one at least finds that it is wrong."""

ITEMS = {"table": "questions", "id": "question_id", "group": "template_id", "version": "template_version"} | {
    "text": "question",
    "answer": "answer",
}
"""Where the questions are, and which of their columns the runner reads (`everwhen.validate.plan.ItemColumns`)."""

MATERIALIZED = (
    *("label_owners", "judged_labels", "names", "subject_lists", "subject_words", "lists_together"),
    *("attributes_together", "paths_together", "counted_words", "ended_subjects", "path_ends"),
)
"""Views that are worth deriving once."""

CHECKS: tuple[dict[str, Any], ...] = (
    {"name": "metadata", "file": "metadata.sql", "streams_items": True},
    {"name": "hops", "file": "hops.sql"},
    {"name": "thresholds", "file": "thresholds.sql"}
    | {"explained": {"where": "threshold IS NOT NULL", "show": "show_threshold.sql"}},
    {"name": "counted_over", "file": "counted_over.sql", "streams_items": True},
    *({"name": name, "file": f"{name}.sql"} for name in ("days", "calendars", "evidence")),
    {"name": "descriptions", "file": "descriptions.sql"}
    | {"explained": {"where": "len(descriptions) > 0", "show": "show_descriptions.sql"}},
    {"name": "accepted_answers", "file": "accepted_answers.sql"},
    {"name": "balance", "file": "balance.sql"},
    {"name": "wordings", "file": "wordings.sql"},
)
"""The checks of all questions, in order; those that families share follow."""

STRATA = ("type", "is_unnamed::VARCHAR", "rating::VARCHAR", "coalesce((floor(year / 10) * 10)::INT::VARCHAR, 'none')")
"""What item sets are balanced over."""

SIZES = {"lite-1000": 1_000, "lite-10000": 10_000}
"""How many questions each item set has."""

DESCRIBED = """CREATE TABLE described AS
    SELECT question_id, template_id, question, question_entity, d.entity AS entity, d."key" AS pattern,
        list_contains(answer_entity, d.entity) AS is_answer
    FROM (SELECT *, unnest(descriptions) AS d FROM items WHERE len(descriptions) > 0);
"""

WAYS = """
-- {pattern}
CREATE OR REPLACE TABLE d AS
    SELECT c.entity, t.list, l.roots AS root
    FROM (SELECT DISTINCT entity FROM described WHERE pattern = '{pattern}') c
    LEFT JOIN listed t USING (entity) LEFT JOIN lists l ON l.list = t.list;
CREATE TABLE ways_{pattern} AS
    SELECT '{pattern}' AS pattern, w.entity, w.items::BIGINT[] AS items, w.rivals::BIGINT AS rivals,
        fill_description({says}, p.noun, w.year, c.name, w.amount::VARCHAR, [x.name, y.name, z.name]) AS text
    FROM (
{sql}
    ) w
    LEFT JOIN subject_words p ON p.entity = w.entity
    LEFT JOIN names c ON c.item = w.country
    LEFT JOIN names x ON x.item = w.items[1]
    LEFT JOIN names y ON y.item = w.items[2]
    LEFT JOIN names z ON z.item = w.items[3];
"""


NO_WAYS = (
    "(SELECT '' AS pattern, 0::BIGINT AS entity, []::BIGINT[] AS items, 0::BIGINT AS rivals, '' AS text WHERE false)"
)


@dataclass(frozen=True)
class Rule:
    """Declarations of a template that can be checked.

    Attributes:
        id: The template.
        version: The version that the check was written for.
        check: SQL that yields question_id, answer and facts, one row a question.
        timeframe: Where the days come from: the asked entities' own, the years that the text names, or the term of the
            second asked entity in the position that is the third.
        hops: Whether its questions may pass bridges.
        rule: How the answer follows from the facts, in one sentence.
        polarities: The directions in which it compares; none where it compares nothing.
        type: The type of its questions; empty where it declares none, and so of topic and split.
        topic: Whose topic they have: head, class, answer, or a topic itself.
        split: Whose split they have: head, second, answer, or what is counted.
        wordings: The numbers of its wordings.
        answers: Whether its answers are entities, or other texts, whose order counts; empty where it declares none.
        text: SQL that renders its questions again; empty for none.
        slots: SQL that gives the meaning of the slots of its questions; empty for none.
    """

    id: str
    version: int
    check: str
    timeframe: Literal["entities", "years", "term"] = "entities"
    hops: bool = False
    rule: str = ""
    polarities: tuple[str, ...] = ()
    type: str = ""
    topic: str = ""
    split: str = ""
    wordings: tuple[int, ...] = (0,)
    answers: Literal["entities", "texts", ""] = ""
    text: str = ""
    slots: str = ""


def list_rules(templates: Iterable[Template]) -> list[Rule]:
    """List the rules of templates."""
    topics = {entry.id: entry.topic for entry in load_entity_lists()}
    return [
        Rule(
            id=t.id,
            version=t.version,
            check=t.check,
            timeframe=t.timeframe,
            hops=bool(t.hops),
            rule=t.rule,
            polarities=t.list_directions() if t.relation in BLOCK_RELATIONS else (),
            type=t.type.value,
            topic=topics.get(t.topic, t.topic),
            split=t.split,
            wordings=tuple(sorted(t.questions)),
            answers="entities" if t.answer.entity or t.answer.comparison == "outermost" else "texts",
            text=render_text(t),
            slots=render_slots(t),
        )
        for t in templates
    ]


def render_all_checks() -> dict[str, str]:
    """Render the checks of all templates and descriptions, and copy the templates beside them.

    Every dataset of a release gets the same files, whichever templates it was built with.
    """
    entries = load_descriptions()
    descriptions = {entry.id: (entry.says, entry.check) for entry in entries}
    properties = {entry.id: _list_described_properties(entry) for entry in entries}
    files = render_checks(list_rules(load_templates()), descriptions, properties)
    folder = find_templates()
    paths = [*sorted((folder / "questions").rglob("*.yaml")), folder / "descriptions.yaml"]
    return files | {f"templates/{path.relative_to(folder).as_posix()}": path.read_text("utf-8") for path in paths}


def _list_described_properties(entry: Description) -> list[int]:
    """List the properties whose statements a description of this pattern mentions."""
    attribute = next(a.property for a in load_attributes() if a.id == entry.attribute)
    starts = [p for e in load_entity_lists() if e.id in entry.lists for p in e.start]
    dated = [Property.START_TIME, Property.POINT_IN_TIME, Property.END_TIME] if entry.kind == "event" else starts
    properties = {attribute, *(dated if entry.year else ()), *((Property.COUNTRY,) if entry.country else ())}
    return sorted(map(int, properties))


def render_checks(
    rules: Iterable[Rule],
    descriptions: Mapping[str, tuple[str, str]],
    properties: Mapping[str, Sequence[int]] | None = None,
) -> dict[str, str]:
    """Render the files of `checks/complextempqa/`, by path.

    Args:
        rules: The rules of the templates.
        descriptions: Of each pattern of description, by its id, its words with slots, and its check: SQL that reads `d`
            (entity, list, root) and yields entity, year, country, amount, items and rivals, one row for each way to
            describe it.
        properties: Of each pattern, the properties whose statements it mentions; none by default.
    """
    rules = list(rules)
    files = {path.name: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.sql"))}
    files["checks.json"] = json.dumps(_build_plan(rules), indent=1, ensure_ascii=False) + "\n"
    files["rules.sql"] = _render_rules(rules)
    files["words.sql"] = render_words()
    files["descriptions.sql"] = _render_ways(descriptions, properties or {}) + "\n" + files["descriptions.sql"]
    files |= {f"texts/{rule.id}.sql": rule.text for rule in rules if rule.text}
    files |= {f"slots/{rule.id}.sql": rule.slots for rule in rules if rule.slots}
    return files | {f"answers/{rule.id}.sql": rule.check.strip() + "\n" for rule in rules}


def _build_plan(rules: Iterable[Rule]) -> dict[str, Any]:
    """Build the plan, `checks.json`."""
    return {
        "family": "complextempqa",
        "items": dict(ITEMS),
        "setup": ["rules.sql", "words.sql", "texts.sql", "setup.sql"],
        "materialized": list(MATERIALIZED),
        "names": list(NAMES),
        "derivations": {
            rule.id: {"version": rule.version, "file": f"answers/{rule.id}.sql", "rule": rule.rule}
            | ({"is_ordered": True} if rule.answers == "texts" else {})
            | ({"text": f"texts/{rule.id}.sql"} if rule.text else {})
            | ({"slots": f"slots/{rule.id}.sql"} if rule.slots else {})
            for rule in rules
        },
        "checks": list(CHECKS),
        "show": "show.sql",
        "id_numbers": "id_numbers.sql",
        "kept_together": "kept_together.sql",
        "item_sets": {"strata": list(STRATA), "sizes": SIZES},
    }


def _render_rules(rules: Iterable[Rule]) -> str:
    """Render the table `rules`."""
    types = {"version": "INT", "type": "VARCHAR", "timeframe": "VARCHAR", "hops": "BOOLEAN", "polarities": "VARCHAR[]"}
    types |= {"topic": "VARCHAR", "split": "VARCHAR", "wordings": "INT[]", "answers": "VARCHAR"}
    rows = [(rule.id, *(getattr(rule, name) for name in types)) for rule in rules]
    table = render_table("rules", {"template_id": "VARCHAR", **types}, rows)
    return f"-- What each template declares of its rows.\n{table}"


def _render_ways(descriptions: Mapping[str, tuple[str, str]], properties: Mapping[str, Sequence[int]]) -> str:
    """Render the tables `description_patterns`, `described` and `ways`."""
    patterns = render_table(
        "description_patterns",
        {"pattern": "VARCHAR", "properties": "INT[]"},
        [(pattern, list(properties.get(pattern, ()))) for pattern in descriptions],
    )
    parts = [
        WAYS.format(pattern=pattern, says=render_literal(says), sql=sql.strip().rstrip(";"))
        for pattern, (says, sql) in descriptions.items()
    ]
    tables = [NO_WAYS, *(f"ways_{pattern}" for pattern in descriptions)]
    return f"{patterns}\n{DESCRIBED}{''.join(parts)}\nCREATE VIEW ways AS FROM {' UNION ALL FROM '.join(tables)};\n"
