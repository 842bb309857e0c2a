"""What the templates say of the sample world, and what people say of it who answer by hand.

`pytest tests/golden --golden-update` writes the files of templates anew: read the diff. It never changes what was
answered by hand (`by_hand.yaml`).
"""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from pyspark.sql import Window
from pyspark.sql import functions as F

from everwhen.core.build import Build
from everwhen.families.complextempqa.tables import QUESTIONS
from everwhen.families.complextempqa.template import load_templates

FOLDER = Path(__file__).resolve().parent
EXAMPLES = 3
OPEN = {"counting.entity.books", "counting.entity.costars", "counting.entity.films"}
"""Templates that count what hardly a sample holds completely: they have questions from a dump alone."""
MISSING = ["the sample has no question of these words"]
TEMPLATES = [template.id for template in load_templates() if template.id not in OPEN]


@pytest.fixture(scope="session")
def rendered(sample_build: Build) -> dict[str, str]:
    """By template, the questions of the least ids with their answers, as a golden file holds them."""
    least = Window.partitionBy("template_id").orderBy("question_id")
    rows = (
        sample_build.read(QUESTIONS)
        .withColumn("place", F.row_number().over(least))
        .where(F.col("place") <= EXAMPLES)
        .orderBy("template_id", "place")
        .select("template_id", "question", "answer")
        .collect()
    )
    texts = dict.fromkeys(TEMPLATES, "")
    for row in rows:
        texts[row.template_id] += f"{row.question}\n  {' | '.join(row.answer)}\n"
    return texts


@pytest.mark.full
@pytest.mark.spark
@pytest.mark.parametrize("template", TEMPLATES)
def test_questions_read_as_they_did(template: str, rendered: dict[str, str], request: pytest.FixtureRequest) -> None:
    path = FOLDER / f"{template}.txt"
    if request.config.getoption("--golden-update"):
        path.write_text(rendered[template], encoding="utf-8")
    assert path.exists(), f"no golden file {path.name}: pytest tests/golden --golden-update"
    assert rendered[template], "the sample world gives this template no question"
    assert rendered[template] == path.read_text(encoding="utf-8")


def test_every_golden_file_is_of_a_template() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} <= set(TEMPLATES)


@pytest.fixture(scope="session")
def answers(sample_build: Build) -> dict[tuple[str, str], list[str]]:
    """By template and question, its answer."""
    rows = sample_build.read(QUESTIONS).select("template_id", "question", "answer").collect()
    return {(row.template_id, row.question): sorted(row.answer) for row in rows}


@pytest.mark.full
@pytest.mark.spark
def test_the_examples_are_of_the_sample_world(answers: dict[tuple[str, str], list[str]]) -> None:
    for t in load_templates():
        if t.id in OPEN:
            continue
        expected = sorted(t.example["answer"].split(" | "))
        assert answers.get((t.id, t.example["question"]), MISSING) == expected, f"{t.id}: {t.example['question']}"


@pytest.mark.full
@pytest.mark.spark
def test_answers_by_hand_agree(answers: dict[tuple[str, str], list[str]]) -> None:
    by_hand = yaml.safe_load((FOLDER / "by_hand.yaml").read_text(encoding="utf-8"))
    assert set(by_hand) == set(TEMPLATES)
    assert all(len(rows) >= 2 for rows in by_hand.values())
    for template, rows in by_hand.items():
        for row in rows:
            expected = sorted(map(str, row["answer"]))
            assert answers.get((template, row["question"]), MISSING) == expected, f"{template}: {row['question']}"


@pytest.mark.full
@pytest.mark.spark
def test_the_sample_holds_every_form_twice(answers: dict[tuple[str, str], list[str]]) -> None:
    counts = dict.fromkeys(TEMPLATES, 0)
    for template, _ in answers:
        counts[template] += 1
    assert {t for t, n in counts.items() if n < 2} == set()
