"""Labels of all sorts, through to the questions, the card, the report and explain: each reads as it should."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml

from everwhen.sample.load import sample_world
from everwhen.validate.explain import explain
from hostile_world import DIRECTOR, SOUND, UNSOUND, UndisturbedBuild, choose_hostile_labels, select_films

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def labels() -> dict[int, str]:
    return choose_hostile_labels(sample_world())


@pytest.fixture(scope="module")
def asked(undisturbed: UndisturbedBuild) -> list[dict[str, Any]]:
    """All questions in which nothing is described."""
    rows = pq.read_table(undisturbed.dataset / "complextempqa" / "questions").to_pylist()
    return [row for row in rows if not row["is_unnamed"]]


def test_facts_hold_every_label_as_it_is(undisturbed: UndisturbedBuild, labels: Mapping[int, str]) -> None:
    (rows,) = (undisturbed.out / "facts" / "entities").glob("rows-*")
    entities = pq.read_table(rows).to_pylist()
    assert labels.items() <= {row["item"]: row["label"] for row in entities}.items()


def test_a_question_reads_each_label_as_it_is(asked: list[dict[str, Any]], labels: Mapping[int, str]) -> None:
    named: set[str] = set()
    for row in asked:
        for item in row["question_entity"]:
            if label := labels.get(item):
                capital = label[0].upper() + label[1:]  # at the head of a question
                assert label in row["question"] or row["question"].startswith(capital), row
                named.add(label)
    unsound = {label for label in labels.values() if label in UNSOUND}
    assert unsound == set(UNSOUND)
    assert set(labels.values()) - unsound - named == set()


def test_an_answer_is_the_label_as_it_is(asked: list[dict[str, Any]], labels: Mapping[int, str]) -> None:
    directors = {film.id: {s.snak.item for s in film.select_best(DIRECTOR)} for film in select_films(sample_world())}
    answers = {
        row["answer"][0]: row["answer_entity"]
        for row in asked
        if row["template_id"] == "attribute.entity.director" and row["answer_entity"][0] in labels
    }
    assert len(answers) > 10
    assert answers == {labels[items[0]]: items for items in answers.values()}
    assert {items[0] for items in answers.values()} <= {item for each in directors.values() for item in each}


def test_what_no_line_can_hold_is_counted_and_not_asked(
    undisturbed: UndisturbedBuild, labels: Mapping[int, str]
) -> None:
    report = json.loads((undisturbed.dataset / "report.json").read_text())
    unnamed = [
        row for row in report["record_counts"] if row["reason"] == "no unambiguous name" and row["stage"] == "world"
    ]
    assert sum(row["records"] for row in unnamed) == len(UNSOUND)
    text = "".join(
        row["question"] + "".join(row["answer"])
        for row in pq.read_table(undisturbed.dataset / "complextempqa" / "questions").to_pylist()
    )
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", text)


def test_card_and_report_are_not_written_by_labels(undisturbed: UndisturbedBuild) -> None:
    card = (undisturbed.dataset / "README.md").read_text()
    assert yaml.safe_load(card.split("---\n")[1])["pretty_name"] == "everwhen small"
    report = (undisturbed.dataset / "report.md").read_text()
    for text in (card, report):
        rows = [line for line in text.splitlines() if line.startswith("|")]
        assert rows
        assert all(line.endswith(" |") for line in rows)
    cells = {len(re.sub(r"\\.", "", line).split("|")) for line in report.splitlines() if line.startswith("|")}
    assert cells == {4, 5, 6, 8, 10}, "columns of the report's tables"
    assert not re.search(r"(?<!\\)<", report)


def test_a_row_about_each_label_is_explained(
    undisturbed: UndisturbedBuild, asked: list[dict[str, Any]], labels: Mapping[int, str]
) -> None:
    about = {row["question_entity"][0]: row for row in asked if row["template_id"] == "attribute.entity.director"}
    chosen = [row for item, row in about.items() if labels.get(item) in SOUND]
    assert len(chosen) > 20
    for row in chosen:
        found = explain(undisturbed.dataset, row["question_id"])
        assert json.loads(json.dumps(found.as_json()))["text"] == row["question"]
        head, answer, *lines = found.render().split("\n")
        label = labels[row["question_entity"][0]]
        assert head == row["question"]
        assert answer == f"  {row['answer'][0]}  (the facts give the same)"
        assert any(line.startswith(f"  {label} — ") for line in lines)
