"""One row explained: what it says in plain words, the statements its answer rests on, and the rule that derives it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import duckdb

from everwhen.catalog.load import load_attributes, load_units
from everwhen.core.errors import InputError
from everwhen.temporal.precision import Precision
from everwhen.validate.rules import Rule
from everwhen.validate.verify import checked_sql, questions_of, require_rule
from everwhen.validate.views import made_with, opened
from everwhen.wikidata.properties import Property

SHOWN = 25
"""Facts told in text; as JSON all are."""

KINDS = {"1": "attribute", "2": "comparison", "3": "counting"}

FACTS = """
SELECT s.*, e.label AS subject_label, p.label AS property_label, v.label AS value_label
FROM statements s
LEFT JOIN entities e ON e.item = s.subject
LEFT JOIN properties p ON p.property = s.property
LEFT JOIN entities v ON v.item = s.value_item
WHERE s.statement_id IN (SELECT unnest($1::VARCHAR[]))
ORDER BY s.subject, s.property, s.statement_id
"""

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""What a label may hold that would end a line or steer a terminal; shown as an escape."""

LABELS = """
SELECT item, label FROM entities WHERE item IN (SELECT unnest($1::BIGINT[]))
"""

QUALIFIERS = {"start_time": "start time", "end_time": "end time", "point_in_time": "point in time"}


@dataclass(frozen=True)
class Fact:
    """A statement that an answer rests on."""

    statement_id: str
    subject: str
    """Item id with Q."""
    subject_label: str | None
    property: str
    """Property id with P."""
    property_label: str | None
    value: str
    rank: str
    url: str

    def __str__(self) -> str:
        """One line."""
        named = f"{self.property_label} ({self.property})" if self.property_label else self.property
        subject = self.subject_label or self.subject
        return f"{subject} — {named}: {self.value} · rank {self.rank} · {self.url} · statement {self.statement_id}"


@dataclass(frozen=True)
class Explanation:
    """A row with what stands behind it."""

    question_id: int
    question: str
    answer: list[str]
    derived: list[list[str]]
    """What the check derives from the facts: the answer once, if the row is right."""
    metadata: dict[str, str]
    """In plain words, by name."""
    facts: list[Fact]
    template: str
    version: int
    rule: str
    check: str

    def as_json(self) -> dict[str, Any]:
        """All of it as data."""
        return asdict(self)

    def text(self) -> str:
        """All of it to read."""
        right = [sorted(answer) for answer in self.derived] == [sorted(self.answer)]
        given = " OR ".join(", ".join(answer) for answer in self.derived) or "NOTHING"
        verdict = "the facts give the same" if right else f"THE FACTS GIVE {given}"
        lines = [self.question, f"  {', '.join(self.answer)}  ({verdict})", ""]
        lines += [f"Facts ({len(self.facts)}):" if self.facts else "Facts: the check names none"]
        lines += [f"  {fact}" for fact in self.facts[:SHOWN]]
        if len(self.facts) > SHOWN:
            lines.append(f"  … and {len(self.facts) - SHOWN} more; --json tells all")
        lines += ["", f"Rule: {self.rule}", "", "The row:"]
        width = max(map(len, self.metadata), default=0)
        lines += [f"  {name:<{width}}  {value}" for name, value in self.metadata.items()]
        lines += ["", f"The check of template {self.template}, version {self.version}:"]
        lines += [f"  {line}" for line in self.check.strip().splitlines()]
        return "\n".join(CONTROL.sub(lambda found: ascii(found.group())[1:-1], line) for line in lines)


def explain(dataset: str | Path, question_id: int, rules: Mapping[str, Rule]) -> Explanation:
    """Explain a row of a dataset.

    Args:
        dataset: Folder with `questions/` and `facts/`, on a local disk.
        question_id: Which row.
        rules: The rule of each template, by template id.

    Raises:
        InputError: There is no such dataset or row, or the row's template is unknown or of another version.
    """
    with opened(dataset, lists=made_with(dataset).lists) as db:
        found = db.execute("SELECT * FROM questions WHERE question_id = $1", [question_id])
        names = [column[0] for column in found.description or ()]
        rows = found.fetchall()
        if not rows:
            raise InputError(f"{dataset}: no question {question_id}")
        row = dict(zip(names, rows[0], strict=True))
        rule = require_rule(rules, row["template_id"], row["template_version"])
        db.execute(f"CREATE TABLE chosen AS SELECT * FROM questions WHERE question_id = {int(question_id)}")
        questions_of(db, rule)
        check = checked_sql(db, rule)
        derived = db.execute(f"SELECT answer, facts FROM (\n{check}\n)").fetchall()
        facts = _facts(db, sorted({fact for _, ids in derived for fact in ids or ()}))
        return Explanation(
            question_id=question_id,
            question=row["question"],
            answer=list(row["answer"]),
            derived=[list(answer or ()) for answer, _ in derived],
            metadata=_metadata(db, row),
            facts=facts,
            template=rule.id,
            version=rule.version,
            rule=rule.rule,
            check=rule.check,
        )


