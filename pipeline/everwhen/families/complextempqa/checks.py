"""The checks that ship with the questions: their SQL, one file for each template, and the plan that names them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from everwhen.catalog.load import load_descriptions
from everwhen.core.resources import templates_folder
from everwhen.families.complextempqa.template import BLOCKED, Template, all_templates

FOLDER = Path(__file__).resolve().parent / "checks"
"""The SQL that is the same for every template."""

NAMES = (
    *("answer", "answer_entities", "rating", "question_countries", "answer_countries"),
    *("timeframe", "hops", "threshold", "counted_over", "polarity", "unnamed", "accepted", "years", "balance", "split"),
)
"""What is checked of every row."""

DESCRIBED = """CREATE TABLE described AS
    SELECT question_id, template_id, question, question_entity, d.entity AS entity, d."key" AS form
    FROM (SELECT *, unnest(descriptions) AS d FROM items WHERE len(descriptions) > 0);
"""

WAYS = """
-- {form}
CREATE OR REPLACE TABLE d AS
    SELECT c.entity, t.list, l.roots AS root
    FROM (SELECT DISTINCT entity FROM described WHERE form = '{form}') c
    LEFT JOIN listed t USING (entity) LEFT JOIN lists l ON l.list = t.list;
CREATE TABLE ways_{form} AS SELECT '{form}' AS form, entity, told::VARCHAR[] AS told, rivals::BIGINT AS rivals FROM (
{sql}
);
"""


NO_WAYS = "(SELECT '' AS form, 0::BIGINT AS entity, []::VARCHAR[] AS told, 0::BIGINT AS rivals WHERE false)"


@dataclass(frozen=True)
class Rule:
    """What a template says of its rows, as far as that can be checked.

    Attributes:
        id: The template.
        version: The version that the check was written for.
        check: SQL that yields question_id, answer and facts, one row a question.
        timeframe: Where the days come from: the asked entities' own, the years that the text names, or the term of the
            second asked entity in the position that is the third.
        hops: Whether its questions may pass bridges.
        rule: How the answer follows from the facts, in one sentence.
        polarities: The directions in which it compares; none where it compares nothing.
    """

    id: str
    version: int
    check: str
    timeframe: Literal["entities", "years", "term"] = "entities"
    hops: bool = False
    rule: str = ""
    polarities: tuple[str, ...] = ()


def list_rules(templates: Iterable[Template]) -> list[Rule]:
    """List the rules of templates."""
    return [
        Rule(
            t.id,
            t.version,
            t.check,
            t.timeframe,
            bool(t.hops),
            t.rule,
            t.list_directions() if t.relation in BLOCKED else (),
        )
        for t in templates
    ]


def render_all_checks() -> dict[str, str]:
    """Render the checks of all templates and descriptions, and copy the templates beside them.

    Every dataset of a release gets the same files, whichever templates it was built with.
    """
    descriptions = {entry.id: entry.check for entry in load_descriptions()}
    files = render_checks(list_rules(all_templates()), descriptions)
    folder = templates_folder()
    paths = [*sorted((folder / "questions").rglob("*.yaml")), folder / "descriptions.yaml"]
    return files | {f"templates/{path.relative_to(folder).as_posix()}": path.read_text("utf-8") for path in paths}


def render_checks(rules: Iterable[Rule], descriptions: Mapping[str, str]) -> dict[str, str]:
    """Render the files of `checks/complextempqa/`, by path.

    Args:
        rules: The rules of the templates.
        descriptions: The check of each form of description, by its id: SQL that reads `d` (entity, list, root) and
            yields entity, told (VARCHAR[]: what must be in the question) and rivals (BIGINT), one row for each way to
            describe it; it may read `described` to leave out ways that are in no question.
    """
    rules = list(rules)
    plan = {
        "family": "complextempqa",
        "items": {
            "table": "questions",
            "id": "question_id",
            "group": "template_id",
            "version": "template_version",
            "text": "question",
            "answer": "answer",
        },
        "setup": ["rules.sql", "setup.sql"],
        "materialized": ["chains"],
        "names": list(NAMES),
        "derivations": {
            rule.id: {"version": rule.version, "file": f"answers/{rule.id}.sql", "rule": rule.rule} for rule in rules
        },
        "checks": [
            {"name": "metadata", "file": "metadata.sql", "streams_items": True},
            {"name": "hops", "file": "hops.sql"},
            {"name": "thresholds", "file": "thresholds.sql"},
            {"name": "counted_over", "file": "counted_over.sql", "streams_items": True},
            {"name": "descriptions", "file": "descriptions.sql"},
            {"name": "accepted_answers", "file": "accepted_answers.sql"},
            {"name": "balance", "file": "balance.sql"},
            {"name": "splits", "file": "splits.sql"},
        ],
        "show": "show.sql",
    }
    files = {path.name: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.sql"))}
    files["checks.json"] = json.dumps(plan, indent=1, ensure_ascii=False) + "\n"
    files["rules.sql"] = _render_rules(rules)
    files["descriptions.sql"] = _render_ways(descriptions) + "\n" + files["descriptions.sql"]
    return files | {f"answers/{rule.id}.sql": rule.check.strip() + "\n" for rule in rules}


def _render_rules(rules: Iterable[Rule]) -> str:
    """The table `rules`."""
    rows = ",\n    ".join(
        f"('{r.id}', '{r.timeframe}', {str(r.hops).lower()}, {[*r.polarities]}::VARCHAR[])" for r in rules
    )
    head = (
        "-- Of each template: where the days of its timeframe come from, whether its questions may pass bridges, and\n"
        "-- the directions in which it compares.\n"
    )
    return (
        f"{head}CREATE TABLE rules AS SELECT * FROM (VALUES\n    {rows}) t(template_id, timeframe, hops, polarities);\n"
    )


def _render_ways(descriptions: Mapping[str, str]) -> str:
    """The tables `described` and `ways`."""
    parts = [WAYS.format(form=form, sql=sql.strip().rstrip(";")) for form, sql in descriptions.items()]
    tables = [NO_WAYS, *(f"ways_{form}" for form in descriptions)]
    return f"{DESCRIBED}{''.join(parts)}\nCREATE VIEW ways AS FROM {' UNION ALL FROM '.join(tables)};\n"