def _facts(db: duckdb.DuckDBPyConnection, ids: list[str]) -> list[Fact]:
    """The statements with these ids, in words."""
    nouns = {a.property: a.words["noun"] for a in load_attributes() if "noun" in a.words}
    named = {a.property: a.id.replace("_", " ") for a in load_attributes()}
    labels = {**named, **{p.value: p.label for p in Property}, **nouns}
    db.execute("CREATE OR REPLACE TABLE properties (property INT, label VARCHAR)")
    db.executemany("INSERT INTO properties VALUES (?, ?)", [list(pair) for pair in labels.items()])
    found = db.execute(FACTS, [ids])
    names = [column[0] for column in found.description or ()]
    return [_fact(dict(zip(names, row, strict=True))) for row in found.fetchall()]


def _fact(row: Mapping[str, Any]) -> Fact:
    qualifiers = [f"{words} {_time(row[name])}" for name, words in QUALIFIERS.items() if row[name]]
    value = _value(row) + (f" ({', '.join(qualifiers)})" if qualifiers else "")
    return Fact(
        statement_id=row["statement_id"],
        subject=f"Q{row['subject']}",
        subject_label=row["subject_label"],
        property=f"P{row['property']}",
        property_label=row["property_label"],
        value=value,
        rank=row["rank"],
        url=f"https://www.wikidata.org/wiki/Q{row['subject']}#P{row['property']}",
    )


def _value(row: Mapping[str, Any]) -> str:
    """A statement's value as it is read."""
    if row["snak"] != "value":
        return "unknown value" if row["snak"] == "somevalue" else "no value"
    if row["value_item"] is not None:
        return f"{row['value_label']} (Q{row['value_item']})" if row["value_label"] else f"Q{row['value_item']}"
    if row["first_day"] is not None:
        return _day(row["first_day"], row["precision"])
    if row["amount"] is not None:
        unit = load_units().get(row["unit"] or 0)
        number = f"{row['amount']:f}"
        number = number.rstrip("0").rstrip(".") if "." in number else number
        return f"{number} {unit.name if number == '1' else unit.plural}" if unit else number
    return str(row["value_text"])


def _time(qualifier: Mapping[str, Any]) -> str:
    """A dating qualifier as it is read."""
    if qualifier["snak"] == "value" and qualifier["first_day"] is not None:
        return _day(qualifier["first_day"], qualifier["precision"])
    return {"somevalue": "unknown", "novalue": "none"}.get(qualifier["snak"], str(qualifier["snak"]))


def _day(first_day: Any, precision: int | None) -> str:
    """A time by its precision."""
    text = str(first_day.isoformat())
    if precision is None or precision >= Precision.DAY:
        return text
    if precision < Precision.YEAR:
        return f"{text[:4]} (Wikidata precision {precision})"
    return text[:4] if precision == Precision.YEAR else text[:7]


def _metadata(db: duckdb.DuckDBPyConnection, row: Mapping[str, Any]) -> dict[str, str]:
    """What the row says beside its answer, in words."""
    described = row.get("descriptions") or []
    named = {
        "asked about": row["question_entity"],
        "in the answer": row["answer_entity"],
        "countries asked": row["question_country_entity"],
        "countries in answer": row["answer_country_entity"],
    }
    ids = sorted({entity for entities in named.values() for entity in entities or ()})
    labels = dict(db.execute(LABELS, [ids]).fetchall())

    def items(entities: list[int] | None) -> str:
        return ", ".join(f"{labels[e]} (Q{e})" if labels.get(e) else f"Q{e}" for e in entities or ()) or "none"

    thing = "of events" if "a" in row["type"] else "of entities"
    about_time = ", asks about time" if row["type"].endswith("c") else ""
    frame = row["timeframe"] or {}
    start, end = frame.get("start"), frame.get("end")
    words = {
        "question id": str(row["question_id"]),
        "type": f"{row['type']}: {KINDS.get(row['type'][0], '?')} {thing}{about_time}",
        "rating": "0: popular" if row["rating"] == 0 else "1: not popular, or hard by its kind",
        **{name: items(entities) for name, entities in named.items()},
        "timeframe": f"{start or 'not known'} to {end or 'open or not known'}",
        "hops": " → ".join(f"P{p}" for p in row["hops"] or ()) or "none",
        "unnamed": ", ".join(f"Q{d['entity']} by {d['key']}" for d in described) or "no",
        "topic": str(row["topic"]),
        "split": str(row["split"]),
    }
    if row["threshold"] is not None:
        words["more than"] = f"{row['threshold']:f}".rstrip("0").rstrip(".")
    return words
